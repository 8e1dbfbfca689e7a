"""The nodes of a query that are no expressions: its clauses, sources and the query itself."""

from __future__ import annotations

from dataclasses import dataclass

from sqltext.expressions import Expression, Node, Row


@dataclass(slots=True, eq=False)
class Window(Node):
    """What stands after OVER, or a name's definition in a WINDOW clause."""

    name: str
    base: str
    partition: list[Expression]
    order: OrderBy | None
    bounds: list[Expression]
    frame: str
    PARTS = ("partition", "order", "bounds")


@dataclass(slots=True, eq=False)
class OrderTerm(Node):
    """x [ASC | DESC] [NULLS FIRST | LAST]."""

    value: Expression
    direction: str
    nulls: str
    PARTS = ("value",)


@dataclass(slots=True, eq=False)
class OrderBy(Node):
    """ORDER BY terms."""

    terms: list[OrderTerm]
    PARTS = ("terms",)


@dataclass(slots=True, eq=False)
class Limit(Node):
    """LIMIT count [OFFSET offset]; ``LIMIT offset, count`` has ``comma`` set."""

    count: Expression
    offset: Expression | None
    comma: bool
    PARTS = ("count", "offset")


@dataclass(slots=True, eq=False)
class Item(Node):
    """One column of an answer: x [[AS] alias]."""

    value: Expression
    alias: str
    PARTS = ("value",)


@dataclass(slots=True, eq=False)
class Star(Node):
    """* or table.*."""

    table: str


@dataclass(slots=True, eq=False)
class TableSource(Node):
    """[schema.]table [(arguments)] [[AS] alias] [INDEXED BY name | NOT INDEXED]."""

    names: tuple[str, ...]
    arguments: list[Expression] | None
    alias: str
    hint: str
    PARTS = ("arguments",)


@dataclass(slots=True, eq=False)
class QuerySource(Node):
    """(query) [[AS] alias] in a FROM."""

    query: Query
    alias: str
    PARTS = ("query",)


@dataclass(slots=True, eq=False)
class NestedSource(Node):
    """(source JOIN ...) [[AS] alias] in a FROM."""

    source: Node
    joins: list[Join]
    alias: str
    PARTS = ("source", "joins")


@dataclass(slots=True, eq=False)
class Join(Node):
    """operator source [ON x | USING (names)]; the operator ends at token ``op_last``."""

    op: str
    op_last: int
    source: Node
    on: On | None
    using: tuple[str, ...]
    PARTS = ("source", "on")


@dataclass(slots=True, eq=False)
class On(Node):
    """ON x."""

    condition: Expression
    PARTS = ("condition",)


@dataclass(slots=True, eq=False)
class From(Node):
    """FROM source joins."""

    source: Node
    joins: list[Join]
    PARTS = ("source", "joins")


@dataclass(slots=True, eq=False)
class Where(Node):
    """WHERE x."""

    condition: Expression
    PARTS = ("condition",)


@dataclass(slots=True, eq=False)
class GroupBy(Node):
    """GROUP BY keys."""

    keys: list[Expression]
    PARTS = ("keys",)


@dataclass(slots=True, eq=False)
class Having(Node):
    """HAVING x."""

    condition: Expression
    PARTS = ("condition",)


@dataclass(slots=True, eq=False)
class Select(Node):
    """SELECT [DISTINCT | ALL] items FROM ... WHERE ... GROUP BY ... HAVING ... WINDOW ..."""

    quantifier: str
    items: list[Node]
    source: From | None
    where: Where | None
    group: GroupBy | None
    having: Having | None
    windows: list[Window]
    PARTS = ("items", "source", "where", "group", "having", "windows")


@dataclass(slots=True, eq=False)
class Values(Node):
    """VALUES (row), (row)."""

    rows: list[Row]
    PARTS = ("rows",)


@dataclass(slots=True, eq=False)
class Compound(Node):
    """UNION, UNION ALL, INTERSECT or EXCEPT between two cores."""

    op: str


@dataclass(slots=True, eq=False)
class Cte(Node):
    """name [(columns)] AS [[NOT] MATERIALIZED] (query)."""

    name: str
    columns: tuple[str, ...]
    hint: str
    query: Query
    PARTS = ("query",)


@dataclass(slots=True, eq=False)
class With(Node):
    """WITH [RECURSIVE] ctes."""

    recursive: bool
    ctes: list[Cte]
    PARTS = ("ctes",)


@dataclass(slots=True, eq=False)
class Query(Node):
    """[WITH] core (compound core)* [ORDER BY] [LIMIT]; one operator fewer than cores."""

    with_: With | None
    cores: list[Node]
    operators: list[Compound]
    order: OrderBy | None
    limit: Limit | None

    def parts(self) -> list[Node]:
        """The children, in source order: cores and operators alternate."""
        found: list[Node] = [] if self.with_ is None else [self.with_]
        found.append(self.cores[0])
        for operator, core in zip(self.operators, self.cores[1:], strict=True):
            found += (operator, core)
        found += [part for part in (self.order, self.limit) if part is not None]
        return found
