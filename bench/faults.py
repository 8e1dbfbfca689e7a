"""What a run survives: `python -m bench.faults`, a JSON line for each kind of fault.

The same queries are asked undisturbed, while workers are killed, while the service is killed and
started again, and while the disk that the service may write to is full. Each run must answer every
query exactly once and as the undisturbed one did, and so give the same labels. Exit 1 if it does
not.

The databases are made here. The disk is a tmpfs of one MiB, filled up, where one can be mounted;
elsewhere no file may grow (RLIMIT_FSIZE). Nothing is written there without a cache of answers, so
that run has one.
"""

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from bench.disturbances import FAULTS, SEED, Strikes
from db_execution.client import Client
from db_execution.endpoints import Endpoint
from db_execution.protocol import Answer, Batch
from db_execution.writer import write_database

DATABASES = 10
SCRIPT = """
CREATE TABLE item(id INTEGER PRIMARY KEY, kind INTEGER, name TEXT, price REAL);
WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 79)
INSERT INTO item SELECT i, i * 7 % {kinds}, 'name' || i % 13, i / 8.0 FROM n;
"""
FORMS = (
    "SELECT name FROM item WHERE kind = {a}",
    "SELECT name, price FROM item WHERE kind = {a} ORDER BY price DESC LIMIT {b}",
    "SELECT kind, count(*), sum(price) FROM item WHERE id > {a} GROUP BY kind",
    "SELECT DISTINCT name FROM item WHERE id % {b} = {a}",
    "SELECT avg(price) FROM item WHERE id BETWEEN {a} AND {b}",
    "SELECT absent FROM item WHERE id = {a}",
    "SELECT name FROM item a WHERE price > (SELECT avg(price) FROM item WHERE kind = a.kind) + {a}",
)

Queries = list[tuple[str, ...]]
Fact = tuple[str | int | None, ...]
"""What of an answer must be the same: all but how long it took."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with each fault; 1 if any run differs from the undisturbed one."""
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__)
    parser.add_argument("--queries", type=int, default=50_000, help="in each run (50,000)")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        lines = list(_printed(measured(Path(folder), asked.queries, asked.workers)))
    return 0 if all(line["same_as_undisturbed"] for line in lines) else 1


def _printed(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for line in lines:
        print(json.dumps(line), flush=True)
        yield line


def measured(folder: Path, count: int, workers: int) -> Iterator[dict[str, Any]]:
    """A line for the undisturbed run and for each kind of fault."""
    tree = folder / "tree"
    for number in range(DATABASES):
        path = tree / "d" / f"db{number}" / f"db{number}.sqlite"
        write_database(path, SCRIPT.format(kinds=5 + number))
    queries, before = made_queries(count), _bytes_of(tree)
    undisturbed: list[list[Fact]] = []
    for fault, disturbed in FAULTS.items():
        began = perf_counter()
        with disturbed(tree, folder, workers, count) as (service, facts, strikes):
            answers = _asked(service.url, queries, strikes)
        undisturbed = undisturbed or answers
        yield _line(fault, answers, undisturbed) | {
            **facts,
            "databases_unchanged": before == _bytes_of(tree),
            "seconds": round(perf_counter() - began, 1),
        }


def made_queries(count: int) -> Queries:
    """So many different queries, some of which fail, spread over the databases."""
    random, made = Random(SEED), list[list[str]]([] for _ in range(DATABASES))
    for number in range(count):
        form = FORMS[random.randrange(len(FORMS))]
        sql = form.format(a=random.randrange(9), b=random.randrange(9, 80))
        made[number % DATABASES].append(f"{sql} -- {number}")
    return [tuple(texts) for texts in made]


def _asked(url: str, queries: Queries, strikes: Strikes) -> list[list[Fact]]:
    """The answers of each database's queries, the databases side by side."""
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda one: _facts(url, strikes, *one), enumerate(queries)))


def _facts(url: str, strikes: Strikes, database: int, texts: tuple[str, ...]) -> list[Fact]:
    asked = Batch(dataset_name="d", db_id=f"db{database}", queries=texts, want="digest")
    facts = list[Fact]()
    with Client([Endpoint(url, "original")]) as client:
        for answer in client.batch(asked):
            facts.append(_fact(answer))
            strikes.answered()
    return facts


def _fact(answer: Answer) -> Fact:
    return (answer.status, answer.error_class, answer.row_count, *answer[7:11])


def labels(facts: list[Fact]) -> list[str]:
    """The label of each pair of neighbouring queries, the first taken as the gold."""
    return [_label(*pair) for pair in zip(facts[::2], facts[1::2], strict=False)]


def _label(gold: Fact, neighbor: Fact) -> str:
    if "ok" not in (gold[0], neighbor[0]):
        return "both_error"
    if gold[0] != "ok" or neighbor[0] != "ok":
        return "gold_error" if gold[0] != "ok" else "neighbor_error"
    return "tied" if gold[4] == neighbor[4] else "separated"


def _line(fault: str, answers: list[list[Fact]], undisturbed: list[list[Fact]]) -> dict[str, Any]:
    found = [label for facts in answers for label in labels(facts)]
    wanted = [label for facts in undisturbed for label in labels(facts)]
    return {
        "fault": fault,
        "queries": sum(map(len, undisturbed)),
        "answers": sum(map(len, answers)),
        "tied": found.count("tied"),
        "separated": found.count("separated"),
        "same_labels": found == wanted,
        "same_as_undisturbed": answers == undisturbed,
    }


def _bytes_of(tree: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(tree.rglob("*")):
        total.update(str(path.relative_to(tree)).encode())
        total.update(path.read_bytes() if path.is_file() else b"")
    return total.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
