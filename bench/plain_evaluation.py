"""Evaluation as scripts do it: a new connection for every query, one task after the other.

Written from the published rules of BIRD and of Spider's test suite, over Python's own driver. It is
the baseline of `bench.evaluation`, and what our readings of those names are held against.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

Rows = list[tuple[Any, ...]]
STEPS = 1_000_000
PATIENCE = 300
"""A query is given up after so many times so many steps: some predictions never end."""


def rows(path: Path, sql: str, *, lenient: bool = False) -> tuple[Rows, int] | None:
    """The rows of a query and how many columns they have; None where it fails."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    ticks = iter(range(PATIENCE))
    connection.set_progress_handler(lambda: next(ticks, None) is None, STEPS)
    if lenient:
        connection.text_factory = lambda data: data.decode(errors="ignore")
    try:
        cursor = connection.execute(sql)
        return cursor.fetchall(), len(cursor.description or ())
    except (sqlite3.Error, sqlite3.Warning, ValueError):
        return None
    finally:
        connection.close()


def bird(path: Path, gold: str, sql: str) -> bool:
    """``set(predicted) == set(gold)``."""
    one, other = rows(path, sql), rows(path, gold)
    return one is not None and other is not None and set(one[0]) == set(other[0])


def test_suite(path: Path, gold: str, sql: str) -> bool:
    """Equal as multisets under one order of columns; as lists where the gold says "order by"."""
    one, other = rows(path, sql, lenient=True), rows(path, gold, lenient=True)
    if one is None or other is None:
        return False
    return result_eq(other[0], one[0], order_matters="order by" in gold.lower())


def result_eq(gold: Rows, predicted: Rows, *, order_matters: bool) -> bool:
    """Whether some order of the predicted columns gives the gold's rows."""
    if not gold and not predicted:
        return True
    if len(gold) != len(predicted) or len(gold[0]) != len(predicted[0]):
        return False
    wanted = gold if order_matters else Counter(gold)
    for order in _orders(gold, predicted):
        found = [tuple(row[at] for at in order) for row in predicted]
        if (found if order_matters else Counter(found)) == wanted:
            return True
    return False


def _orders(gold: Rows, predicted: Rows) -> Iterator[tuple[int, ...]]:
    """Every order of the predicted columns in which each column has the gold column's values."""
    columns = [Counter(column) for column in zip(*predicted, strict=True)]
    fits = [
        [at for at, own in enumerate(columns) if own == Counter(column)]
        for column in zip(*gold, strict=True)
    ]
    yield from _chosen(fits, ())


def _chosen(fits: Sequence[Sequence[int]], chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(chosen) == len(fits):
        yield chosen
        return
    for at in fits[len(chosen)]:
        if at not in chosen:
            yield from _chosen(fits, (*chosen, at))


def loop(databases: Path, tasks: Iterable[tuple[str, str, str | None]]) -> list[bool | None]:
    """The loop over (database, gold, predicted): compares sets; None where there is no database."""
    return [
        bird(path, gold, sql or "") if (path := _file(databases, db_id)).exists() else None
        for db_id, gold, sql in tasks
    ]


def _file(databases: Path, db_id: str) -> Path:
    return databases / db_id / f"{db_id}.sqlite"
