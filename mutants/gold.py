"""A gold as the operators see it: its nodes, its names, its text, and how an edit is spliced in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mutants.columns import Home, Read, home_of, homes, reads
from mutants.constants import Constant, constants
from mutants.values import NO_VALUES, Values
from sqltext.binding import power_of, slot
from sqltext.clauses import On
from sqltext.expressions import (
    Binary,
    Comparison,
    Expression,
    Logical,
    Node,
)
from sqltext.parse import Parsed
from sqltext.schema import Schema
from sqltext.scope import Scopes

_LONG = 4000
_ALONE, _IN_OPERATORS, _IN_WORDS = range(3)
_KIND = {
    **dict.fromkeys(("", " ", *"(),;\t\n\f\r\v"), _ALONE),
    **dict.fromkeys("-+*/%&|~<>=!", _IN_OPERATORS),
}


class Edit(NamedTuple):
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


@dataclass(frozen=True, eq=False)
class Gold:
    """A parsed and resolved gold, and what is known of its database's content."""

    scopes: Scopes
    values: Values = NO_VALUES

    @cached_property
    def parsed(self) -> Parsed:
        """The query with its tokens."""
        return self.scopes.parsed

    @property
    def schema(self) -> Schema:
        """The tables its names resolve against."""
        return self.scopes.schema

    @cached_property
    def reads(self) -> Mapping[Node, Sequence[Read]]:
        """The columns that each SELECT reads, in the order of the text."""
        return reads(self.scopes, self.homes)

    @cached_property
    def homes(self) -> Sequence[Home]:
        """Its SELECTs by their tokens."""
        return homes(self.parsed)

    @cached_property
    def _ons(self) -> Sequence[tuple[int, int]]:
        return [(node.first, node.last) for node in self.parsed.nodes if isinstance(node, On)]

    def home(self, node: Node) -> Node:
        """The SELECT whose names ``node`` reads first."""
        return home_of(self.homes, node)

    def in_on(self, node: Node) -> bool:
        """Whether ``node`` stands in the condition of a join."""
        return any(first <= node.first <= last for first, last in self._ons)

    @cached_property
    def constants(self) -> Sequence[Constant]:
        """Its numbers and text values, in the order of the text."""
        return constants(self.scopes)

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
        return Edit(start, end, set_apart(self.parsed.sql, (start, end), text), extent)

    def drop_member(self, members: Sequence[Node], at: int) -> Edit:
        """One of several members of a list dropped, and a comma with it."""
        node = members[at]
        if at == 0:
            return self.replace_tokens((node.first, members[1].first - 1), "")
        return self.replace_tokens((members[at - 1].last + 1, node.last), "")

    def replace_operator(self, node: Comparison | Logical | Binary, op: str, power: int) -> Edit:
        """``op``, of binding ``power``, between the operands of ``node``.

        Its token alone is replaced, or the whole where it would bind otherwise.
        """
        fits = power_of(node.left) >= power and power_of(node.right) > power and slot(node) <= power
        if fits:
            at = node.left.last + 1
            return self.replace_tokens((at, at), op, node)
        sides = self.operand(node.left, power), self.operand(node.right, power + 1)
        return self.replace_expression(node, f"{sides[0]} {op} {sides[1]}", power)

    def keep_side(self, node: Comparison | Logical | Binary, side: Expression) -> Edit:
        """One side of ``node`` dropped, and its operator; what is left binds as tightly."""
        if side is node.left:
            return self.replace_tokens((side.last + 1, node.last), "")
        return self.replace_tokens((node.first, side.first - 1), "")

    def replace_expression(self, node: Expression, text: str, power: int) -> Edit:
        """``text``, an operation of binding ``power``, in the place of ``node``.

        It is put in parentheses where its new neighbours would pull it apart.
        """
        return self.replace(node, text if power >= slot(node) else f"({text})")

    def is_long(self, node: Node) -> bool:
        """Whether a chain is so long that to write it anew for each of its links would be too much.

        The text of all those edits grows with the square of the chain's.
        """
        return self.parsed.end(node) - self.parsed.start(node) > _LONG

    def operand(self, node: Expression, power: int) -> str:
        """``node``'s text as an operand of an operation of binding ``power``."""
        return self.text(node) if power_of(node) >= power else f"({self.text(node)})"

    def splice(self, *edits: Edit) -> str:
        """The gold's text with the edits made; everything outside their spans is as it was."""
        sql = self.parsed.sql
        if len(edits) == 1:
            start, end, text, _ = edits[0]
            return f"{sql[:start]}{text}{sql[end:]}"
        for edit in sorted(edits, key=lambda e: -e.start):
            sql = sql[: edit.start] + edit.text + sql[edit.end :]
        return sql


def set_apart(sql: str, span: tuple[int, int], text: str) -> str:
    """``text`` with a blank at either end where it would join what stands there into one token.

    >>> set_apart("a -5", (3, 4), "-5"), set_apart("b=1 and c", (2, 3), "2")
    (' -5', '2')
    """
    before, after = sql[span[0] - 1 : span[0]], sql[span[1] : span[1] + 1]
    if not text:
        return " " if _may_join(before, after) else ""
    left = " " if _may_join(before, text[0]) else ""
    right = " " if _may_join(text[-1], after) else ""
    return left + text + right


def _may_join(left: str, right: str) -> bool:
    """Whether two characters may belong to one token: both of words, or both of operators."""
    kind = _KIND.get(left, _IN_WORDS)
    return kind != _ALONE and kind == _KIND.get(right, _IN_WORDS)
