"""``pairset investigation serve`` as it is typed, and OpenEnv's own validator."""

import json
import os
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from stat import S_IMODE
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from openenv.cli.__main__ import app
from openenv.validation.graders.runtime.basic import (
    ObservationSchemaGrader,
    RewardWellFormedGrader,
    StateContractGrader,
)
from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser
from openenv.validation.runtime.collector import collect_runtime_evidence
from openenv.validation.runtime.contracts import RuntimePlan
from typer.testing import CliRunner

from bench.episodes import PLAYED, graded, paced
from bench.sessions import Socket, serving_command
from flows.cli.app import run
from investigation.address import TOKEN_VARIABLE
from investigation.families import FAMILIES, draw
from investigation.openenv.adapter import NAME
from investigation.openenv.oracle import main as oracle
from pairset import __version__
from tests.shared_data import ROOT

PACKAGE = ROOT / "investigation" / "openenv"
CRITERIA = 6


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("journal") / "journal.jsonl"


@pytest.fixture(scope="module")
def url(journal: Path) -> Iterator[str]:
    words = ("--journal", str(journal), "--siblings")
    settings = os.environ | {"PYTHONPATH": str(ROOT)}
    with serving_command(*words, cwd=journal.parent, env=settings) as (address, _):
        yield address
    assert list(journal.parent.iterdir()) == [journal]


def openenv(*words: str) -> Any:
    """What OpenEnv's own command says, and its exit code."""
    return CliRunner().invoke(app, [*words])


def test_the_validator_passes_a_running_server(url: str) -> None:
    done = openenv("validate", "--url", url, "--json", "--timeout", "30")
    report = json.loads(done.stdout)
    assert [one["id"] for one in report["criteria"] if not one["passed"]] == []
    assert (report["passed"], len(report["criteria"]), done.exit_code) == (True, CRITERIA, 0)


def test_the_validator_passes_the_package() -> None:
    done = openenv("validate", str(PACKAGE), "--level", "static", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["verdict"] == "pass"


def test_the_oracle_earns_one_in_every_family(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert oracle([url]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{family} 1" for family in FAMILIES]


def test_the_journal_is_for_the_operator_alone(url: str, journal: Path) -> None:
    with Socket(url) as socket:
        socket.reset(seed=9, family="signup_cohorts", episode_id="kept")
        socket.step("submit", draw("signup_cohorts", 9).oracle_sql)
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    ours = [facts for facts in lines if facts["episode"] == "kept"]
    assert [facts["event"] for facts in ours] == ["reset", "action", "end"]
    assert (ours[-1]["reason"], ours[-1]["right_on_sibling"], ours[-1]["seed"]) == (
        "correct",
        True,
        9,
    )
    assert S_IMODE(journal.stat().st_mode) == 0o600


def test_sessions_at_once_play_without_an_error(url: str) -> None:
    found = paced(url, 16, 2.0)
    assert (found["failed"], found["errors"]) == (0, {})
    assert found["steps"] >= 16 * len(PLAYED)


def test_a_few_seeds_are_graded_as_they_should_be(url: str) -> None:
    found = graded(url, 1)
    assert (found["failed"], found["oracle"], found["finish"]) == (0, len(FAMILIES), len(FAMILIES))
    assert found["trap"] == sum(len(draw(family, 0).traps) for family in FAMILIES)


def test_the_example_on_the_page_runs(url: str) -> None:
    page = (ROOT / "investigation" / "README.md").read_text()
    [example] = re.findall(r"```python\n(from investigation.openenv.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(example.replace("http://127.0.0.1:8000", url), names)
    assert names["seen"].observation.columns == ["count(*)"]
    assert (names["end"].done, names["end"].reward) == (True, 0.0)


@pytest.mark.parametrize(
    "grader", [RewardWellFormedGrader, ObservationSchemaGrader, StateContractGrader]
)
def test_the_runtime_graders_pass_what_the_probe_sees(url: str, grader: Any) -> None:
    plan = RuntimePlan.model_validate_json((PACKAGE / "validation" / "runtime.json").read_text())
    evidence = collect_runtime_evidence(url, plan, episode_timeout_s=60)
    manifest = OpenEnvYamlParser().parse(PACKAGE)
    subject = SimpleNamespace(runtime_evidence=evidence, manifest=manifest, runtime_plan=plan)
    assert evidence.failure_reason is None
    assert len(evidence.exchanges) == 2 + 2 * len(plan.actions)
    result = grader().run(subject)
    assert result.status.value == "pass", result.evidence


def test_the_manifest_says_what_is_there() -> None:
    manifest = yaml.safe_load((PACKAGE / "openenv.yaml").read_text())
    validation = manifest["validation"]
    assert (manifest["name"], manifest["version"]) == (NAME, __version__)
    assert set(validation["capabilities"]["declared_task_count"].values()) == {len(FAMILIES)}
    named = [validation["execution"][key] for key in ("probe_path", "dockerfile")]
    for path in (*named, validation["capabilities"]["oracle"]["location"]):
        assert (PACKAGE / path).is_file()


def test_what_the_package_needs_goes_into_the_wheel() -> None:
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    shipped = setup["package-data"]["investigation.openenv"]
    files = [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*") if path.is_file()]
    others = [str(path) for path in files if path.suffix not in (".py", ".pyc", ".whl")]
    assert len(others) == 3
    assert [path for path in others if not any(fnmatch(path, pattern) for pattern in shipped)] == []


@pytest.mark.parametrize(
    ("words", "token", "said"),
    [
        (["--host", "0.0.0.0"], "x", "--allow-remote"),
        (["--host", "0.0.0.0", "--allow-remote"], None, TOKEN_VARIABLE),
        (["--host", "0.0.0.0", "--no-token"], None, "--allow-remote"),
        (["--host", "192.0.2.1", "--allow-remote"], "x", "cannot listen"),
    ],
)
def test_strangers_are_not_let_in_by_mistake(
    words: list[str],
    token: str | None,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if token:
        monkeypatch.setenv(TOKEN_VARIABLE, token)
    assert run(["investigation", "serve", *words]) == 2
    heard = capsys.readouterr()
    assert heard.out == ""
    [line] = heard.err.splitlines()
    assert said in line
