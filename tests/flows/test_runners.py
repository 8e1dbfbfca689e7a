"""The task runner is a setting, and the tables are the same under all of them."""

import json
from pathlib import Path

import pytest

from db_execution.endpoints import Endpoint
from flows.errors import FlowError
from flows.request import Request
from flows.runners import RUNNERS, demand_runner, is_here, reachable
from pairset.build import Build
from pairset.config import Config, load_config
from tests.flows.helpers import contents, pairset, python
from tests.flows.toy import tell

flow = pytest.mark.flow
MAIN = "from flows.cli import main; main()"
FEW = "generators.mutants.cap = 3"  # of every gold: enough to see that nothing differs


def config_file(folder: Path, runner: str, **more: object) -> Path:
    keys = {"runner": runner, **more}
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    path = folder / "pairset.toml"
    path.write_text("\n".join(["workers = 2", FEW, "[executor]", *lines, ""]))
    return path


def config(folder: Path, runner: str, **more: object) -> Config:
    return load_config(config_file(folder, runner, **more), {})


@flow
def test_two_dask_workers_give_the_bytes_of_threads(
    tmp_path: Path, prefect: dict[str, str]
) -> None:
    path = str(config_file(tmp_path, "dask"))
    asked = ("run", "--config", path, "--json", "--data")
    direct = python("-c", MAIN, *asked, str(tmp_path / "threads"), "--direct")
    dask = python("-c", MAIN, *asked, str(tmp_path / "dask"), env=prefect)
    assert (direct.returncode, dask.returncode) == (0, 0), dask.stderr
    assert "distributed" not in dask.stderr  # Dask has much to say
    assert json.loads(dask.stdout)["made"] == json.loads(direct.stdout)["made"] > 20
    made = contents(tmp_path / "dask" / "sample")
    assert made == contents(tmp_path / "threads" / "sample")
    again = python("-c", MAIN, *asked, str(tmp_path / "dask"), "--direct")
    assert again.stderr.startswith("nothing to do"), again.stderr  # a path there is the path here


@flow
def test_processes_give_the_bytes_of_threads_after_one_was_killed(
    tmp_path: Path, prefect: dict[str, str]
) -> None:
    data = tmp_path / "apart"
    tell(data, kills="golds/films")
    asked = ("run", "--config", str(config_file(tmp_path, "processes")), "--data")
    killed = pairset(*asked, str(data), env=prefect)
    assert (killed.returncode, killed.stdout) == (2, "")
    assert "pairset: a worker was killed while it made golds" in killed.stderr
    assert "Traceback" not in killed.stderr
    assert len(list(data.glob("sample/samples/*/*.parquet"))) == 4
    tell(data)
    assert pairset(*asked, str(data), env=prefect).returncode == 0
    assert pairset(*asked, str(tmp_path / "threads"), "--direct").returncode == 0
    assert contents(data / "sample") == contents(tmp_path / "threads" / "sample")


REFUSED = {
    ("ray", None, None): "executor.runner is 'ray', which needs a package that is not installed: pip install prefect-ray",
    ("threads", "tcp://10.0.0.5:8786", None): "executor.cluster is set to 'tcp://10.0.0.5:8786', but executor.runner is 'threads'; it may be 'dask' or 'ray'",
    ("dask", "tcp://10.0.0.5:8786", None): "the cluster at tcp://10.0.0.5:8786 cannot reach an executor of this machine; name executors that it can reach in executor.endpoints",
    ("dask", "tcp://10.0.0.5:8786", "http://localhost:8080"): "the cluster at tcp://10.0.0.5:8786 cannot reach http://localhost:8080, which",
    ("dask", "tcp://10.0.0.5:8786", "http://10.0.0.9:8080"): "the cluster at tcp://10.0.0.5:8786 needs a Prefect server that it can reach",
}  # fmt: skip


@pytest.mark.parametrize(("runner", "cluster", "url"), REFUSED)
def test_a_runner_that_cannot_do_it_is_refused_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    runner: str,
    cluster: str | None,
    url: str | None,
) -> None:
    monkeypatch.setattr("flows.runners.has_package", lambda name: name == "prefect_dask")
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:4200/api")
    more = {} if cluster is None else {"cluster": cluster}
    if url is not None:
        more["endpoints"] = str(tmp_path / "endpoints.json")
        Path(more["endpoints"]).write_text(json.dumps([{"tree": "original", "url": url}]))
    with pytest.raises(FlowError) as refused:
        demand_runner(config(tmp_path, runner, **more))
    assert str(refused.value).startswith(REFUSED[runner, cluster, url])


def test_a_cluster_that_reaches_all_it_needs_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "http://10.0.0.2:4200/api")
    path = tmp_path / "endpoints.json"
    path.write_text(json.dumps([{"tree": "original", "url": "http://10.0.0.9:8080"}]))
    demand_runner(config(tmp_path, "dask", cluster="tcp://10.0.0.5:8786", endpoints=str(path)))


def test_a_cluster_is_told_no_address_of_this_machine(tmp_path: Path) -> None:
    endpoints = (
        Endpoint("http://10.0.0.9:8080", "original"),
        Endpoint("http://127.0.0.1:1", "schema"),
    )
    there = Build(config(tmp_path, "dask", cluster="tcp://10.0.0.5:8786"), tmp_path, endpoints)
    assert reachable(there).endpoints == endpoints[:1]
    here = Build(config(tmp_path, "dask", cluster="tcp://127.0.0.1:8786"), tmp_path, endpoints)
    assert reachable(here).endpoints == endpoints


def test_a_runner_that_is_not_installed_writes_nothing(tmp_path: Path) -> None:
    path = str(config_file(tmp_path, "ray"))
    ended = pairset("run", "--config", path, "--data", str(tmp_path / "data"))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[0].endswith("pip install prefect-ray")
    assert not (tmp_path / "data").exists()


def test_a_variable_chooses_the_runner() -> None:
    assert load_config(None, {"PAIRSET_EXECUTOR__RUNNER": "dask"}).executor.runner == "dask"
    assert Request().build().config.executor.runner == "threads"


def test_every_runner_of_the_config_is_there() -> None:
    annotation = type(Request().build().config.executor).model_fields["runner"].annotation
    assert set(RUNNERS) == set(annotation.__args__)  # type: ignore[union-attr]


@pytest.mark.parametrize("here", ["tcp://127.0.0.1:8786", "[::1]:8786", "ray://localhost:10001"])
def test_a_loopback_address_is_here(here: str) -> None:
    assert is_here(here)


@pytest.mark.parametrize("there", ["tcp://10.0.0.5:8786", "10.0.0.5:8786", "tls://dask.lab:8786"])
def test_any_other_address_is_not(there: str) -> None:
    assert not is_here(there)
