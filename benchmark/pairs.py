"""An answer beside the gold's: what the verdict and every reading are made from."""

from collections.abc import Mapping
from typing import NamedTuple

from benchmark.asking import Key
from benchmark.compare_answers import Comparison, is_ordered
from benchmark.csvtext import Table
from benchmark.sides import Side
from db_execution.protocol import NOT_UTF8


class Pair(NamedTuple):
    """Two answers that are there. The tables are None until rows are needed and fetched.

    ``verdict`` is there from the beginning where it needs no rows.
    """

    actual: Side
    gold: Side
    actual_table: Table | None = None
    gold_table: Table | None = None
    verdict: Comparison | None = None

    @property
    def in_order(self) -> bool:
        """Whether row order counts: the gold's outermost query has an ORDER BY."""
        return is_ordered(self.gold.sql)

    @property
    def tables(self) -> tuple[Table, Table] | None:
        """Both tables, the answer's first; None unless both are there."""
        if self.actual_table is None or self.gold_table is None:
            return None
        return self.actual_table, self.gold_table

    @property
    def is_executed(self) -> bool:
        """Whether both answers came from a database, so that their digests can be compared."""
        return self.actual.digests is not None and self.gold.digests is not None

    @property
    def is_same_list(self) -> bool:
        """Whether both answers are the same rows in the same order: all that can be asked for."""
        one, other = self.actual.digests, self.gold.digests
        if one is None or other is None or one.list_digest is None:
            return False
        return one.list_digest == other.list_digest and self.same_width

    @property
    def same_width(self) -> bool:
        """Whether both have as many columns."""
        return len(self.actual.columns) == len(self.gold.columns)

    @property
    def both_empty(self) -> bool:
        """Whether neither has a row."""
        return self.actual.row_count == self.gold.row_count == 0

    @property
    def is_utf8(self) -> bool:
        """Whether every text of both answers is known to be UTF-8, as drivers give texts."""
        one, other = self.actual.digests, self.gold.digests
        if one is None or other is None:
            return False
        return NOT_UTF8 not in one.flags and NOT_UTF8 not in other.flags

    def with_tables(self, tables: Mapping[Key, Table | None]) -> "Pair":
        """The same answers with their rows; what was given has its own."""
        one, other = self.actual, self.gold
        return self._replace(
            actual_table=self.actual_table if one.key is None else tables.get(one.key),
            gold_table=self.gold_table if other.key is None else tables.get(other.key),
        )

    def without_rows(self) -> "Pair":
        """The same answers, but for rows that nothing will ask for again."""
        no_rows = self.actual_table is None and self.gold_table is None
        return self if no_rows else self._replace(actual_table=None, gold_table=None)

    def same(self, kind: str) -> bool | None:
        """Whether a digest (list, multiset or set) is the same; None where one side lacks it."""
        one = getattr(self.actual.digests, f"{kind}_digest")
        other = getattr(self.gold.digests, f"{kind}_digest")
        return None if one is None or other is None else bool(one == other)
