"""An answer beside the gold's: what the verdict and every reading are made from."""

from dataclasses import dataclass

from benchmark.compare_answers import Comparison
from benchmark.csvtext import Table
from benchmark.sides import Side


@dataclass(frozen=True, slots=True)
class Pair:
    """Two answers that are there. The tables are None until rows are needed and fetched.

    ``in_order`` says that the gold's outermost query has an ORDER BY, ``settled`` is the verdict
    where it needed no rows.
    """

    actual: Side
    gold: Side
    in_order: bool
    actual_table: Table | None = None
    gold_table: Table | None = None
    settled: Comparison | None = None

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

    def with_tables(self, actual: Table | None, gold: Table | None) -> "Pair":
        """The same answers with these rows."""
        return Pair(self.actual, self.gold, self.in_order, actual, gold, self.settled)

    def written(self, sql: str | None) -> "Pair":
        """The same answers, for a query that was written in another way."""
        actual = self.actual.written(sql)
        tables = self.actual_table, self.gold_table
        return Pair(actual, self.gold, self.in_order, *tables, settled=self.settled)

    def same(self, kind: str) -> bool | None:
        """Whether a digest (list, multiset or set) is the same; None where one side lacks it."""
        one = getattr(self.actual.digests, f"{kind}_digest")
        other = getattr(self.gold.digests, f"{kind}_digest")
        return None if one is None or other is None else bool(one == other)
