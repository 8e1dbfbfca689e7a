"""How fast SQL runs: `python -m bench.execution --corpora DIR`, JSON lines, the summary last.

The golds and mutants of some Spider databases, asked for digests in batches, and beside that in the
same run, on the same queries: APSW in this process fetching the rows, one request a query, and the
loop of evaluation scripts, a new `sqlite3` connection for each query. A rate per core is queries by
processor time (user and system) of this process, the service and its worker together, the client's
reading of the answers included; the loops have this process alone. Each is the best of some rounds,
so a worker has met the rows before, as it has in a build, where neighbours answer with their
gold's. Then the memory of the service while it digests ten million rows, and what a cache of
answers saves.
"""

import argparse
import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

import apsw
import httpx

from bench.corpora import schemas_made, training_build
from bench.processes import cpu_seconds, peak_mib
from db_execution.client import Client
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from db_execution.limits import MIB
from db_execution.protocol import Batch, Query
from pairset.stages.golds import GoldsStage
from pairset.stages.pairs import PairsStage
from pairset.work import make

MUTANTS = """
[generators.mutants]
cap = 6
second_order = false
"""
STEPS = 3_000_000  # queries that take more are the engine's time alone, and tell nothing of ours
SINGLE = 10  # queries from one that is asked on its own to the next
ROUNDS = 3
LONG = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT {}) SELECT i FROM n"

Work = dict[str, list[str]]
"""Queries by database."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a way of asking took: wall and processor time, in seconds."""

    wall: float
    cpu: float


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(prog="python -m bench.execution", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with spider/, bird/")
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the long answer")
    asked = parser.parse_args(arguments)
    databases = asked.corpora.resolve() / "spider" / "database"
    for line in measured(asked.corpora, databases, asked.rows):
        print(json.dumps(line), flush=True)


def measured(corpora: Path, databases: Path, rows: int) -> Iterator[dict[str, object]]:
    """A line for each way of asking, and the summary."""
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        queries = _queries(corpora, Path(folder))
    with _executor(databases, workers=1) as (client, pids):
        work = _brief(client, queries)
        count = sum(map(len, work.values()))
        ways = _compared(client, pids, work, databases)
        single = sum(len(texts[::SINGLE]) for texts in work.values())
        asked = dict.fromkeys(ways, count) | {"single": single}
        for name, spent in ways.items():
            yield {"way": name, "queries": asked[name]} | _rates(asked[name], spent)
        peak = _long_answer(client, pids, rows)
    two = _on_two_cores(databases, work)
    yield _with_cache(databases, work)
    yield {
        "queries": count,
        "queries_per_second_per_core": round(count / ways["batch"].cpu),
        "ratio_to_in_process": round(ways["in_process"].cpu / ways["batch"].cpu, 2),
        "ratio_to_plain_loop": round(ways["plain_loop"].cpu / ways["batch"].cpu, 2),
        "ratio_to_plain_loop_on_two_cores": round(ways["plain_loop"].wall / two, 2),
        "ratio_to_single_requests": round(
            ways["single"].cpu / single / (ways["batch"].cpu / count), 2
        ),
        "rows": rows,
        "peak_mib": peak,
        "seconds": round(perf_counter() - began, 1),
    }


def _queries(corpora: Path, folder: Path) -> Work:
    """The golds of Spider, and some mutants of each, by database."""
    build = training_build(corpora, folder, more=MUTANTS)
    schemas_made(build)
    golds, pairs = GoldsStage(), PairsStage()
    found: Work = {}
    there = {path.name for path in (corpora / "spider" / "database").iterdir()}
    for unit in [unit for unit in golds.units(build) if unit.dataset == "spider"]:
        make(golds, build, [unit])
        make(pairs, build, [unit])
        texts = set(build.store.read("golds", *unit.place).column("gold_sql").to_pylist())
        texts |= set(build.store.read("pairs", *unit.place).column("neighbor_sql").to_pylist())
        if unit.db_id in there:
            found[unit.db_id] = sorted(texts)
    return found


@contextmanager
def _executor(
    databases: Path, *, workers: int, cache: Path | None = None
) -> Iterator[tuple[Client, list[int]]]:
    """A client of a service of our own, and the service's processes."""
    with Embedded([f"original={databases}"], workers=workers, cache=cache) as executor:
        ready = httpx.get(f"{executor.url}/healthz/ready").json()
        with Client([Endpoint(executor.url, "original")]) as client:
            yield client, [executor.pid, *ready["workers"]]


def _brief(client: Client, queries: Work) -> Work:
    """The queries that are answered within some steps."""
    kept: Work = {}
    for db_id, texts in queries.items():
        answers = client.batch(_batch(db_id, texts, max_vm_steps=STEPS))
        kept[db_id] = [
            sql for sql, answer in zip(texts, answers, strict=True) if answer.status == "ok"
        ]
    return kept


def _compared(client: Client, pids: list[int], work: Work, databases: Path) -> dict[str, Spent]:
    """Each way's best of some rounds, database by database, the ways taking turns."""
    ways: dict[str, Callable[[str, list[str]], None]] = {
        "batch": lambda db_id, texts: _batched(client, db_id, texts),
        "in_process": lambda db_id, texts: _in_process(_file(databases, db_id), texts),
        "plain_loop": lambda db_id, texts: _plain_loop(_file(databases, db_id), texts),
        "single": lambda db_id, texts: _one_by_one(client, db_id, texts),
    }
    total = dict.fromkeys(ways, Spent(0.0, 0.0))
    for group in _groups(work):
        best: dict[str, Spent] = {}
        for _ in range(ROUNDS):
            for name, way in ways.items():
                spent = _timed(way, group, pids)
                best[name] = min(best.get(name, spent), spent, key=lambda one: one.cpu)
        total = {n: Spent(total[n].wall + best[n].wall, total[n].cpu + best[n].cpu) for n in ways}
    return total


def _groups(work: Work) -> list[Work]:
    """Some databases at a time: the kernel counts processor time in hundredths of a second."""
    names = list(work)
    return [{name: work[name] for name in names[at : at + 12]} for at in range(0, len(names), 12)]


def _timed(way: Callable[[str, list[str]], None], work: Work, pids: list[int]) -> Spent:
    wall, own, others = perf_counter(), process_time(), cpu_seconds(pids)
    for db_id, texts in work.items():
        way(db_id, texts)
    cpu = process_time() - own + cpu_seconds(pids) - others
    return Spent(perf_counter() - wall, cpu)


def _batched(client: Client, db_id: str, texts: list[str]) -> None:
    for _ in client.batch(_batch(db_id, texts)):
        pass


def _in_process(path: Path, texts: list[str]) -> None:
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(f"file:{path}?immutable=1", flags=flags, statementcachesize=0)
    for sql in texts:
        connection.execute(sql).fetchall()
    connection.close()


def _plain_loop(path: Path, texts: list[str]) -> None:
    for sql in texts:
        connection = sqlite3.connect(path)
        connection.text_factory = bytes
        connection.execute(sql).fetchall()
        connection.close()


def _one_by_one(client: Client, db_id: str, texts: list[str]) -> None:
    for sql in texts[::SINGLE]:
        client.execute(Query(dataset_name="spider", db_id=db_id, sql=sql, want="digest"))


def _on_two_cores(databases: Path, work: Work) -> float:
    """Seconds that two workers and two clients take for all of it."""
    from concurrent.futures import ThreadPoolExecutor

    with _executor(databases, workers=2) as (client, _), ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda one: _batched(client, *one), work.items()))
        began = perf_counter()
        list(pool.map(lambda one: _batched(client, *one), work.items()))
        return perf_counter() - began


def _with_cache(databases: Path, work: Work) -> dict[str, object]:
    """What kept answers save: everything asked twice of a service that has a cache."""
    count = sum(map(len, work.values()))
    with (
        tempfile.TemporaryDirectory() as folder,
        _executor(databases, workers=1, cache=Path(folder)) as (client, pids),
    ):
        first, second = (
            _timed(lambda db_id, texts: _batched(client, db_id, texts), work, pids) for _ in "12"
        )
        counted = httpx.get(f"{client.urls[0]}/metrics").text.splitlines()
        found = {line.split()[0]: line.split()[-1] for line in counted}
        hits = int(found["db_execution_cache_hits_total"])
        kept_mib = int(found["db_execution_cache_bytes"]) / MIB
    return {
        "way": "batch_with_cache",
        "queries": count,
        "hit_rate": round(hits / count, 3),
        "kept_mib": round(kept_mib, 1),
        "queries_per_second_per_core_while_filling": round(count / first.cpu),
        "seconds_while_filling": round(first.wall, 2),
    } | _rates(count, second)


def _long_answer(client: Client, pids: list[int], rows: int) -> int:
    """The most that a process of the service held while it digested so many rows, in MiB."""
    asked = Query(dataset_name="spider", db_id="world_1", want="digest", sql=LONG.format(rows))
    answer = client.execute(asked)
    if answer.row_count != rows:
        raise SystemExit(f"the long answer was {answer.status}: {answer.error}")
    return max(map(peak_mib, pids))


def _batch(db_id: str, texts: list[str], max_vm_steps: int = 3_000_000_000) -> Batch:
    return Batch(
        dataset_name="spider",
        db_id=db_id,
        queries=tuple(texts),
        want="digest",
        max_vm_steps=max_vm_steps,
    )


def _file(databases: Path, db_id: str) -> Path:
    return databases / db_id / f"{db_id}.sqlite"


def _rates(count: int, spent: Spent) -> dict[str, object]:
    return {
        "seconds": round(spent.wall, 2),
        "cpu_seconds": round(spent.cpu, 2),
        "queries_per_second": round(count / spent.wall),
        "queries_per_second_per_core": round(count / spent.cpu),
    }


if __name__ == "__main__":
    main()
