"""``soft_f1``: BIRD's Soft-F1, which gives credit for the cells of a row that are right.

Repeated rows are dropped, and what is left is compared row by row in the order in which it came:
the same rows in another order are worth nothing.
"""

from collections.abc import Sequence

from benchmark.pairs import Pair
from benchmark.readings.common import Reading
from db_execution.cells import Row


def needs_rows(pair: Pair) -> bool:
    """Only equal lists are certain to be worth 1."""
    return not (pair.is_executed and pair.same("list") and pair.same_width)


def read(pair: Pair) -> float | None:
    """The F1 of cells: right ones, ones that are too many, ones that are missing."""
    if not needs_rows(pair):
        return 1.0
    if pair.tables is None:
        return None
    one, other = (list(dict.fromkeys(table.rows)) for table in pair.tables)
    return soft_f1(one, other)


def soft_f1(actual: Sequence[Row], gold: Sequence[Row]) -> float:
    """Over distinct rows. Each row counts as one, however many cells it has."""
    if not actual and not gold:
        return 1.0
    both = min(len(actual), len(gold))
    right = too_many = missing = 0.0
    for own, theirs in zip(actual, gold, strict=False):
        right += sum(cell in theirs for cell in own) / len(theirs)
        too_many += sum(cell not in theirs for cell in own) / len(theirs)
        missing += sum(cell not in own for cell in theirs) / len(theirs)
    too_many += len(actual) - both
    missing += len(gold) - both
    precision = right / (right + too_many) if right + too_many else 0.0
    recall = right / (right + missing) if right + missing else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


SOFT_F1 = Reading("soft_f1", needs_rows, read, "cells of rows that are right, in their order")
