"""The comparable parts of one query, read in one pass over its nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqltext.clauses import (
    Compound,
    Cte,
    From,
    GroupBy,
    Having,
    Item,
    Limit,
    NestedSource,
    OrderBy,
    Query,
    QuerySource,
    Select,
    TableSource,
    Values,
    Where,
    Window,
)
from sqltext.conditions import Condition, Operand
from sqltext.expressions import Call, Exists, In, Node, Subquery
from sqltext.forms import PrintedForms, print_forms, print_nodes
from sqltext.scope import Scopes
from sqltext.shapes import ShapePrinter
from sqltext.terms import Terms


class Clause(NamedTuple):
    """A clause that is compared by its text: its shape, and both its forms."""

    shape: str
    structural: str
    exact: str


@dataclass(frozen=True, slots=True)
class Features:
    """What `sqltext.classify.aspects` holds against another query's; lists are over all SELECTs.

    ``first`` is the place of the outermost query's first core in ``distinct`` and ``items``.
    """

    exact: str
    clauses: tuple[str, ...]
    set_operations: tuple[str, ...]
    arms: tuple[str, ...]
    tables: frozenset[str]
    joins: tuple[Clause, ...]
    subqueries: tuple[str, ...]
    grouping: tuple[Clause, ...]
    having: tuple[Clause, ...]
    aggregates: tuple[str, ...]
    first: int
    distinct: tuple[bool, ...]
    items: tuple[tuple[Operand, ...], ...]
    where: tuple[Condition, ...]
    inner: tuple[Condition, ...]
    arithmetic: tuple[str, ...]
    functions: tuple[str, ...]
    order: tuple[Clause, ...]
    limit: tuple[str, ...]


@dataclass(slots=True)
class _Reader:
    """What has been read so far."""

    terms: Terms
    printed: PrintedForms
    set_operations: list[str] = field(default_factory=list)
    arms: list[str] = field(default_factory=list)
    tables: set[str] = field(default_factory=set)
    joins: list[Clause] = field(default_factory=list)
    subqueries: list[str] = field(default_factory=list)
    grouping: list[Clause] = field(default_factory=list)
    having: list[Clause] = field(default_factory=list)
    cores: list[Node] = field(default_factory=list)
    distinct: list[bool] = field(default_factory=list)
    items: list[tuple[Operand, ...]] = field(default_factory=list)
    where: list[Condition] = field(default_factory=list)
    order: list[Clause] = field(default_factory=list)
    limit: list[str] = field(default_factory=list)
    first: int = 0
    windows: bool = False

    def clause(self, node: Node) -> Clause:
        """A clause's texts."""
        at = node.at
        return Clause(self.terms.shapes[at], self.printed.structural[at], self.printed.exact[at])


def features(scopes: Scopes, printed: PrintedForms | None = None) -> Features:
    """The comparable parts of a resolved query; ``printed`` are its forms, if they are at hand."""
    printed = printed or print_forms(scopes)
    parsed = scopes.parsed
    shapes = print_nodes(parsed, ShapePrinter(scopes))
    reader = _Reader(Terms(scopes, shapes, printed.exact), printed)
    for node in parsed.nodes:
        read = _READ.get(type(node))
        if read is not None:
            read(reader, node)
    return _features(reader, parsed.query)


def _features(r: _Reader, query: Query) -> Features:
    return Features(
        exact=r.printed.exact[-1],
        clauses=_clauses(r, query),
        set_operations=tuple(r.set_operations),
        arms=tuple(r.arms),
        tables=frozenset(r.tables),
        joins=tuple(sorted(r.joins)),
        subqueries=tuple(sorted(r.subqueries)),
        grouping=tuple(r.grouping),
        having=tuple(r.having),
        aggregates=tuple(sorted(r.terms.aggregates)),
        first=r.first,
        distinct=tuple(r.distinct),
        items=tuple(r.items),
        where=tuple(r.where),
        inner=tuple(r.terms.inner),
        arithmetic=tuple(sorted(r.terms.arithmetic)),
        functions=tuple(sorted(r.terms.functions)),
        order=tuple(r.order),
        limit=tuple(r.limit),
    )


def _clauses(r: _Reader, query: Query) -> tuple[str, ...]:
    """What the outermost query has, in the order it would be written."""
    cores = [core for core in query.cores if isinstance(core, Select)]
    sources = [core.source for core in cores if core.source is not None]
    found = {
        "cte": query.with_ is not None,
        **{op.op.lower().replace(" ", "_"): True for op in query.operators},
        "join": any(_is_joined(source) for source in sources),
        "where": any(core.where is not None for core in cores),
        "subquery": any(use != "cte" for use in r.subqueries),
        "group": any(core.group is not None for core in cores),
        "having": any(core.having is not None for core in cores),
        "window": r.windows,
        "order": query.order is not None,
        "limit": query.limit is not None,
    }
    return tuple(name for name, there in found.items() if there)


def _is_joined(source: From | NestedSource) -> bool:
    if source.joins:
        return True
    return isinstance(source.source, NestedSource) and _is_joined(source.source)


def _select(r: _Reader, node: Select) -> None:
    r.cores.append(node)
    r.distinct.append(node.quantifier == "DISTINCT")
    r.items.append(tuple(_item(r, item) for item in node.items))
    source = node.source
    if source is not None and _is_joined(source):
        r.joins.append(r.clause(source))


def _item(r: _Reader, node: Node) -> Operand:
    if isinstance(node, Item):
        return r.terms.operand(node.value)
    return Operand((r.terms.shapes[node.at],), ())


def _values(r: _Reader, node: Values) -> None:
    r.cores.append(node)
    r.distinct.append(False)
    r.items.append(tuple(r.terms.operand(item) for row in node.rows for item in row.items))


def _compound(r: _Reader, node: Compound) -> None:
    r.set_operations.append(node.op)


def _query(r: _Reader, node: Query) -> None:
    if node.parent is None:
        r.first = r.cores.index(node.cores[0])
    if node.operators:
        r.arms += [r.printed.exact[core.at] for core in node.cores]


def _table_source(r: _Reader, node: TableSource) -> None:
    source = r.terms.scopes.by_node[node]
    if source.table_name:
        r.tables.add(source.table_name)


def _where(r: _Reader, node: Where) -> None:
    r.where.append(r.terms.condition(node.condition))


def _group_by(r: _Reader, node: GroupBy) -> None:
    r.grouping.append(r.clause(node))


def _having(r: _Reader, node: Having) -> None:
    r.having.append(r.clause(node))


def _order_by(r: _Reader, node: OrderBy) -> None:
    """That of a query; inside a call it is a part of what the call says."""
    if isinstance(node.parent, Query):
        r.order.append(r.clause(node))


def _limit(r: _Reader, node: Limit) -> None:
    r.limit.append(r.printed.exact[node.at])


def _call(r: _Reader, node: Call) -> None:
    r.windows |= node.window is not None


def _window(r: _Reader, node: Window) -> None:
    """One that a WINDOW clause names; one after OVER is printed with its call."""
    if node.name:
        r.terms.functions.append(r.terms.shapes[node.at])


def _used(use: str) -> Callable[[_Reader, Any], None]:
    def read(r: _Reader, _: Node) -> None:
        r.subqueries.append(use)

    return read


def _in(r: _Reader, node: In) -> None:
    if node.query is not None or node.table is not None:
        r.subqueries.append("in")


_READ: dict[type[Node], Callable[[_Reader, Any], None]] = {
    Select: _select,
    Values: _values,
    Compound: _compound,
    Query: _query,
    TableSource: _table_source,
    Where: _where,
    GroupBy: _group_by,
    Having: _having,
    OrderBy: _order_by,
    Limit: _limit,
    Call: _call,
    Window: _window,
    Cte: _used("cte"),
    QuerySource: _used("from"),
    Exists: _used("exists"),
    Subquery: _used("scalar"),
    In: _in,
}
