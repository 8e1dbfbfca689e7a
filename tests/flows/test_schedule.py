"""`pairset serve`: deployments on a real Prefect server, and what comes of their runs."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from flows import stage_flows
from flows.artifacts import key
from flows.parts import of_pairset
from flows.stage_flows import FLOWS
from tests.flows.helpers import contents, python
from tests.shared_data import ROOT
from tests.waiting import until

flow = pytest.mark.flow
MAIN = "from flows.cli import main; main()"
STAGES = [name for name in FLOWS if name != "run"]


class Server:
    """The Prefect server's API, as far as the tests look."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder

    def deployments(self) -> dict[str, Any]:
        listed = httpx.post(f"{self.url}/deployments/filter", json={}).json()
        return {one["name"]: one for one in listed}

    def start(self, name: str, **parameters: object) -> httpx.Response:
        url = f"{self.url}/deployments/{self.deployments()[name]['id']}/create_flow_run"
        return httpx.post(url, json={"parameters": parameters})

    def ended(self, name: str, **parameters: object) -> dict[str, Any]:
        """A run of that deployment, once it has ended."""
        run_id = self.start(name, **parameters).json()["id"]
        found: dict[str, Any] = {}

        def ended() -> bool:
            found.update(httpx.get(f"{self.url}/flow_runs/{run_id}").json())
            return found["state_type"] in ("COMPLETED", "FAILED", "CRASHED")

        until(ended, every=0.2)
        return found

    def artifacts(self, run: dict[str, Any]) -> dict[str, Any]:
        wanted = {"artifacts": {"flow_run_id": {"any_": [run["id"]]}}}
        listed = httpx.post(f"{self.url}/artifacts/filter", json=wanted).json()
        return {one["key"]: one for one in listed}


@pytest.fixture(scope="module")
def served(prefect: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`pairset serve` at work on a server."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "pairset.toml").write_text("workers = 1\n[schedule]\ncron = '30 3 * * 1-5'\n")
    words = ["serve", "--config", "pairset.toml", "--timezone", "Europe/Paris"]
    env = prefect | {"PYTHONPATH": str(ROOT), "PREFECT_RUNNER_POLL_FREQUENCY": "1"}
    with subprocess.Popen([sys.executable, "-c", MAIN, *words], cwd=folder, env=env) as process:
        server = Server(prefect["PREFECT_API_URL"], folder)
        until(lambda: process.poll() is not None or len(server.deployments()) == len(FLOWS), 0.2)
        assert process.poll() is None
        yield server
        process.terminate()


@flow
def test_the_chain_is_due_when_the_config_says(served: Server) -> None:
    deployments = served.deployments()
    assert sorted(deployments) == sorted(["nightly", *STAGES])
    (due,) = deployments["nightly"]["schedules"]
    assert (due["schedule"]["cron"], due["schedule"]["timezone"]) == (
        "30 3 * * 1-5",
        "Europe/Paris",
    )
    assert due["active"]
    assert [name for name in STAGES if deployments[name]["schedules"]] == []
    config = str(served.folder / "pairset.toml")
    assert all(one["parameters"] == {"config": config} for one in deployments.values())


@flow
@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"workers": 33}, "33 is greater than the maximum of 32"),
        ({"workers": 0}, "0 is less than the minimum of 1"),
        ({"workers": "2"}, "'2' is not valid"),
        ({"config": 3}, "3 is not valid"),
        ({"wrokers": 2}, "'wrokers' was unexpected"),
    ],
)
def test_the_server_refuses_bad_parameters(
    served: Server, parameters: dict[str, object], why: str
) -> None:
    refused = served.start("nightly", **parameters)
    assert refused.status_code == 409
    assert why in refused.json()["detail"]


@flow
def test_a_stage_runs_when_asked_and_shows_its_counts(served: Server) -> None:
    data = served.folder / "asked"
    run = served.ended("samples", data=str(data))
    assert run["state_type"] == "COMPLETED"
    rows = {row["table"]: row for row in _table(served.artifacts(run)["sample-samples"])}
    assert (rows["samples"]["rows"], rows["refused_samples"]["rows"]) == (80, 0)
    assert len(rows["samples"]["digest"]) == 64
    assert contents(data / "sample" / "samples")


@flow
def test_a_config_that_is_not_there_ends_the_run_before_it_begins(served: Server) -> None:
    run = served.ended("samples", config="nowhere.toml", data=str(served.folder / "none"))
    assert run["state_type"] == "FAILED"
    assert "no config file 'nowhere.toml'" in run["state"]["message"]
    assert not (served.folder / "none").exists()


@flow
def test_an_outage_is_tried_again_and_a_mistake_is_not(served: Server) -> None:
    data = str(served.folder / "retried")
    (served.folder / "down.json").write_text('[{"tree": "original", "url": "http://127.0.0.1:1"}]')
    (served.folder / "down.toml").write_text(
        "[executor]\nendpoints = 'down.json'\n[schedule]\nretries = 1\nretry_delay_s = 0\n"
    )
    assert python("-c", MAIN, "samples", "--direct", "--data", data).returncode == 0
    outage = served.ended("schemas", data=data, config=str(served.folder / "down.toml"))
    assert (outage["state_type"], outage["run_count"]) == ("FAILED", 2)
    assert "Unreachable" in outage["state"]["message"]
    mistake = served.ended("labels", data=data)
    assert (mistake["state_type"], mistake["run_count"]) == ("FAILED", 1)
    assert "labels is made from schemas" in mistake["state"]["message"]


@flow
def test_prefects_own_tools_find_and_start_the_flows(
    tmp_path: Path, prefect: dict[str, str]
) -> None:
    code = (
        "from prefect.flows import load_flow_from_entrypoint as load\n"
        "names = 'samples schemas golds pairs audit runs labels references tied manifest run'.split()\n"
        "flows = [load(f'flows/stage_flows.py:{name}') for name in names]\n"
        "assert [flow.name for flow in flows] == names\n"
        "from flows.stage_flows import FLOWS\n"
        "from flows.parts import of_pairset\n"
        "made = [*(one.name for one in of_pairset().stages), 'scores', 'manifest', 'run']\n"
        "assert list(FLOWS) == made\n"
        "for flow in flows:\n"
        "    assert flow.description, flow.name\n"
        "    assert list(flow.parameters.properties) == ['config', 'data', 'workers']\n"
        f"print(flows[0](data={str(tmp_path / 'data')!r}))\n"
    )
    done = python("-c", code, env=prefect)
    assert done.stdout == "1\n", done.stderr
    assert list(tmp_path.glob("data/sample/samples/sample/*.parquet"))


def _table(artifact: dict[str, Any]) -> list[dict[str, Any]]:
    assert artifact["type"] == "table"
    return list(json.loads(artifact["data"]))


REFUSED = {
    (): "there is no Prefect server to put a schedule on; start one with: prefect server start",
    ("--cron", "at two"): "schedule.cron: found 'at two'; it may be a cron line of five fields",
    ("--timezone", "Mars/Base"): "--timezone: no time zone 'Mars/Base'",
    ("--config", "no.toml"): "no config file 'no.toml'",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_served_is_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    bare = {name: value for name, value in os.environ.items() if name != "PREFECT_API_URL"}
    env = bare | {"PREFECT_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    ended = python("-c", MAIN, "serve", *words, env=env)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"pairset: {REFUSED[words]}")
    assert ended.stderr.count("\n") == 1


def test_a_server_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    env = {"PREFECT_HOME": str(tmp_path), "PREFECT_API_URL": "http://127.0.0.1:1/api"}
    ended = python("-c", MAIN, "serve", env=os.environ | env)
    assert ended.returncode == 2
    assert ended.stderr.startswith("pairset: no Prefect server answers at http://127.0.0.1:1/api")
    assert ended.stderr.count("\n") == 1


def test_every_stage_has_a_flow() -> None:
    names = [stage.name for stage in of_pairset().stages]
    assert list(FLOWS) == [*names, "scores", "manifest", "run"]
    assert [getattr(stage_flows, name).name for name in FLOWS] == list(FLOWS)


@pytest.mark.parametrize("name", ["sample", "Été 1", "a_b", "日本", "-x-"])
def test_an_artifacts_key_is_one_that_prefect_takes(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key(name, "labels"))
    assert key(name, "labels") != key(name + "!", "labels")
