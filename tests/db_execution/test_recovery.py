"""Services and workers that go away in the middle of the work."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from db_execution.client import Client
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from db_execution.errors import Unreachable
from tests.db_execution.conftest import batch, query

# One opcode that takes seconds, in which no progress handler is called.
UNYIELDING = "SELECT instr(hex(zeroblob(4900000)) || 'b', substr(hex(zeroblob(2400000)), 2) || 'c')"
NUMBERS = [f"SELECT {number} FROM t LIMIT 1" for number in range(3_000)]


def workers(executor: Embedded) -> list[int]:
    pids: list[int] = httpx.get(f"{executor.url}/healthz/ready").json()["workers"]
    return pids


def is_alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "State:\tZ" not in status.read_text()


def gone(pids: list[int], *, within: float) -> bool:
    until = time.monotonic() + within
    while any(map(is_alive, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(is_alive, pids))


def test_a_query_that_does_not_yield_is_a_timeout_and_others_notice_nothing(client: Client) -> None:
    slow = batch("SELECT 1", UNYIELDING, "SELECT 2", timeout_ms=500)
    answers: list[str] = []
    thread = threading.Thread(target=lambda: answers.extend(a.status for a in client.batch(slow)))
    thread.start()
    while thread.is_alive():
        assert client.execute(query("SELECT count(*) FROM t")).rows == ((200,),)
    assert answers == ["ok", "timeout", "ok"]


def test_a_timeout_by_wall_time_is_flagged(client: Client) -> None:
    answer = client.execute(query(UNYIELDING, timeout_ms=300))
    assert (answer.status, answer.error_class, answer.flags) == (
        "timeout",
        "wall_time",
        ("wall_time",),
    )


def test_a_service_that_restarts_loses_no_query_and_repeats_none(tree: Path) -> None:
    with Embedded([f"original={tree}"]) as first:
        port = urlsplit(first.url).port or 0
        with Client([Endpoint(first.url, "original")], retry_for=30) as client:
            answers = client.batch(batch(*NUMBERS))
            seen = [next(answers).rows for _ in range(500)]
            first.stop()
            with Embedded([f"original={tree}"], port=port):
                seen += [answer.rows for answer in answers]
    assert seen == [((number,),) for number in range(3_000)]


def test_a_service_that_is_killed_loses_no_query_and_repeats_none(tree: Path) -> None:
    with Embedded([f"original={tree}"]) as first:
        port = urlsplit(first.url).port or 0
        with Client([Endpoint(first.url, "original")], retry_for=30) as client:
            answers = client.batch(batch(*NUMBERS))
            seen = [next(answers).rows for _ in range(500)]
            os.kill(first.pid, signal.SIGKILL)
            with Embedded([f"original={tree}"], port=port):
                seen += [answer.rows for answer in answers]
    assert seen == [((number,),) for number in range(3_000)]


def test_a_worker_that_is_killed_loses_no_query(executor: Embedded, client: Client) -> None:
    answers = client.batch(batch(*NUMBERS))
    seen = [next(answers).rows]
    for pid in workers(executor):
        os.kill(pid, signal.SIGKILL)
    seen += [answer.rows for answer in answers]
    assert seen == [((number,),) for number in range(3_000)]


def parent_of(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("PPid"))


def test_where_workers_come_from_may_be_killed_with_them(tree: Path) -> None:
    with Embedded([f"original={tree}"]) as executor:
        [worker] = workers(executor)
        for pid in (parent_of(worker), worker):
            os.kill(pid, signal.SIGKILL)
        with Client([Endpoint(executor.url, "original")]) as client:
            assert client.execute(query("SELECT 1")).rows == ((1,),)


def test_nobody_there_is_one_clear_line() -> None:
    client = Client([Endpoint("http://127.0.0.1:9", "original")], retry_for=0.2)
    with client, pytest.raises(Unreachable, match=r"no answer from .* for 0 s .*start"):
        client.execute(query("SELECT 1"))


PARENT = """
import sys, time
from db_execution.embed import Embedded
with Embedded([sys.argv[1]]) as executor:
    print(executor.url, executor.pid, flush=True)
    time.sleep(60)
"""


def test_the_service_dies_with_its_parent(tree: Path) -> None:
    command = [sys.executable, "-c", PARENT, f"original={tree}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        url, pid = parent.stdout.readline().split()
        pids = [int(pid), *httpx.get(f"{url}/healthz/ready").json()["workers"]]
        parent.kill()
    assert gone(pids, within=10)


@pytest.mark.parametrize(
    "queries", [NUMBERS, [UNYIELDING]], ids=["many", "one that does not yield"]
)
def test_workers_die_with_the_service(tree: Path, queries: list[str]) -> None:
    with Embedded([f"original={tree}"], workers=2) as executor:
        pids = workers(executor)
        pids.append(parent_of(pids[0]))
        asked = {"dataset_name": "small", "db_id": "hostile", "queries": queries}
        with httpx.stream("POST", f"{executor.url}/execute/batch", json=asked):
            time.sleep(0.1)
            os.kill(executor.pid, signal.SIGKILL)
            assert gone(pids, within=10)


def test_the_workers_of_a_service_come_out_of_one_nursery(tree: Path) -> None:
    with Embedded([f"original={tree}"], workers=2) as executor:
        nurseries = children(executor.pid)
        assert len(nurseries) == 1
        assert children(nurseries[0]) == workers(executor)
    assert gone(nurseries, within=10)


def children(pid: int) -> list[int]:
    return sorted(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
