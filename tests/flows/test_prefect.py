"""Under Prefect, really: a server of its own, flows and tasks."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from flows import prefect_home
from tests.flows.helpers import contents, pairset, python, started, wait_for
from tests.flows.toy import tell
from tests.waiting import until

flow = pytest.mark.flow


@pytest.fixture(scope="module")
def directly(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("directly")
    assert pairset("run", "--data", str(folder), "--direct").returncode == 0
    return contents(folder / "sample")


@flow
def test_prefect_gives_the_same_bytes(tmp_path: Path, directly: dict[str, str]) -> None:
    done = pairset("run", "--data", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == "imported prefect"
    assert contents(tmp_path / "sample") == directly


@flow
def test_a_failure_under_prefect_is_one_line(tmp_path: Path) -> None:
    tell(tmp_path, kills="golds/films")
    done = pairset("run", "--data", str(tmp_path))
    assert done.returncode == 2
    assert done.stdout == ""
    first, *lines = done.stderr.splitlines()
    assert first.startswith("starting Prefect")
    assert [line for line in lines if "made in" not in line] == [
        "pairset: a worker process was killed while it made golds (out of memory?); what was made is "
        "kept: run the same command again, with fewer --workers if need be",
        "imported prefect",
    ]


@flow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_nothing_outlives_a_killed_run(tmp_path: Path, directly: dict[str, str]) -> None:
    tell(tmp_path, seconds={"golds/films": 600})
    killed = started("run", "--data", str(tmp_path), "--workers", "2")
    wait_for(tmp_path, "sample/golds/*/*.parquet", 3)
    family = list(descendants(killed.pid))
    killed.kill()
    killed.communicate()
    assert any("prefect_server" in words for _, words in family)
    for child, words in family:
        wait_for_end(child, words)
    tell(tmp_path)
    assert pairset("run", "--data", str(tmp_path), "--direct").returncode == 0
    assert contents(tmp_path / "sample") == directly


def test_a_user_with_a_server_keeps_it() -> None:
    assert prefect_home.has_server({"PREFECT_API_URL": "http://127.0.0.1:4200/api"})
    assert not prefect_home.has_server({})


def test_what_the_user_has_set_stays() -> None:
    environ = {"PREFECT_LOGGING_LEVEL": "INFO"}
    prefect_home.keep_quiet(environ)
    assert environ["PREFECT_LOGGING_LEVEL"] == "INFO"
    assert environ["PREFECT_SERVER_LOGGING_LEVEL"] == "CRITICAL"


def test_telemetry_is_off_unless_the_user_asks_for_it() -> None:
    names = "DO_NOT_TRACK", "PREFECT_SERVER_ANALYTICS_ENABLED"
    code = f"import os, flows; print([os.environ[name] for name in {names}])"
    bare = {name: value for name, value in os.environ.items() if name not in names}
    assert python("-c", code, env=bare).stdout == "['1', 'false']\n"
    assert python("-c", code, env=bare | {"DO_NOT_TRACK": "0"}).stdout == "['0', 'false']\n"


def descendants(process: int) -> Iterator[tuple[int, str]]:
    """Every process below that one, with its command line."""
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            yield child, words_of(child)
            yield from descendants(child)


def words_of(process: int) -> str:
    """The command line of a process; none where it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except FileNotFoundError:
        return ""


def wait_for_end(process: int, words: str) -> None:
    until(lambda: not words or words_of(process) != words)
