"""What an operator may know of a database's content: a few values of each column, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = tuple[str, str]
"""(kind, text): kind is ``number`` or ``string``; the text is the number, or the string's body."""


@dataclass(frozen=True, slots=True)
class Values:
    """A few values of each column, most frequent first, by folded (table, column).

    The mutants of a gold want the column's most frequent values, its least and its greatest, and
    the nearest on either side of each number the gold compares it with. Two query shapes, which
    give no NULL and no BLOB, fill that; of equally frequent values the lesser comes first::

        SELECT CASE WHEN typeof(c) = 'text' THEN 'string' ELSE 'number' END, c
        FROM t WHERE typeof(c) IN ('integer', 'real', 'text')
        GROUP BY c ORDER BY count(*) DESC, c LIMIT 8

        SELECT max(c) FILTER (WHERE c < :number), min(c) FILTER (WHERE c > :number),
               min(c), max(c)
        FROM t WHERE typeof(c) IN ('integer', 'real')
    """

    columns: Mapping[tuple[str, str], tuple[Value, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.columns)

    def of(self, table: str, column: str) -> tuple[Value, ...]:
        """The values known of a column, by folded names."""
        return self.columns.get((table, column), ())


NO_VALUES = Values()
