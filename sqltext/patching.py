"""The facts of a query after small edits, from what is known of it before them.

To read a mutant from scratch costs many times what differs in it. Here an edit becomes a patch: the
smallest node around it is read anew and put in the old one's place, the nodes above it are printed
again, and all others keep what they have. A patch that might change which names are seen where (a
source, an inner query, an output's name) is not made; such a text is read from scratch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from sqltext.binding import operator_power, power_of, slot
from sqltext.clauses import (
    From,
    GroupBy,
    Having,
    Item,
    Join,
    Limit,
    OrderBy,
    OrderTerm,
    Query,
    Select,
    TableSource,
    Where,
)
from sqltext.composing import Composer
from sqltext.errors import NotAQuery
from sqltext.expressions import Binary, Column, Comparison, Expression, Node
from sqltext.facts import Facts, Reading
from sqltext.fragments import read_as, read_items, read_join
from sqltext.joining import added_source, label_of, may_grow, together
from sqltext.nondeterminism import asks_outside
from sqltext.output_names import OutputNames
from sqltext.parse import release
from sqltext.patches import Addition, Change, Patch, first_places, place_of
from sqltext.scope import look_up
from sqltext.sight import Sight

_MARKS = frozenset("-+*/%&|~<>=!")
_CLAUSES = (Where, Having, GroupBy, OrderBy, Limit)
_JOINS = frozenset(
    ("JOIN", "INNER JOIN", "CROSS JOIN")
    + tuple(f"{side} JOIN" for side in ("LEFT", "RIGHT", "FULL"))
    + tuple(f"{side} OUTER JOIN" for side in ("LEFT", "RIGHT", "FULL"))
)


class Patcher:
    """One query, to be patched again and again; each time it is left as it was."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.scopes = facts.scopes
        self.parsed = facts.scopes.parsed
        self._composer = Composer(facts)
        self._made: list[Node] = []
        self._sight = Sight()
        self._names = OutputNames(self.parsed)
        self._first = first_places(self.parsed.nodes)
        self._sources: dict[int, bool] = {}
        self._places: dict[int, tuple[Node, str, int | None]] = {}

    def patch(self, start: int, end: int, text: str) -> Change | None:
        """The change that puts ``text`` in the place of the characters from ``start`` to ``end``.

        None where patches will not do.
        """
        node = self._around(start, end)
        if node is None or self._names.may_change(node, start, end, text):
            return None
        if isinstance(node, TableSource | Join) and (added := self._joined(node, end, text)):
            return added
        found = self._patches(node, start, end, text)
        return Change(found) if found else None

    def reading(self, *changes: Change) -> Reading | None:
        """What is read off the query once one or two changes are made.

        None where they are not apart.
        """
        if self.facts.nondeterministic:
            return None
        if len(changes) == 1:
            return self._composer.reading(changes[0])
        one, other = changes
        return self._composer.both(one, other) if together(one, other) else None

    def release(self) -> None:
        """Let go of the query and of all patches made for it; nothing can be patched any more."""
        release(chain(self.parsed.nodes, self._made))

    def _patches(self, node: Node, start: int, end: int, text: str) -> tuple[Patch, ...]:
        if isinstance(node, _CLAUSES) and not text.strip() and self._is(node, start, end):
            return (self._without(node),)
        if isinstance(node, Join) and (unjoined := self._unjoined(node, start, end, text)):
            return unjoined
        if isinstance(node, Select | Join):
            found = self._reworded(node, start, end, text)
            return _one(found or self._relisted(node, start, end, text))
        if isinstance(node, Comparison | Binary):
            found = self._reoperated(node, start, end, text)
            if found is not None:
                return (found,)
        while isinstance(node, Expression | OrderTerm | Limit):
            found = self._reread(node, start, end, text)
            if found is not None:
                return (found,)
            assert node.parent is not None
            node = node.parent
        return _one(
            self._relisted(node.parent, start, end, text) if isinstance(node, Item) else None
        )

    def _around(self, start: int, end: int) -> Node | None:
        """The smallest node that holds the span."""
        starts, ends = self.parsed.tokens.starts, self.parsed.tokens.ends
        for node in self.parsed.nodes:
            if ends[node.last] >= end and starts[node.first] <= start:
                return node
        return None

    def _is(self, node: Node, start: int, end: int) -> bool:
        return (self.parsed.start(node), self.parsed.end(node)) == (start, end)

    def _range(self, node: Node) -> tuple[int, int]:
        """The places of ``node`` and all below it."""
        return self._first[node.at], node.at + 1

    def _without(self, node: Node) -> Patch:
        owner, name, index = place_of(node)
        return Patch(owner, name, index, None, self._range(node))

    def _reworded(self, node: Select | Join, start: int, end: int, text: str) -> Patch | None:
        """Another quantifier of a SELECT, another kind of join: the same nodes below."""
        words = " ".join(text.upper().split())
        span = start, end
        starts, ends = self.parsed.tokens.starts, self.parsed.tokens.ends
        nothing = (node.at, node.at)
        if isinstance(node, Join):
            here = span == (starts[node.first], ends[node.op_last])
            if here and words in _JOINS and (node.op in _JOINS or node.op == ","):
                return Patch(node, "op", None, words, nothing)
            return None
        last = node.first + (1 if node.quantifier else 0)
        if span == (starts[node.first], ends[last]) and words in ("SELECT", "SELECT DISTINCT"):
            return Patch(node, "quantifier", None, words[len("SELECT ") :], nothing)
        return None

    def _reoperated(
        self, node: Comparison | Binary, start: int, end: int, text: str
    ) -> Patch | None:
        """Another operator between the same operands, where it binds as its place needs."""
        sql, tokens, at = self.parsed.sql, self.parsed.tokens, node.left.last + 1
        if at + 1 != node.right.first or (start, end) != (tokens.starts[at], tokens.ends[at]):
            return None
        power = operator_power(type(node), text)
        if power is None or not _MARKS.isdisjoint((sql[start - 1], sql[end])):
            return None
        if not power_of(node.left) >= power < power_of(node.right) or slot(node) > power:
            return None
        return Patch(node, "op", None, text, (node.at, node.at))

    def _joined(self, node: TableSource | Join, end: int, text: str) -> Change | None:
        """One table more behind ``node``, the last of a FROM, whose text comes before it."""
        owner, own = node.parent, self.parsed.text(node)
        last = isinstance(owner, From) and [owner.source, *owner.joins][-1] is node
        whole = last and end == self.parsed.end(node) and text.startswith(f"{own} JOIN ")
        if not isinstance(owner, From) or not whole or not may_grow(self.scopes, owner):
            return None
        try:
            join, fresh = read_join(text[len(own) :])
        except NotAQuery:
            return None
        self._made += fresh
        join.parent = owner
        return None if _has_queries(fresh) else self._grown(owner, join, fresh)

    def _grown(self, owner: From, join: Join, fresh: Sequence[Node]) -> Change | None:
        source = added_source(self.scopes, owner, join)
        if source is None:
            return None
        select = owner.parent
        assert select is not None
        self.scopes.by_node[join.source] = source
        self._composer.label(source, label_of(self.scopes, owner, source))
        self.scopes.sources[select].append(source)
        added = self._take_in(fresh, owner.at - 1)
        self.scopes.sources[select].pop()
        joins, asks = [*owner.joins, join], asks_outside(self.scopes, fresh)
        patch = Patch(owner, "joins", None, joins, (owner.at, owner.at), fresh, added, asks)
        return Change((patch,), source)

    def _unjoined(self, node: Join, start: int, end: int, text: str) -> tuple[Patch, ...]:
        """A join that goes on without its condition, in place of itself."""
        if node.on is None or not self._is(node, start, end):
            return ()
        if text != f"CROSS JOIN {self.parsed.text(node.source)}" or node.op not in (*_JOINS, ","):
            return ()
        nothing = (node.at, node.at)
        gone = Patch(node, "on", None, None, self._range(node.on))
        return gone, Patch(node, "op", None, "CROSS JOIN", nothing)

    def _relisted(self, node: Node | None, start: int, end: int, text: str) -> Patch | None:
        """Other items of the outermost SELECT, where nothing calls one of them by its alias."""
        query = self.parsed.query
        if not isinstance(node, Select) or query.cores != [node] or self._calls_aliases():
            return None
        first, last = node.items[0], node.items[-1]
        here, there = self.parsed.start(first), self.parsed.end(last)
        if start < here or there < end:
            return None
        sql = self.parsed.sql
        try:
            items, fresh = read_items(sql[here:start] + text + sql[end:there])
        except NotAQuery:
            return None
        self._made += fresh
        if _has_sources(fresh) or _has_sources(self.parsed.nodes[self._first[first.at] : last.at]):
            return None
        for item in items:
            item.parent = node
        added = self._take_in(fresh, last.at)
        old = self._first[first.at], last.at + 1
        asks = asks_outside(self.scopes, fresh)
        return Patch(node, "items", None, items, old, fresh, added, asks)

    def _calls_aliases(self) -> bool:
        return any(found.kind == "alias" for found in self.scopes.columns.values())

    def _reread(self, node: Node, start: int, end: int, text: str) -> Patch | None:
        """``node`` with the edit in it, read anew; None where it is more than an expression."""
        if self._holds_sources(node):
            return None
        sql = self.parsed.sql
        written = sql[self.parsed.start(node) : start] + text + sql[end : self.parsed.end(node)]
        try:
            root, fresh = read_as(node, written)
        except NotAQuery:
            return None
        self._made += fresh
        if _has_sources(fresh) or (isinstance(node, Expression) and power_of(root) < slot(node)):
            return None
        root.parent = node.parent
        added = self._take_in(fresh, node.at)
        owner, name, index = self._place(node)
        asks = asks_outside(self.scopes, fresh)
        return Patch(owner, name, index, root, self._range(node), fresh, added, asks)

    def _holds_sources(self, node: Node) -> bool:
        found = self._sources.get(node.at)
        if found is None:
            found = _has_sources(self.parsed.nodes[slice(*self._range(node))])
            self._sources[node.at] = found
        return found

    def _place(self, node: Node) -> tuple[Node, str, int | None]:
        found = self._places.get(node.at)
        if found is None:
            found = self._places[node.at] = place_of(node)
        return found

    def _take_in(self, fresh: Sequence[Node], at: int) -> list[Addition]:
        """Give new nodes places behind all others, and resolve, print and read them there.

        Gives what they add, as if they stood at the place ``at``.
        """
        for place, node in enumerate(fresh, self._composer.places):
            node.at = place
        for node in fresh:
            if isinstance(node, Column):
                self.scopes.columns[node] = look_up(self.scopes, node, self._sight)
        found = self._composer.take_in(fresh)
        return [(at, name, value) for added in found.values() for name, value in added]


def _one(patch: Patch | None) -> tuple[Patch, ...]:
    return () if patch is None else (patch,)


def _has_queries(nodes: Iterable[Node]) -> bool:
    return any(isinstance(node, Query) for node in nodes)


def _has_sources(nodes: Iterable[Node]) -> bool:
    return any(isinstance(node, Query | TableSource) for node in nodes)
