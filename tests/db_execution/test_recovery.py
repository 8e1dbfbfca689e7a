"""Services and workers that go away in the middle of the work."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from subprocess import PIPE
from urllib.parse import urlsplit

import httpx
import pytest

from db_execution.client import Client
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from db_execution.errors import Unreachable
from db_execution.protocol import Answer
from tests.db_execution.conftest import batch, counted, query
from tests.waiting import until

# One opcode that takes many minutes, in which no progress handler is called.
UNYIELDING = "SELECT instr(hex(zeroblob(4900000)) || 'b', substr(hex(zeroblob(2400000)), 2) || 'c')"
COUNT = 1_500
# More bytes of answers than the service and the sockets hold: it cannot be ahead of its reader.
NUMBERS = [f"SELECT {number}, hex(zeroblob(8000)) FROM t LIMIT 1" for number in range(COUNT)]
SLOW = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 50000) SELECT max(i) FROM n"


def workers(executor: Embedded) -> list[int]:
    pids: list[int] = httpx.get(f"{executor.url}/healthz/ready").json()["workers"]
    return pids


def is_alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "State:\tZ" not in status.read_text()


def wait_for_the_end_of(pids: list[int]) -> None:
    until(lambda: not any(map(is_alive, pids)))


def numbers(answers: Iterable[Answer]) -> list[object]:
    """The first cell of each answer."""
    return [answer.rows[0][0] if answer.rows else answer.status for answer in answers]


def test_a_query_that_does_not_yield_is_a_timeout_and_others_notice_nothing(client: Client) -> None:
    slow = batch("SELECT 1", UNYIELDING, "SELECT 2", timeout_ms=1_000)
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


def takes_queries(executor: Embedded) -> bool:
    try:
        return httpx.get(f"{executor.url}/healthz/ready").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_service_that_ends_and_comes_back_loses_no_query_and_repeats_none(
    tree: Path, how: int
) -> None:
    with Embedded([f"original={tree}"]) as first, ThreadPoolExecutor(1) as pool:
        port = urlsplit(first.url).port or 0
        with Client([Endpoint(first.url, "original")], retry_for=120) as client:
            answers = client.batch(batch(*NUMBERS))
            seen = numbers(islice(answers, 100))
            os.kill(first.pid, how)
            until(lambda: not takes_queries(first))
            others = pool.submit(numbers, answers)
            first.stop()
            with Embedded([f"original={tree}"], port=port) as second:
                seen += others.result()
                assert 0 < counted(second, "answers_total") <= COUNT - 100
    assert seen == list(range(COUNT))


def test_a_worker_that_is_killed_loses_no_query(executor: Embedded, client: Client) -> None:
    before = counted(executor, "answers_total")
    answers = client.batch(batch(*NUMBERS))
    seen = numbers(islice(answers, 1))
    for pid in workers(executor):
        os.kill(pid, signal.SIGKILL)
    assert counted(executor, "answers_total") - before < COUNT
    seen += numbers(answers)
    assert seen == list(range(COUNT))


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
import sys
from db_execution.embed import Embedded
with Embedded([sys.argv[1]]) as executor:
    print(executor.url, executor.pid, flush=True)
    sys.stdin.read()
"""


def test_the_service_dies_with_its_parent(tree: Path) -> None:
    command = [sys.executable, "-c", PARENT, f"original={tree}"]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as parent:
        assert parent.stdout is not None
        url, pid = parent.stdout.readline().split()
        pids = [int(pid), *httpx.get(f"{url}/healthz/ready").json()["workers"]]
        parent.kill()
    wait_for_the_end_of(pids)


@pytest.mark.parametrize(
    "queries", [[SLOW] * 3_000, [UNYIELDING]], ids=["many", "one that does not yield"]
)
def test_workers_die_with_the_service(tree: Path, queries: list[str]) -> None:
    with Embedded([f"original={tree}"], workers=2) as executor:
        pids = workers(executor)
        pids.append(parent_of(pids[0]))
        asked = {"dataset_name": "small", "db_id": "hostile", "queries": queries}
        with httpx.stream("POST", f"{executor.url}/execute/batch", json=asked):
            until(lambda: counted(executor, "workers_running"))
            os.kill(executor.pid, signal.SIGKILL)
            wait_for_the_end_of(pids)


def test_the_workers_of_a_service_come_out_of_one_nursery(tree: Path) -> None:
    with Embedded([f"original={tree}"], workers=2) as executor:
        nurseries = children(executor.pid)
        assert len(nurseries) == 1
        assert children(nurseries[0]) == workers(executor)
    wait_for_the_end_of(nurseries)


def children(pid: int) -> list[int]:
    return sorted(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
