"""Rows for the golds: for each gold, joined rows that its constants single out, or nearly."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pairset.fuzz.fill import Filling
from pairset.fuzz.literals import At, Bound, Wanted
from pairset.fuzz.model import Table, Tables
from pairset.fuzz.values import beside, fitting, satisfying

_EXACT = 0.7  # of the constants are met, the others missed by a little
_DUPLICATES = 0.15  # of the rows are another row over again, and as many all but one column of it


def place(filling: Filling, golds: Sequence[Wanted]) -> None:
    """Set values of some rows so that golds have an answer.

    Keys stay as they are and foreign keys lead to rows that are there: values are set in the other
    columns, in rows that the gold's own equalities join.
    """
    for gold in golds:
        rows = _joined(filling.tables, gold, filling.rng)
        for bound in gold.bounds:
            if bound.source in rows:
                _set(filling, bound, rows[bound.source])


def duplicate(tables: Tables, rng: Random) -> None:
    """Make some rows of each table the same as another but for keys, or but for one column."""
    for table in tables.values():
        free = [c for c in table.columns if not table.in_key(c)]
        if not free or table.rows < 2:
            continue
        groups = _groups(table, free)
        for row in range(table.rows):
            chance = rng.random()
            if chance < 2 * _DUPLICATES:
                other = rng.randrange(table.rows)
                spared = rng.choice(groups) if chance < _DUPLICATES else ()
                for column in free:
                    if column not in spared:
                        table.columns[column][row] = table.columns[column][other]


def _groups(table: Table, free: Sequence[str]) -> list[tuple[str, ...]]:
    """Columns that must be copied together: those of a foreign key, and every other alone."""
    bound = [r.own for r in table.references if all(c in free for c in r.own)]
    inside = {column for own in bound for column in own}
    return bound + [(column,) for column in free if column not in inside]


def _joined(tables: Tables, gold: Wanted, rng: Random) -> dict[int, int]:
    """A row for each use of a table in a gold, found along its equalities."""
    rows: dict[int, int] = {}
    waiting = [number for number, table in gold.sources.items() if tables[table].rows]
    rng.shuffle(waiting)
    while waiting:
        following = next(
            (n for n in waiting if any(_leads(e, n, rows) for e in gold.equal)), waiting[0]
        )
        waiting.remove(following)
        rows[following] = _row(tables, gold, following, rows, rng)
    return rows


def _leads(edge: tuple[tuple[int, At], tuple[int, At]], to: int, rows: dict[int, int]) -> bool:
    (left, _), (right, _) = edge
    return (left == to and right in rows) or (right == to and left in rows)


def _row(tables: Tables, gold: Wanted, number: int, rows: dict[int, int], rng: Random) -> int:
    """A row of a table that agrees with the rows chosen before; any row where there is none."""
    table = tables[gold.sources[number]]
    fit = list(range(table.rows))
    for left, right in gold.equal:
        mine, other = (left, right) if left[0] == number else (right, left)
        if mine[0] != number or other[0] not in rows:
            continue
        value = tables[other[1][0]].columns[other[1][1]][rows[other[0]]]
        column = table.columns[mine[1][1]]
        fit = [at for at in fit if value is not None and column[at] == value] or fit
    return rng.choice(fit)


def _set(filling: Filling, bound: Bound, row: int) -> None:
    """Put a constant, or what lies beside it, in a row's column, where that is free."""
    name, column = bound.column
    table, rng = filling.tables[name], filling.rng
    if row >= table.rows or table.in_key(column) or column not in table.free():
        return
    exact = rng.random() < _EXACT
    wanted = [satisfying(bound.value, bound.op)] if exact else list(beside(bound.value, bound.op))
    kind, originals = filling.kinds[name, column], filling.pools[name, column].of_originals
    fits = [cell for value in wanted for cell in fitting(value, kind, originals)]
    if fits:
        table.columns[column][row] = rng.choice(fits)
