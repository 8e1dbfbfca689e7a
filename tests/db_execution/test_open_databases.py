"""Which databases a worker keeps open."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from db_execution import worker as workers
from db_execution.sandbox import GENERAL
from db_execution.worker import Worker
from db_execution.writer import write_database


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    """A worker in a process in which nobody else holds a database."""
    monkeypatch.setattr(workers, "memory_used", lambda: 0)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Worker(ours, GENERAL)


def opened(worker: Worker, folder: Path, name: str) -> object:
    path = folder / f"{name}.sqlite"
    if not path.exists():
        write_database(path, "CREATE TABLE t(a); INSERT INTO t VALUES (1);")
    work: dict[str, Any] = {"path": str(path), "sha256": name, "stamp": (1, 2, 3, 4)}
    return worker._opened(work)


def test_a_database_stays_open(worker: Worker, tmp_path: Path) -> None:
    first = opened(worker, tmp_path, "one")
    opened(worker, tmp_path, "two")
    assert opened(worker, tmp_path, "one") is first


def test_the_one_asked_for_longest_ago_is_closed_where_there_are_many(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "OPEN_DATABASES", 2)
    first, second = (opened(worker, tmp_path, name) for name in ("one", "two"))
    assert opened(worker, tmp_path, "one") is first
    opened(worker, tmp_path, "three")
    assert opened(worker, tmp_path, "one") is first
    assert opened(worker, tmp_path, "two") is not second


def test_none_stays_open_beside_another_where_their_caches_are_large(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = GENERAL.heap_bytes // workers.CACHED_SHARE
    monkeypatch.setattr(workers, "memory_used", lambda: most + 1)
    first = opened(worker, tmp_path, "one")
    opened(worker, tmp_path, "two")
    assert opened(worker, tmp_path, "one") is not first
