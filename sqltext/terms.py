"""What an expression is made of: the parts of two queries that are held against each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, cast

from sqltext.conditions import Condition, Operand, read_condition
from sqltext.expressions import (
    Between,
    Binary,
    Call,
    Case,
    Cast,
    Collate,
    Column,
    Comparison,
    Exists,
    Expression,
    In,
    Like,
    Literal,
    Logical,
    Node,
    Not,
    NullTest,
    Parameter,
    Subquery,
    Unary,
)
from sqltext.form_printer import bare
from sqltext.lexer import fold
from sqltext.scope import Scopes
from sqltext.shapes import QUERY

T = TypeVar("T")

AGGREGATE = "aggregate"
_AGGREGATES = """
    avg count group_concat json_group_array json_group_object jsonb_group_array jsonb_group_object
    max median min percentile percentile_cont percentile_disc string_agg sum total
"""
AGGREGATES = frozenset(_AGGREGATES.split())
_CONDITIONALS = frozenset({"iif", "if"})
_NOTED = "aggregates", "functions", "arithmetic", "inner"
_MAX_DEPTH = 40  # conditions inside conditions; no author goes beyond three


@dataclass(slots=True)
class Terms:
    """Reads expressions of one query, and keeps what they do to their columns and values."""

    scopes: Scopes
    shapes: list[str]
    exact: list[str]
    aggregates: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    arithmetic: list[str] = field(default_factory=list)
    inner: list[Condition] = field(default_factory=list)
    depth: int = 0
    changed: Collection[int] = ()
    _kept: dict[tuple[int, object], _Kept] | None = None

    def remember(self) -> None:
        """Keep what is read of each operand, until the node is said to be ``changed``."""
        self._kept = {}

    def taken(self) -> list[tuple[str, object]]:
        """What has been read since it was last taken, by the feature that it is of."""
        found: list[tuple[str, object]] = []
        if not (self.aggregates or self.functions or self.arithmetic or self.inner):
            return found
        for name, gathered in zip(_NOTED, self._gathered(), strict=True):
            if gathered:
                found += [(name, value) for value in gathered]
                gathered.clear()
        return found

    def operand(self, *nodes: Node) -> Operand:
        """The columns and values of expressions; aggregates and queries in them stand as such."""
        return self.once(nodes[0], None, _operand) if len(nodes) == 1 else self.read(nodes)

    def once(self, node: Node, how: object, read: Callable[[Terms, Node, Any], T]) -> T:
        """What ``read`` gives for ``node`` read in this way; remembered while it is the same."""
        if self._kept is None or self.depth > 1 or node.at in self.changed:
            return read(self, node, how)
        kept = self._kept.get((node.at, how))
        if kept is not None:
            if kept.noted:
                self._note(kept.noted)
            return cast(T, kept.found)
        before = [len(gathered) for gathered in self._gathered()]
        found = read(self, node, how)
        noted = [g[start:] for g, start in zip(self._gathered(), before, strict=True)]
        self._kept[node.at, how] = _Kept(found, noted if any(noted) else ())
        return found

    def _note(self, noted: Sequence[list[Any]]) -> None:
        for gathered, values in zip(self._gathered(), noted, strict=True):
            gathered += values

    def _gathered(self) -> tuple[list[Any], ...]:
        return self.aggregates, self.functions, self.arithmetic, self.inner

    def read(self, nodes: Sequence[Node]) -> Operand:
        """The columns and values of expressions, read anew."""
        found = _Found([], [])
        functions, aggregates = len(self.functions), len(self.aggregates)
        self.gather(list(nodes[::-1]), found)
        calls = self.functions[functions:] + self.aggregates[aggregates:]
        return Operand(tuple(found.columns), tuple(found.values), tuple(calls))

    def gather(self, stack: list[Node], found: _Found) -> None:
        """Add what the nodes of ``stack`` are made of; a loop, as chains may be long."""
        while stack:
            node = stack.pop()
            read = _READ.get(type(node))
            if read is None:
                stack += reversed(node.parts())
            else:
                read(self, node, stack, found)

    def condition(self, node: Expression) -> Condition:
        """Take a condition apart."""
        self.depth += 1
        found = read_condition(self, node)
        self.depth -= 1
        return found

    def inside(self, node: Expression, stack: list[Node]) -> Condition | None:
        """A condition where a value stands; of one too deep only the operands are read."""
        if self.depth >= _MAX_DEPTH:
            stack += reversed(bare(node).parts())
            return None
        found = self.condition(node)
        self.inner.append(found)
        return found


def _operand(terms: Terms, node: Node, _: object) -> Operand:
    return terms.read((node,))


class _Kept(NamedTuple):
    """What was read, and what else was noted meanwhile."""

    found: object
    noted: Sequence[list[Any]]


@dataclass(slots=True)
class _Found:
    columns: list[str]
    values: list[str]


def is_aggregate(node: Call) -> bool:
    """Whether a call is an aggregate by its name; min and max of several values are not."""
    name = fold(node.name)
    if name in ("min", "max") and len(node.arguments) > 1:
        return False
    return name in AGGREGATES and node.window is None


def _column(t: Terms, node: Column, _: list[Node], found: _Found) -> None:
    if t.scopes.columns[node].kind == "value":
        found.values.append(t.exact[node.at])
    else:
        found.columns.append(t.shapes[node.at])


def _value(t: Terms, node: Node, _: list[Node], found: _Found) -> None:
    found.values.append(t.exact[node.at])


def _unary(t: Terms, node: Unary, stack: list[Node], found: _Found) -> None:
    """-5 is a value."""
    if node.op == "-" and isinstance(node.operand, Literal):
        found.values.append(t.exact[node.at])
        return
    t.arithmetic.append(f"{node.op}x")
    stack.append(node.operand)


def _binary(t: Terms, node: Binary, stack: list[Node], _: _Found) -> None:
    t.arithmetic.append(node.op)
    stack += (node.right, node.left)


def _cast(t: Terms, node: Cast, stack: list[Node], _: _Found) -> None:
    t.functions.append(f"cast as {fold(node.type_name)}")
    stack.append(node.operand)


def _collate(t: Terms, node: Collate, stack: list[Node], _: _Found) -> None:
    t.functions.append(f"collate {fold(node.collation)}")
    stack.append(node.operand)


def _query(_: Terms, __: Node, ___: list[Node], found: _Found) -> None:
    found.columns.append(QUERY)


def _call(t: Terms, node: Call, stack: list[Node], found: _Found) -> None:
    if node.window is not None:
        t.functions.append(t.shapes[node.at])
        found.columns.append(AGGREGATE)
    elif is_aggregate(node):
        t.aggregates.append(_aggregate(t, node, found))
        found.columns.append(AGGREGATE)
    else:
        name, arguments = fold(node.name), node.arguments
        t.functions.append(name)
        if name in _CONDITIONALS and arguments:
            t.inside(arguments[0], stack)
            arguments = arguments[1:]
        stack += reversed(arguments)


def _aggregate(t: Terms, node: Call, found: _Found) -> str:
    """Its name, DISTINCT, and the columns that it is over; their values are the expression's."""
    over = _Found([], found.values)
    t.gather(list(node.arguments[::-1]), over)
    order = "" if node.order is None else f" {t.shapes[node.order.at]}"
    inside = "*" if node.star else ", ".join(over.columns)
    return f"{fold(node.name)}({'distinct ' if node.distinct else ''}{inside}{order})"


def _case(t: Terms, node: Case, stack: list[Node], _: _Found) -> None:
    """What its conditions say is compared as conditions are, not as columns of the item."""
    t.functions.append(f"case {len(node.whens)}{'' if node.default is None else ' else'}")
    parts: list[Node] = [] if node.operand is None else [node.operand]
    for when in node.whens:
        if node.operand is not None:
            parts.append(when.condition)
        parts.append(when.result)
    parts += [] if node.default is None else [node.default]
    stack += reversed(parts)
    for when in node.whens if node.operand is None else ():
        t.inside(when.condition, stack)


def _condition(t: Terms, node: Expression, stack: list[Node], found: _Found) -> None:
    inside = t.inside(node, stack)
    if inside is not None:
        # BETWEEN has two atoms of one key: without dict, a chain of them would double its columns.
        found.columns.extend(dict.fromkeys(atom.key for atom in inside.atoms if atom.key))


_READ: dict[type[Node], Callable[[Terms, Any, list[Node], _Found], None]] = {
    Column: _column,
    Literal: _value,
    Parameter: _value,
    Unary: _unary,
    Binary: _binary,
    Cast: _cast,
    Collate: _collate,
    Subquery: _query,
    Call: _call,
    Case: _case,
    **dict.fromkeys((Comparison, Like, Between, In, NullTest, Exists, Not, Logical), _condition),
}
