"""A run that is killed goes on where it stopped, and ends with the same bytes."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.flows.helpers import contents, pairset, started, wait_for
from tests.flows.toy import tell


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("undisturbed")
    assert pairset("run", "--data", str(folder), "--direct").returncode == 0
    return contents(folder / "sample")


@pytest.mark.parametrize("stage", ["samples", "golds", "labels"])
def test_a_killed_run_goes_on(stage: str, tmp_path: Path, undisturbed: dict[str, str]) -> None:
    tell(tmp_path, seconds={f"{stage}/films": 600})
    killed = started("run", "--data", str(tmp_path), "--direct", "--workers", "2")
    wait_for(tmp_path, f"sample/{stage}/*/*.parquet", 3)
    killed.kill()
    killed.communicate()  # ends when its workers have ended too: they hold the other end
    tell(tmp_path)
    assert contents(tmp_path / "sample") != undisturbed
    again = pairset("run", "--data", str(tmp_path), "--direct", "--json")
    assert 0 < json.loads(again.stdout)["made"] < 12
    assert contents(tmp_path / "sample") == undisturbed


@pytest.mark.parametrize(("told", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_told_to_end_ends_quietly(told: int, code: int, tmp_path: Path) -> None:
    tell(tmp_path, seconds={"golds/films": 600})
    stopped = started("run", "--data", str(tmp_path), "--direct")
    wait_for(tmp_path, "sample/samples/*/*.parquet", 4)
    os.killpg(stopped.pid, told)
    err = stopped.communicate()[1]
    assert stopped.returncode == code
    assert [line for line in err.splitlines() if not line.startswith("samples: ")] == ["no prefect"]


def test_a_killed_worker_is_one_line(tmp_path: Path) -> None:
    tell(tmp_path, kills="golds/films")
    ended = pairset("run", "--data", str(tmp_path), "--direct")
    assert ended.returncode == 2
    assert [line for line in ended.stderr.splitlines() if line.startswith("pairset: a worker")]
    assert "Traceback" not in ended.stderr
    assert len(list(tmp_path.glob("sample/samples/*/*.parquet"))) == 4


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    pairset("run", "--data", str(tmp_path), "--direct")
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as out:
        ended = pairset("run", "--data", str(tmp_path), stdout=out)
    assert ended.stderr.splitlines()[1:] == ["no prefect"]
    assert ended.returncode == 141
