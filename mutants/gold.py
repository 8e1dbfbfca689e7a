"""A gold as the operators see it: its nodes, its names, its text, and how an edit is spliced in."""

from __future__ import annotations

from dataclasses import dataclass

from sqltext.expressions import (
    Between,
    Binary,
    Collate,
    Comparison,
    Expression,
    In,
    Like,
    Logical,
    Node,
    Not,
    NullTest,
    Unary,
)
from sqltext.parse import Parsed
from sqltext.schema import Schema
from sqltext.scope import Scopes

_OR, _AND, _NOT, _EQUAL, _ORDER, _BITS, _SUM, _PRODUCT, _JOINED, _COLLATE, _UNARY, _CLOSED = range(
    1, 13
)
_BINARY = {
    **dict.fromkeys(("&", "|", "<<", ">>"), _BITS),
    **dict.fromkeys(("+", "-"), _SUM),
    **dict.fromkeys(("*", "/", "%"), _PRODUCT),
    **dict.fromkeys(("||", "->", "->>"), _JOINED),
}


@dataclass(frozen=True, slots=True)
class Edit:
    """One span of the gold's text and what stands there instead.

    ``start`` and ``end`` are characters of the gold. ``site`` is the stretch that the edit is
    about: the span lies in it and may be shorter (an operator's token, say).
    """

    start: int
    end: int
    text: str
    site: tuple[int, int]

    def nests_with(self, other: Edit) -> bool:
        """Whether the two sites overlap; what nests is no edit of its own beside the other."""
        return self.site[0] < other.site[1] and other.site[0] < self.site[1]


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """A parsed and resolved gold."""

    scopes: Scopes

    @property
    def parsed(self) -> Parsed:
        """The query with its tokens."""
        return self.scopes.parsed

    @property
    def schema(self) -> Schema:
        """The tables its names resolve against."""
        return self.scopes.schema

    def text(self, node: Node) -> str:
        """``node`` as the author wrote it."""
        return self.parsed.text(node)

    def replace(self, node: Node, text: str) -> Edit:
        """``text`` in the place of ``node``."""
        return self.replace_tokens((node.first, node.last), text)

    def replace_tokens(self, span: tuple[int, int], text: str, site: Node | None = None) -> Edit:
        """``text`` in the place of the tokens from the first to the last, which lie in ``site``."""
        start, end = self.parsed.tokens.starts[span[0]], self.parsed.tokens.ends[span[1]]
        extent = (start, end) if site is None else (self.parsed.start(site), self.parsed.end(site))
        return Edit(start, end, text, extent)

    def replace_expression(self, node: Expression, text: str, power: int) -> Edit:
        """``text``, an operation of binding ``power``, in the place of ``node``.

        It is put in parentheses where its new neighbours would pull it apart.
        """
        return self.replace(node, text if power >= slot(node) else f"({text})")

    def operand(self, node: Expression, power: int) -> str:
        """``node``'s text as an operand of an operation of binding ``power``."""
        return self.text(node) if power_of(node) >= power else f"({self.text(node)})"

    def splice(self, *edits: Edit) -> str:
        """The gold's text with the edits made; everything outside their spans is as it was."""
        sql = self.parsed.sql
        for edit in sorted(edits, key=lambda e: -e.start):
            sql = sql[: edit.start] + edit.text + sql[edit.end :]
        return sql


OR_POWER, AND_POWER, EQUAL_POWER, ORDER_POWER = _OR, _AND, _EQUAL, _ORDER


def power_of(node: Node) -> int:
    """How tightly ``node`` binds; what is closed by its own marks binds tightest."""
    if isinstance(node, Logical):
        return _AND if node.op == "AND" else _OR
    if isinstance(node, Comparison):
        return _ORDER if node.op in ("<", "<=", ">", ">=") else _EQUAL
    if isinstance(node, Binary):
        return _BINARY[node.op]
    for kind, power in ((Not, _NOT), (Collate, _COLLATE), (Unary, _UNARY)):
        if isinstance(node, kind):
            return power
    return _EQUAL if isinstance(node, Like | Between | In | NullTest) else _CLOSED


def slot(node: Node) -> int:
    """How tightly what stands in ``node``'s place has to bind, for its parent to keep its shape."""
    parent = node.parent
    if isinstance(parent, Logical | Comparison | Binary):
        return power_of(parent) + (node is parent.right)
    if isinstance(parent, Not | Unary):
        return power_of(parent)
    if isinstance(parent, Like | Collate | NullTest):
        leftmost = parent.parts()[0] is node
        return power_of(parent) + (not leftmost)
    if isinstance(parent, In | Between):
        return _between_slot(parent, node)
    return _OR


def _between_slot(parent: In | Between, node: Node) -> int:
    """The list of an IN is closed; the low end of a BETWEEN ends at the AND."""
    if node is parent.operand:
        return _EQUAL
    if isinstance(parent, In):
        return _OR
    return _NOT if node is parent.low else _ORDER
