"""Which SELECTs a node sees the names of, inner first, and what of their aliases.

A query in a FROM does not see the other sources of that FROM. The ORDER BY of a compound sees the
compound's output names alone.
"""

from __future__ import annotations

from typing import NamedTuple

from sqltext.clauses import Item, OrderBy, OrderTerm, Query, QuerySource, Select
from sqltext.expressions import Collate, Node, Paren

# Aliases are unseen among the items that define them. Where a name is all of an ORDER BY term they
# come before the columns, and everywhere else after them.
ALIASES_UNSEEN, ALIASES_LAST, ALIASES_FIRST = range(3)


class View(NamedTuple):
    """A SELECT, or a compound query, that is seen."""

    node: Node
    aliases: int


class Sight:
    """Finds what nodes see; what lies outside a SELECT is looked for once."""

    def __init__(self) -> None:
        self._outside: dict[Node, list[View]] = {}

    def of(self, node: Node) -> list[View]:
        """What ``node`` sees."""
        child: Node = node
        at = node.parent
        while at is not None:
            if type(at) is Select:
                aliases = ALIASES_UNSEEN if type(child) is Item else ALIASES_LAST
                return [View(at, aliases), *self._out_of(at)]
            if type(at) is QuerySource:
                return self._out_of(_select_of(at))
            if type(at) is OrderBy and type(at.parent) is Query:
                return [_order_view(at.parent, node), *self._out_of(at.parent)]
            child, at = at, at.parent
        return []

    def _out_of(self, node: Node) -> list[View]:
        """What is seen outside the query that ``node`` is, or is a core of."""
        query = node if type(node) is Query else node.parent
        assert query is not None
        if query not in self._outside:
            self._outside[query] = self.of(query)
        return self._outside[query]


def _select_of(node: Node) -> Node:
    at = node.parent
    while type(at) is not Select:
        assert at is not None
        at = at.parent
    return at


def _order_view(query: Query, node: Node) -> View:
    core = query.cores[0]
    aliases = ALIASES_FIRST if _is_whole_term(node) else ALIASES_LAST
    return View(core if len(query.cores) == 1 and type(core) is Select else query, aliases)


def _is_whole_term(node: Node) -> bool:
    at = node.parent
    while isinstance(at, Paren | Collate):
        at = at.parent
    return isinstance(at, OrderTerm)
