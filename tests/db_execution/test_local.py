"""An executor inside this process answers as a service does, and leaves as little behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from subprocess import PIPE

import pytest

from bench.processes import descendants
from db_execution import local
from db_execution.client import Client
from db_execution.errors import BadTree, NoSuchDatabase, Refused, Unreachable
from db_execution.local import Local
from db_execution.protocol import Answer, Batch, Executor
from db_execution.service import cradle
from db_execution.writer import write_database
from tests.db_execution.conftest import batch, query
from tests.db_execution.hostile_inputs import INPUTS
from tests.db_execution.statements import Grammar
from tests.db_execution.test_recovery import (
    COUNT,
    NUMBERS,
    SLOW,
    UNYIELDING,
    children,
    numbers,
    wait_for_the_end_of,
)
from tests.waiting import until

FIXED = {"clock": "2026-01-01T00:00:00Z", "seed": 7, "max_vm_steps": 1_000_000}


@pytest.fixture(scope="module")
def inside(tree: Path) -> Iterator[Local]:
    with Local([f"original={tree}"], workers=2) as executor:
        yield executor


def workers(executor: Local) -> list[int]:
    """The processes that run queries, once they are there."""
    executor.execute(query("SELECT 1"))
    return executor.pids


def told(executor: Executor, asked: Batch) -> list[Answer]:
    """The answers, but for how long they took."""
    return [answer._replace(elapsed_ms=0.0) for answer in executor.batch(asked)]


@pytest.mark.parametrize("want", ["rows", "digest", "prepare"])
def test_its_answers_are_those_of_a_service(inside: Local, client: Client, want: str) -> None:
    harmless = [one.sql for one in INPUTS if one.expect in ("runs", "refused")]
    texts = [*Grammar(11).statements(300), *harmless, "\ud800", ""]
    asked = batch(*texts, want=want, **FIXED)
    assert told(inside, asked) == told(client, asked)


def test_so_are_those_of_a_private_copy(inside: Local, client: Client) -> None:
    writes = ["DELETE FROM t RETURNING id", "SELECT count(*) FROM t", "DROP TABLE t", "SELECT 1"]
    asked = batch(*writes, mode="sandbox_rollback", **FIXED)
    assert told(inside, asked) == told(client, asked)


def test_a_long_answer_and_a_long_batch_come_whole(inside: Local) -> None:
    assert numbers(inside.batch(batch(*NUMBERS))) == list(range(COUNT))
    assert list(inside.batch(batch())) == []


def test_who_reads_no_further_holds_nobody_up(inside: Local) -> None:
    answers = inside.batch(batch(*NUMBERS))
    assert numbers(islice(answers, 1)) == [0]
    assert inside.execute(query("SELECT count(*) FROM t")).rows == ((200,),)
    answers.close()  # type: ignore[attr-defined]
    assert inside.execute(query("SELECT 2")).rows == ((2,),)


def test_many_threads_may_ask_at_once(inside: Local) -> None:
    with ThreadPoolExecutor(16) as pool:
        found = pool.map(lambda n: inside.execute(query(f"SELECT {n}")).rows, range(200))
        assert list(found) == [((n,),) for n in range(200)]


def test_what_cannot_be_asked_is_told_why(inside: Local, tmp_path: Path) -> None:
    with pytest.raises(NoSuchDatabase, match="no database 'gone'"):
        inside.execute(query("SELECT 1", db_id="gone"))
    with pytest.raises(NoSuchDatabase, match="no tree 'gone'"):
        inside.execute(query("SELECT 1", tree="gone"))
    with pytest.raises(Refused, match=r"timeout_ms: expected an integer from 1 to 600000"):
        inside.execute(query("SELECT 1", timeout_ms=10**9))
    (tmp_path / "no").mkdir()
    (tmp_path / "no" / "no.sqlite").write_text("this is no database" * 100)
    with Local([f"original={tmp_path}"]) as other, pytest.raises(BadTree, match="not a database"):
        other.execute(query("SELECT 1", db_id="no"))


@pytest.mark.parametrize("name", ["a%41", "a?mode=rw", "a#b", "ä é", "a'b\"c", ":memory:", "-"])
def test_a_database_may_have_a_strange_name(tmp_path: Path, name: str) -> None:
    write_database(
        tmp_path / name / f"{name}.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (7)"
    )
    with Local([f"original={tmp_path}"]) as executor:
        assert executor.execute(query("SELECT a FROM t", db_id=name)).rows == ((7,),)
        copied = query("DELETE FROM t RETURNING a", db_id=name, mode="sandbox_rollback")
        assert executor.execute(copied).rows == ((7,),)


def test_a_killed_worker_loses_no_query_here_either(tree: Path) -> None:
    with Local([f"original={tree}"], workers=2) as executor:
        before = workers(executor)
        answers = executor.batch(batch(*NUMBERS))
        seen = numbers(islice(answers, 1))
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        assert seen + numbers(answers) == list(range(COUNT))
        assert set(workers(executor)) - set(before)


def test_a_query_that_does_not_yield_costs_a_worker(inside: Local) -> None:
    slow = batch("SELECT 1", UNYIELDING, "SELECT 2", timeout_ms=1_000)
    assert [answer.status for answer in inside.batch(slow)] == ["ok", "timeout", "ok"]


def test_whoever_waits_when_it_ends_is_told(tree: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        with Local([f"original={tree}"]) as executor:
            [worker] = workers(executor)
            asked = pool.submit(numbers, executor.batch(batch(*[SLOW] * 3_000)))
            until(lambda: executor.running)
        with pytest.raises(Unreachable, match="is not running"):
            asked.result()
    with pytest.raises(Unreachable, match="is not running"):
        executor.execute(query("SELECT 1"))
    executor.stop()  # once more is nothing
    wait_for_the_end_of([worker])


def test_it_leaves_no_process_and_gives_turns_back(tree: Path) -> None:
    own, turns = set(descendants(os.getpid())), sys.getswitchinterval()
    sys.setswitchinterval(0.005)
    with Local([f"original={tree}"], workers=2):
        begun = set(descendants(os.getpid())) - own
        assert sys.getswitchinterval() < 0.001
    assert sys.getswitchinterval() == 0.005
    sys.setswitchinterval(turns)
    assert begun
    wait_for_the_end_of(list(begun))


def test_workers_that_do_not_start_are_one_clear_line(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cradle, "_command", lambda *_: ["false"])
    monkeypatch.setattr(local, "START_S", 0.3)
    with Local([f"original={tree}"]) as executor, pytest.raises(Unreachable, match="not start"):
        executor.execute(query("SELECT 1"))


PARENT = """
import sys
from db_execution.local import Local
from db_execution.protocol import Query
with Local([sys.argv[1]], workers=2) as executor:
    executor.execute(Query(dataset_name="small", db_id="hostile", sql="SELECT 1"))
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_its_processes_end_with_the_one_that_asks(tree: Path) -> None:
    command = [sys.executable, "-c", PARENT, f"original={tree}"]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        [nursery] = children(parent.pid)
        pids = [nursery, *children(nursery)]
        assert len(pids) == 3
        parent.kill()
    wait_for_the_end_of(pids)
