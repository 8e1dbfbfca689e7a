"""Whether an answer is the gold's: whole rows, columns matched jointly, order where it counts.

The digests decide most pairs. Only where they differ, and columns could be matched in another way,
are rows looked at.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from benchmark.columns import As, Assignment, Rows, assign, coded
from benchmark.csvtext import Table, csv_key, doubts
from benchmark.sides import Side
from db_execution.protocol import Answer
from sqltext.errors import NotAQuery
from sqltext.nondeterminism import ordered
from sqltext.parse import parse

UNDECIDED = "the columns could not be matched within the bound on work"
TOO_MANY = "the rows are too many to match their columns"


class Comparison(NamedTuple):
    """How an answer compares with a gold; names of columns are by position and count for nothing.

    ``match_rate`` is the share of the gold's columns in the largest joint match; 0.0 where the
    numbers of rows differ, whatever columns are named. ``unknown`` says why there is no verdict.
    """

    matched: bool = False
    match_rate: float = 0.0
    matched_columns: tuple[tuple[str, str], ...] = ()
    missing_columns: tuple[str, ...] = ()
    extra_columns: tuple[str, ...] = ()
    same_count: bool = False
    order_only: bool = False
    both_empty: bool = False
    unknown: str | None = None
    largest: bool = True
    doubts: tuple[str, ...] = ()


@lru_cache(maxsize=50_000)
def is_ordered(sql: str | None) -> bool:
    """Whether row order counts: the outermost query of the gold has an ORDER BY, by parsing."""
    if sql is None or "order" not in sql.lower():
        return False
    try:
        return ordered(parse(sql))
    except NotAQuery:
        return False


def same_by_digest(one: Answer, gold: Answer, gold_sql: str | None) -> bool | None:
    """Whether the rows are equal, as lists where the gold orders; None where no digest says.

    Whether it orders is looked for only where it makes a difference: parsing takes longer.
    """
    known = one.list_digest is not None and gold.list_digest is not None
    if known and one.list_digest == gold.list_digest:
        return True
    if one.multiset_digest != gold.multiset_digest:
        return False
    if not is_ordered(gold_sql):
        return True
    return False if known else None


def by_digest(actual: Side, gold: Side) -> Comparison | None:
    """The verdict where it needs no rows; None where it does."""
    if gold.table is not None or actual.table is not None:
        return None
    one, other = actual.digests, gold.digests
    assert one is not None
    assert other is not None
    if actual.row_count == gold.row_count == 0:
        return _both_empty(actual, gold)
    same = same_by_digest(one, other, gold.sql)
    if same:
        return _all_matched(actual, gold)
    is_one_column = len(actual.columns) == len(gold.columns) == 1
    if same is False and is_one_column and actual.row_count == gold.row_count:
        return _no_match(actual, gold, order_only=one.multiset_digest == other.multiset_digest)
    return None


def _all_matched(actual: Side, gold: Side) -> Comparison:
    pairs = tuple(zip(actual.columns, gold.columns, strict=True))
    return Comparison(matched=True, match_rate=1.0, matched_columns=pairs, same_count=True)


def _no_match(actual: Side, gold: Side, *, order_only: bool = False) -> Comparison:
    """As many rows, and no column of the one is a column of the other."""
    return Comparison(
        missing_columns=gold.columns,
        extra_columns=actual.columns,
        same_count=True,
        order_only=order_only,
    )


def _both_empty(actual: Side, gold: Side) -> Comparison:
    """No row tells columns apart: as many columns match, and other numbers of them do not."""
    if len(actual.columns) == len(gold.columns):
        return _all_matched(actual, gold)._replace(both_empty=True)
    return _no_match(actual, gold)._replace(both_empty=True)


def other_count(actual: Side, gold: Side) -> Comparison | None:
    """The verdict, without a diagnosis, where the numbers of rows differ."""
    if actual.row_count == gold.row_count:
        return None
    return Comparison(missing_columns=gold.columns, extra_columns=actual.columns)


def by_rows(actual: Side, gold: Side, tables: tuple[Table | None, Table | None]) -> Comparison:
    """The verdict by the rows; ``tables`` are the answer's and the gold's, if they could be had."""
    one, other = tables
    same_count = actual.row_count == gold.row_count
    if one is None or other is None:
        unknown = TOO_MANY if same_count else None
        return Comparison(same_count=same_count, unknown=unknown, largest=False)
    if same_count and not gold.row_count:
        return _both_empty(actual, gold)
    rows = _values(one, is_csv=one.is_csv or other.is_csv)
    wanted = _values(other, is_csv=one.is_csv or other.is_csv)
    columns = coded(rows, wanted, (len(one.columns), len(other.columns)))
    how: As = "set" if not same_count else "list" if is_ordered(gold.sql) else "multiset"
    compared = _named(one, other, assign(columns, how), same_count=same_count)
    if how == "list" and not compared.matched:
        anyhow = assign(columns, "multiset")
        compared = compared._replace(order_only=len(anyhow.pairs) == len(other.columns))
    return compared._replace(doubts=doubts(one, other))


def _values(table: Table, *, is_csv: bool) -> Rows:
    """The rows as values that compare: as they are, or as a csv can say them."""
    if not is_csv:
        return table.rows
    return [tuple(map(csv_key, row)) for row in table.rows]


def _named(one: Table, other: Table, found: Assignment, *, same_count: bool) -> Comparison:
    own = {actual for actual, _ in found.pairs}
    theirs = {gold for _, gold in found.pairs}
    rate = len(found.pairs) / len(other.columns) if same_count else 0.0
    return Comparison(
        matched=same_count and len(found.pairs) == len(other.columns),
        match_rate=round(rate, 4),
        matched_columns=tuple((one.columns[at], other.columns[gold]) for at, gold in found.pairs),
        missing_columns=_left(other.columns, theirs),
        extra_columns=_left(one.columns, own),
        same_count=same_count,
        unknown=None if found.decided or not same_count else UNDECIDED,
        largest=found.largest,
    )


def _left(columns: Sequence[str], taken: set[int]) -> tuple[str, ...]:
    return tuple(name for at, name in enumerate(columns) if at not in taken)


def better(one: Comparison, other: Comparison) -> Comparison:
    """Of the comparisons with two golds that are both right, the one that counts."""
    return max(one, other, key=lambda c: (c.matched, c.match_rate, c.same_count))
