"""The names of the columns of inner queries: which of them an edit may change, and whether it may.

A column without an alias is called by its text where it shows more than a column. So an edit in the
text may give it another name, and then a name further out means something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqltext.clauses import Cte, Item, Query, QuerySource, Select
from sqltext.expressions import Collate, Column, Node, Paren
from sqltext.lexer import fold
from sqltext.parse import Parsed
from sqltext.sources import output_name


class OutputNames:
    """The columns of one query's answers that are called by name."""

    def __init__(self, parsed: Parsed) -> None:
        self.parsed = parsed
        self._items = {item for item in parsed.nodes if isinstance(item, Item) and _is_named(item)}
        columns = (node for node in parsed.nodes if isinstance(node, Column))
        self._called = {fold(node.names[-1]) for node in columns} if self._items else set()

    def may_change(self, node: Node, start: int, end: int, text: str) -> bool:
        """Whether ``text`` in the place of some characters of ``node`` may change a name."""
        if not self._items:
            return False
        return any(self._renames(item, start, end, text, whole) for item, whole in self._over(node))

    def _over(self, node: Node) -> Iterator[tuple[Item, bool]]:
        """The items that ``node`` stands in, and whether it is all that one of them shows."""
        at, whole = node.parent, True
        while at is not None:
            if isinstance(at, Item) and at in self._items:
                yield at, whole
            whole = whole and isinstance(at, Paren | Collate)
            at = at.parent

    def _renames(self, item: Item, start: int, end: int, text: str, whole: bool) -> bool:
        if whole:
            return True
        sql, first, last = self.parsed.sql, self.parsed.start(item), self.parsed.end(item)
        names = output_name(self.parsed, item), fold(sql[first:start] + text + sql[end:last])
        return not self._called.isdisjoint(names)


def _is_named(item: Item) -> bool:
    """Whether it has no alias, and its query is in a FROM, is a CTE, or is one arm of several."""
    select = item.parent
    query = select.parent if isinstance(select, Select) else None
    if item.alias or not isinstance(query, Query):
        return False
    return bool(query.operators) or isinstance(query.parent, QuerySource | Cte)
