"""``test_suite``: the test-suite evaluation of Spider, on every database that a question has.

Rows as multisets, or as lists where the gold's text has "order by" in it, wherever that stands;
columns in any one order; values as Python compares them, undecodable bytes dropped; two answers
without rows are equal whatever their columns. Of the released script's settings these are those
that keep DISTINCT, as the queries are run as they were written.
"""

from typing import Literal

from benchmark.columns import all_match
from benchmark.pairs import Pair
from benchmark.readings.common import Reading, as_drivers


def orders(sql: str | None) -> bool:
    """Whether the text asks for an order, as the script sees it."""
    return "order by" in (sql or "").lower()


def needs_rows(pair: Pair) -> bool:
    """Columns can stand in another order only where counts and widths agree."""
    return not pair.is_executed or _without_rows(pair) is None


def read(pair: Pair) -> float | None:
    """Whether one order of columns makes the rows equal; None where the search did not end."""
    same = _without_rows(pair)
    if same is None and pair.tables is not None:
        one, other = (as_drivers(table.rows) for table in pair.tables)
        same = all_match(one, other, len(pair.gold.columns), _kind(pair))
    return None if same is None else float(same)


def _without_rows(pair: Pair) -> bool | None:
    """What counts, digests and a verdict on the same terms say."""
    if pair.both_empty:
        return True
    if pair.actual.row_count != pair.gold.row_count or not pair.same_width:
        return False
    if pair.is_executed and pair.same(_kind(pair)):
        return True
    verdict = pair.verdict
    if verdict is None or verdict.unknown is not None or not pair.is_utf8:
        return None
    return verdict.matched if pair.in_order == (_kind(pair) == "list") else None


def _kind(pair: Pair) -> Literal["list", "multiset"]:
    return "list" if orders(pair.gold.sql) else "multiset"


TEST_SUITE = Reading(
    "test_suite", needs_rows, read, "multisets, columns in any order, every database", True
)
