"""The expressions of a query. Every node knows its first and last token: its text is the author's.

Children stand in source order. ``at`` is a node's place in `sqltext.parse.Parsed.nodes`, which
lists children before their parents; ``parent`` is None for the query itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from sqltext.clauses import OrderBy, Query, TableSource, Where, Window


@dataclass(slots=True, eq=False)
class Node:
    """A stretch of the text, from token ``first`` to token ``last``."""

    first: int
    last: int
    at: int = field(default=-1, init=False)
    parent: Node | None = field(default=None, init=False, repr=False)

    PARTS: ClassVar[tuple[str, ...]] = ()

    def parts(self) -> list[Node]:
        """The children, in source order."""
        found: list[Node] = []
        for name in self.PARTS:
            value = getattr(self, name)
            if isinstance(value, list):
                found.extend(value)
            elif value is not None:
                found.append(value)
        return found


class Expression(Node):
    """What has a value."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Literal(Expression):
    """A value written out; ``kind`` is number, string, blob, null, bool or now (CURRENT_DATE)."""

    kind: str
    text: str


@dataclass(slots=True, eq=False)
class Parameter(Expression):
    """A place for a value: ?, ?1, :a, @a, $a."""

    text: str


@dataclass(slots=True, eq=False)
class Column(Expression):
    """A name that stands for a value; ``quote`` is the mark around its last part, or empty."""

    names: tuple[str, ...]
    quote: str


@dataclass(slots=True, eq=False)
class Unary(Expression):
    """-x, +x or ~x."""

    op: str
    operand: Expression
    PARTS = ("operand",)


@dataclass(slots=True, eq=False)
class Binary(Expression):
    """Arithmetic, bits, || and the JSON arrows."""

    op: str
    left: Expression
    right: Expression
    PARTS = ("left", "right")


@dataclass(slots=True, eq=False)
class Comparison(Expression):
    """= <> < <= > >= and IS [NOT] [DISTINCT FROM]; ``op`` is the plain spelling."""

    op: str
    left: Expression
    right: Expression
    PARTS = ("left", "right")


@dataclass(slots=True, eq=False)
class Logical(Expression):
    """x AND y, x OR y; a chain leans to the left."""

    op: str
    left: Expression
    right: Expression
    PARTS = ("left", "right")


@dataclass(slots=True, eq=False)
class Not(Expression):
    """NOT x."""

    operand: Expression
    PARTS = ("operand",)


@dataclass(slots=True, eq=False)
class Like(Expression):
    """x [NOT] LIKE | GLOB | REGEXP | MATCH y [ESCAPE z]."""

    op: str
    negated: bool
    left: Expression
    pattern: Expression
    escape: Expression | None
    PARTS = ("left", "pattern", "escape")


@dataclass(slots=True, eq=False)
class Between(Expression):
    """x [NOT] BETWEEN low AND high."""

    negated: bool
    operand: Expression
    low: Expression
    high: Expression
    PARTS = ("operand", "low", "high")


@dataclass(slots=True, eq=False)
class In(Expression):
    """x [NOT] IN (list), IN (query), IN table; exactly one of the three is there."""

    negated: bool
    operand: Expression
    items: list[Expression]
    query: Query | None
    table: TableSource | None
    PARTS = ("operand", "items", "query", "table")


@dataclass(slots=True, eq=False)
class NullTest(Expression):
    """x IS [NOT] NULL, ISNULL, NOTNULL, NOT NULL."""

    negated: bool
    operand: Expression
    PARTS = ("operand",)


@dataclass(slots=True, eq=False)
class Exists(Expression):
    """EXISTS (query)."""

    query: Query
    PARTS = ("query",)


@dataclass(slots=True, eq=False)
class Subquery(Expression):
    """(query) where a value stands."""

    query: Query
    PARTS = ("query",)


@dataclass(slots=True, eq=False)
class Paren(Expression):
    """(x)."""

    operand: Expression
    PARTS = ("operand",)


@dataclass(slots=True, eq=False)
class Row(Expression):
    """(x, y, ...)."""

    items: list[Expression]
    PARTS = ("items",)


@dataclass(slots=True, eq=False)
class Call(Expression):
    """A function: name([DISTINCT] arguments [ORDER BY]) [FILTER (WHERE x)] [OVER window]."""

    name: str
    distinct: bool
    star: bool
    arguments: list[Expression]
    order: OrderBy | None
    condition: Where | None
    window: Window | None
    PARTS = ("arguments", "order", "condition", "window")


@dataclass(slots=True, eq=False)
class Case(Expression):
    """CASE [x] WHEN y THEN z ... [ELSE w] END."""

    operand: Expression | None
    whens: list[When]
    default: Expression | None
    PARTS = ("operand", "whens", "default")


@dataclass(slots=True, eq=False)
class When(Node):
    """WHEN x THEN y."""

    condition: Expression
    result: Expression
    PARTS = ("condition", "result")


@dataclass(slots=True, eq=False)
class Cast(Expression):
    """CAST(x AS type); ``type_name`` is the type's words and sizes with single blanks."""

    operand: Expression
    type_name: str
    PARTS = ("operand",)


@dataclass(slots=True, eq=False)
class Collate(Expression):
    """x COLLATE name."""

    operand: Expression
    collation: str
    PARTS = ("operand",)
