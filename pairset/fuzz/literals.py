"""What golds compare the columns of tables with, and which columns they set equal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mutants.columns import known, source_of
from mutants.constants import NUMBER, Constant, constants
from sqltext.clauses import Query
from sqltext.expressions import Between, Column, Comparison, In, Like, Node
from sqltext.lexer import fold
from sqltext.scope import Scopes, Source

Value = int | float | str
At = tuple[str, str]
"""A column of a table, by folded names."""

LIKE = "like"
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Bound:
    """A constant that a column is compared with; ``source`` says which use of the table it is."""

    source: int
    column: At
    op: str
    value: Value


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one gold wants of its database: constants in columns, and columns that are equal.

    ``sources`` are the tables it uses by number, once for each use.
    """

    sources: dict[int, str] = field(default_factory=dict)
    bounds: tuple[Bound, ...] = ()
    equal: tuple[tuple[tuple[int, At], tuple[int, At]], ...] = ()


def wanted_by(scopes: Scopes) -> Wanted:
    """What the query of ``scopes`` wants."""
    numbers: dict[int, int] = {}
    sources: dict[int, str] = {}
    for found in scopes.sources.values():
        for source in found:
            if source.table is not None:
                numbers[id(source)] = len(numbers)
                sources[numbers[id(source)]] = fold(source.table.name)
    reader = _Reader(scopes, numbers)
    bounds = tuple(b for constant in constants(scopes) for b in reader.bound(constant))
    return Wanted(sources, bounds, tuple(reader.equalities()))


@dataclass(frozen=True, slots=True)
class _Reader:
    scopes: Scopes
    numbers: dict[int, int]

    def bound(self, constant: Constant) -> Iterator[Bound]:
        """The column that a constant is compared with, if there is one."""
        node, parent = _compared(constant.node)
        if parent is None:
            return
        op, others = _sides(node, parent)
        for other in others:
            for column in _columns(other):
                if (found := self.at(column)) is not None:
                    yield Bound(*found, op, value_of(constant))
                    return

    def equalities(self) -> Iterator[tuple[tuple[int, At], tuple[int, At]]]:
        """Two columns on the two sides of an equality, wherever it stands."""
        for node in self.scopes.parsed.nodes:
            if isinstance(node, Comparison) and node.op in ("=", "=="):
                left, right = self.at(node.left), self.at(node.right)
                if left is not None and right is not None:
                    yield left, right

    def at(self, node: Node) -> tuple[int, At] | None:
        """The use of a table and its column that a node names; subqueries are seen through."""
        found = source_of(self.scopes, node)
        base = None if found is None else known(self.scopes, *found)
        if found is None or base is None:
            return None
        table, column = base
        return self._number(found[0], table.name), (fold(table.name), fold(table.columns[column]))

    def _number(self, source: Source, table: str) -> int:
        if (number := self.numbers.get(id(source))) is not None:
            return number
        inner = (
            self.numbers[id(one)]
            for sources in self.scopes.sources.values()
            for one in sources
            if one.table is not None and fold(one.table.name) == fold(table)
        )
        return next(inner, -1)


def value_of(constant: Constant) -> Value:
    """A constant as SQLite would hold it."""
    if constant.kind != NUMBER:
        return constant.value
    return float(constant.value) if "." in constant.value else int(constant.value)


def _compared(node: Node) -> tuple[Node, Node | None]:
    """The side of a comparison that a constant is in, and the comparison."""
    parent = node.parent
    while parent is not None and not isinstance(parent, Comparison | In | Between | Like):
        if isinstance(parent, Query):
            return node, None
        node, parent = parent, parent.parent
    return node, parent


def _sides(node: Node, parent: Node) -> tuple[str, list[Node]]:
    """How the other sides are compared with the constant's: ``column op constant``."""
    if isinstance(parent, Comparison):
        if parent.left is node:
            return _FLIPPED.get(parent.op, parent.op), [parent.right]
        return parent.op, [parent.left]
    if isinstance(parent, Between):
        return ("<=" if parent.high is node else ">="), [parent.operand]
    if isinstance(parent, Like):
        return LIKE, [parent.left]
    assert isinstance(parent, In)
    return "=", [parent.operand]


def _columns(node: Node) -> Iterator[Column]:
    """The columns in an expression, not those of queries in it."""
    stack = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, Column):
            yield one
        elif not isinstance(one, Query):
            stack += reversed(one.parts())
