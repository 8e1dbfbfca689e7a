"""Kept answers: the same bytes, for the same question alone, within their bounds, or not at all."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from db_execution.embed import Embedded
from db_execution.frames import OUTCOMES
from db_execution.service import segments
from db_execution.service.cache import FILES, AnswerCache
from db_execution.writer import write_database

OK = OUTCOMES.index(("ok", ""))
MIB = 1024 * 1024


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def filled(cache: AnswerCache, numbers: range, size: int = 50) -> None:
    cache.put((key(number), OK, b"%d " % number + b"x" * size) for number in numbers)


def counted(url: str) -> dict[str, int]:
    lines = httpx.get(f"{url}/metrics").text.splitlines()
    pairs = [line.split(" ") for line in lines if line.startswith("db_execution_cache_")]
    return {name.removeprefix("db_execution_cache_"): int(value) for name, value in pairs}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_database(
        tmp_path / "tree" / "d" / "d.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)"
    )
    return tmp_path


@pytest.fixture
def service(root: Path) -> Iterator[Embedded]:
    with Embedded([f"original={root / 'tree'}"], cache=root / "cache", cache_mib=1) as executor:
        yield executor


def asked(service: Embedded, sql: str, **terms: Any) -> httpx.Response:
    body = {"dataset_name": "x", "db_id": "d", "sql": sql} | terms
    return httpx.post(f"{service.url}/execute", json=body)


def batch(service: Embedded, *queries: str, **terms: Any) -> list[bytes]:
    body = {"dataset_name": "x", "db_id": "d", "queries": queries, "want": "digest"} | terms
    return httpx.post(f"{service.url}/execute/batch", json=body).content.split(b"\n")[:-1]


def test_what_is_kept_is_the_very_bytes(service: Embedded) -> None:
    for sql in ("SELECT a FROM t", "SELECT absent FROM t", "DELETE FROM t", "SELECT 1e999, x'ff'"):
        first, again = asked(service, sql), asked(service, sql)
        assert first.content == again.content
    assert (counted(service.url)["hits_total"], counted(service.url)["misses_total"]) == (4, 4)


def test_kept_and_new_answers_come_in_the_order_asked(service: Embedded) -> None:
    first = batch(service, "SELECT 3", "SELECT 1", "SELECT 1, 2")
    again = batch(
        service, "SELECT 0", "SELECT 1", "SELECT 2", "SELECT 3", "SELECT 1, 2", "SELECT 4"
    )
    assert (again[1], again[3], again[4]) == (first[1], first[0], first[2])
    assert [json.loads(line)["columns"] for line in again] == [
        ["0"], ["1"], ["2"], ["3"], ["1", "2"], ["4"],
    ]  # fmt: skip
    assert counted(service.url)["hits_total"] == 3


def test_a_batch_of_kept_answers_alone_is_answered(service: Embedded) -> None:
    first = batch(service, "SELECT 1", "SELECT 2")
    assert batch(service, "SELECT 2", "SELECT 1", "SELECT 2") == [first[1], first[0], first[1]]


@pytest.mark.parametrize(
    "other",
    [
        {"max_rows": 1},
        {"max_vm_steps": 999_999},
        {"timeout_ms": 1_000},
        {"want": "digest"},
        {"want": "prepare"},
        {"clock": "2020-01-01"},
        {"seed": 1},
        {"rows_as": "arrays"},
    ],
    ids=str,
)
def test_another_term_is_another_question(service: Embedded, other: dict[str, Any]) -> None:
    asked(service, "SELECT a FROM t")
    before = counted(service.url)["hits_total"]
    asked(service, "SELECT a FROM t", **other)
    asked(service, "SELECT a FROM  t")
    assert counted(service.url)["hits_total"] == before


def test_another_byte_in_the_database_is_another_question(service: Embedded, root: Path) -> None:
    first = asked(service, "SELECT sum(a) AS s FROM t").json()
    with sqlite3.connect(root / "tree" / "d" / "d.sqlite") as connection:
        connection.execute("UPDATE t SET a = 5 WHERE a = 2")
    connection.close()
    second = asked(service, "SELECT sum(a) AS s FROM t").json()
    assert (first["rows"], second["rows"]) == ([{"s": 3}], [{"s": 6}])
    assert first["database_sha256"] != second["database_sha256"]
    assert counted(service.url)["hits_total"] == 0


@pytest.mark.parametrize(
    "sql", ["SELECT random()", "SELECT date('now')", "SELECT hex(randomblob(4))"]
)
def test_chance_and_the_time_of_day_are_not_kept(service: Embedded, sql: str) -> None:
    asked(service, sql)
    asked(service, sql)
    assert counted(service.url)["hits_total"] == 0
    fixed = {"clock": "2020-01-01", "seed": 5}
    assert asked(service, sql, **fixed).content == asked(service, sql, **fixed).content
    assert counted(service.url)["hits_total"] == 1


def test_chance_that_a_view_hides_is_not_kept(service: Embedded, root: Path) -> None:
    write_database(
        root / "tree" / "v" / "v.sqlite", "CREATE VIEW w AS SELECT julianday('now') AS j"
    )
    for _ in range(2):
        asked(service, "SELECT j FROM w", db_id="v")
    assert counted(service.url)["hits_total"] == 0


def test_what_load_decided_is_not_kept_and_what_steps_decided_is(service: Embedded) -> None:
    endless = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT 1 FROM n) SELECT sum(i) FROM n"
    for terms, hits in (({"timeout_ms": 60}, 0), ({"max_vm_steps": 50_000}, 1)):
        for _ in range(2):
            assert asked(service, endless, **terms).json()["status"] == "timeout"
        assert counted(service.url)["hits_total"] == hits


def test_writes_to_a_copy_are_not_kept(service: Embedded) -> None:
    for _ in range(2):
        asked(service, "SELECT 1", mode="sandbox_rollback")
    assert counted(service.url)["hits_total"] == counted(service.url)["misses_total"] == 0


def test_a_restart_forgets_nothing(service: Embedded, root: Path) -> None:
    first = asked(service, "SELECT a FROM t")
    service.stop()
    with Embedded([f"original={root / 'tree'}"], cache=root / "cache") as second:
        assert asked(second, "SELECT a FROM t").content == first.content
        assert counted(second.url)["hits_total"] == 1


def test_without_a_folder_no_file_is_written(root: Path) -> None:
    before = sorted(root.rglob("*"))
    with Embedded([f"original={root / 'tree'}"]) as executor:
        asked(executor, "SELECT 1")
    assert sorted(root.rglob("*")) == before


@pytest.mark.parametrize("at", [0, 5, 40, 44, 60, -1])
def test_a_changed_byte_is_noticed_and_its_file_dropped(tmp_path: Path, at: int) -> None:
    cache = AnswerCache(tmp_path, MIB)
    filled(cache, range(1))
    [path] = segments.files(tmp_path)
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    assert cache.get(key(0)) is None
    assert (cache.dropped, cache.hits) == (1, 0)
    assert segments.files(tmp_path) == []
    filled(AnswerCache(tmp_path, MIB), range(1))
    assert AnswerCache(tmp_path, MIB).get(key(0)) == (OK, b"0 " + b"x" * 50)


@pytest.mark.parametrize("lost", [1, 30, 80, 100])
def test_a_torn_end_costs_the_last_entry_alone(tmp_path: Path, lost: int) -> None:
    filled(AnswerCache(tmp_path, MIB), range(3))
    [path] = segments.files(tmp_path)
    os.truncate(path, path.stat().st_size - lost)
    again = AnswerCache(tmp_path, MIB)
    assert [again.get(key(n)) is not None for n in range(3)] == [True, True, False]


def test_it_stays_within_its_bytes_and_forgets_the_oldest(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path, MIB)
    for number in range(3_000):
        filled(cache, range(number, number + 1), size=1_000)
        assert number % 100 or cache.size <= MIB
    assert cache.size <= MIB
    assert cache.evictions > 0
    assert cache.get(key(2_999)) is not None
    assert cache.get(key(0)) is None


def test_an_answer_larger_than_a_file_is_not_kept(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path, MIB)
    filled(cache, range(1), size=MIB // FILES)
    assert cache.get(key(0)) is None
    assert cache.size == 0


def test_what_another_process_keeps_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db_execution.service.cache.LOOK_S", 0.0)
    one, other = AnswerCache(tmp_path, MIB), AnswerCache(tmp_path, MIB)
    filled(one, range(2))
    assert other.get(key(1)) == (OK, b"1 " + b"x" * 50)
    filled(one, range(2, 4))
    assert other.get(key(3)) is not None


WRITER = """
import sys
from pathlib import Path
from tests.db_execution.test_cache import MIB, AnswerCache, filled, key
cache = AnswerCache(Path(sys.argv[1]), MIB)
first = int(sys.argv[2])
for start in range(first, first + 4_000, 50):
    filled(cache, range(start, start + 50), size=500)
    for number in range(first, start + 50, 37):
        found = cache.get(key(number))
        assert found is None or found[1] == b"%d " % number + b"x" * 500
assert cache.failures == 0
"""


def test_many_writers_at_once_spoil_nothing_and_stay_within_the_bytes(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [subprocess.Popen([*command, str(first)]) for first in (0, 0, 2_000, 10_000)]
    assert [writer.wait(120) for writer in writers] == [0] * 4
    cache = AnswerCache(tmp_path, MIB)
    assert cache.size <= MIB
    found = {n: cache.get(key(n)) for n in (*range(6_000), *range(10_000, 14_000))}
    kept = {number: entry for number, entry in found.items() if entry is not None}
    assert len(kept) > 300
    assert cache.dropped == 0
    assert all(entry[1].startswith(b"%d x" % number) for number, entry in kept.items())


def test_a_full_disk_keeps_nothing_and_fails_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = AnswerCache(tmp_path, MIB)
    filled(cache, range(1))
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:30]))
    filled(cache, range(1, 3))
    monkeypatch.undo()
    assert cache.failures == 1
    assert (cache.get(key(0)), cache.get(key(1))) == ((OK, b"0 " + b"x" * 50), None)
    filled(cache, range(3, 4))
    assert cache.get(key(3)) is None  # it pauses
    assert AnswerCache(tmp_path, MIB).get(key(0)) is not None


def test_a_folder_that_is_gone_fails_nobody(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "kept", MIB)
    filled(cache, range(1))
    for path in (*segments.files(tmp_path / "kept"), tmp_path / "kept" / "lock"):
        path.unlink()
    (tmp_path / "kept").rmdir()
    assert cache.get(key(0)) is None
    filled(cache, range(1, 2))
    assert cache.get(key(1)) is None
