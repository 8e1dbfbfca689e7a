"""``test_suite``: the test-suite evaluation of Spider, on every database that a question has.

Rows as multisets, or as lists where the gold's text has "order by" in it, wherever that stands;
columns in any one order; values as Python compares them, undecodable bytes dropped; two answers
without rows are equal whatever their columns. Of the released script's settings these are those
that keep DISTINCT, as the queries are run as they were written.
"""

from benchmark.columns import assign
from benchmark.pairs import Pair
from benchmark.readings.common import Reading, as_python


def orders(sql: str | None) -> bool:
    """Whether the text asks for an order, as the script sees it."""
    return "order by" in (sql or "").lower()


def needs_rows(pair: Pair) -> bool:
    """Columns can stand in another order only where counts and widths agree."""
    if not pair.is_executed:
        return True
    if pair.both_empty or pair.actual.row_count != pair.gold.row_count or not pair.same_width:
        return False
    return pair.same(_kind(pair)) is not True


def read(pair: Pair) -> float | None:
    """Whether one order of columns makes the rows equal; None where the search did not end."""
    if pair.both_empty:
        return 1.0
    if pair.actual.row_count != pair.gold.row_count or not pair.same_width:
        return 0.0
    if pair.is_executed and pair.same(_kind(pair)):
        return 1.0
    if pair.tables is None:
        return None
    one, other = ([tuple(map(as_python, row)) for row in table.rows] for table in pair.tables)
    width = len(pair.gold.columns)
    found = assign(one, other, (width, width), "list" if _kind(pair) == "list" else "multiset")
    if not found.decided:
        return None
    return float(len(found.pairs) == width)


def _kind(pair: Pair) -> str:
    return "list" if orders(pair.gold.sql) else "multiset"


TEST_SUITE = Reading(
    "test_suite", needs_rows, read, "multisets, columns in any order, every database", True
)
