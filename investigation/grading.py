"""Whether an answer is the right table: the whole of it, whatever the order of its rows.

Duplicates and the position of columns count, names do not. Numbers are equal within an absolute
tolerance, INTEGER or REAL; a text is never a number; NULL is NULL; what is not finite is equal to
nothing. Being within a tolerance is not transitive, so rows are paired by a matching: neither
sorting both sides nor pairing equal rows first finds every one.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isfinite
from typing import Literal

from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from db_execution.cells import EXACT_IN_JSON, Row

TOLERANCE = 1e-4
ALLOWED = TOLERANCE + 1e-9
"""What two numbers may differ by: of decimals 0.0001 apart, a fifth are more than that as REALs."""

Mismatch = Literal["columns", "rows", "values"]
Numbers = tuple[int | float, ...]


def same(expected: Sequence[Row], got: Sequence[Row]) -> bool:
    """Whether ``got`` is the table ``expected``.

    >>> same([(1, "a"), (2, None)], [(2.00005, None), (1, "a")])
    True
    """
    return mismatch(expected, got) is None


def mismatch(
    expected: Sequence[Row], got: Sequence[Row], *, columns: int | None = None
) -> Mismatch | None:
    """What keeps ``got`` from being ``expected``: the first of columns, rows and values.

    ``columns`` is how many ``got`` has, which an answer without rows knows all the same.
    """
    widths = {len(row) for row in got} if columns is None else {columns}
    if widths and expected and widths != {len(expected[0])}:
        return "columns"
    if len(expected) != len(got):
        return "rows"
    return None if _matches(expected, got) else "values"


def numbers_equal(a: int | float, b: int | float) -> bool:
    """Whether two numbers are the same for grading."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    if not (isfinite(a) and isfinite(b)):
        return False
    if max(abs(a), abs(b)) < EXACT_IN_JSON:
        return abs(a - b) <= ALLOWED
    return abs(Fraction(a) - Fraction(b)) <= Fraction(ALLOWED)  # an integer no REAL can hold


def _matches(expected: Sequence[Row], got: Sequence[Row]) -> bool:
    if not all(map(_is_finite, got)):
        return False
    ours, theirs = _by_shape(expected), _by_shape(got)
    if {shape: len(rows) for shape, rows in ours.items()} != {
        shape: len(rows) for shape, rows in theirs.items()
    }:
        return False
    return all(_paired(rows, theirs[shape]) for shape, rows in ours.items())


def _is_finite(row: Row) -> bool:
    return all(isfinite(cell) for cell in row if isinstance(cell, float))


def _by_shape(rows: Sequence[Row]) -> dict[tuple[object, ...], list[Numbers]]:
    """The numbers of each row, under all the rest of it: rows of two shapes are never the same."""
    shapes: dict[tuple[object, ...], list[Numbers]] = {}
    for row in rows:
        shape = tuple([0 if isinstance(cell, (int, float)) else (cell,) for cell in row])
        numbers = tuple([cell for cell in row if isinstance(cell, (int, float))])
        shapes.setdefault(shape, []).append(numbers)
    return shapes


def _paired(expected: list[Numbers], got: list[Numbers]) -> bool:
    """Whether each row of numbers can have one of its own on the other side, none left over."""
    if Counter(expected) == Counter(got):
        return True
    starts, places = [0], list[int]()
    for near in _near(expected, got):
        if not near:
            return False
        places.extend(near)
        starts.append(len(places))
    graph = csr_array(([1] * len(places), places, starts), shape=(len(expected), len(got)))
    return bool((maximum_bipartite_matching(graph) >= 0).all())


def _near(expected: list[Numbers], got: list[Numbers]) -> Iterator[list[int]]:
    """For each row of ``expected``, the positions in ``got`` of the rows that are equal to it.

    Only those are looked at whose number is near in the column that tells most of them apart.
    """
    width = len(expected[0])
    column = max(range(width), key=lambda place: len({row[place] for row in got}))
    order = sorted(range(len(got)), key=lambda place: got[place][column])
    keys = [float(got[place][column]) for place in order]
    for row in expected:
        middle = float(row[column])
        reach = 2 * ALLOWED + abs(middle) * 1e-12
        first, end = bisect_left(keys, middle - reach), bisect_right(keys, middle + reach)
        yield [place for place in order[first:end] if all(map(numbers_equal, row, got[place]))]
