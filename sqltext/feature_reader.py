"""What each node of a query adds to the parts that are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
from sqltext.conditions import Operand
from sqltext.expressions import Call, Exists, In, Node, Subquery
from sqltext.forms import PrintedForms
from sqltext.scope import Scopes
from sqltext.terms import Terms


class Clause(NamedTuple):
    """A clause that is compared by its text: its shape, and both its forms."""

    shape: str
    structural: str
    exact: str


Contribution = list[tuple[str, Any]]
"""What one node adds: names of features, or of what they are made from, each with a value."""


class FeatureReader:
    """Reads the nodes of one query, one at a time; what one adds depends on its subtree alone."""

    def __init__(self, scopes: Scopes, printed: PrintedForms, shapes: list[str]) -> None:
        self.terms = Terms(scopes, shapes, printed.exact)
        self.printed = printed
        self._found: Contribution = []

    def read(self, node: Node) -> Contribution | None:
        """What ``node`` adds; None for a node of a kind that never adds anything."""
        read = _READ.get(type(node))
        if read is None:
            return None
        self._found = []
        read(self, node)
        self._found += self.terms.taken()
        return self._found

    def read_all(self, nodes: Iterable[Node]) -> dict[int, Contribution]:
        """What each of ``nodes`` adds, by its place; those that never add anything are left out."""
        found: dict[int, Contribution] = {}
        for node in nodes:
            contribution = self.read(node)
            if contribution is not None:
                found[node.at] = contribution
        return found

    def add(self, name: str, value: object) -> None:
        """Note what the node adds to a feature."""
        self._found.append((name, value))

    def clause(self, node: Node) -> Clause:
        """A clause's texts."""
        at = node.at
        return Clause(self.terms.shapes[at], self.printed.structural[at], self.printed.exact[at])


def is_joined(source: From | NestedSource) -> bool:
    """Whether there is more than one table in a FROM."""
    if source.joins:
        return True
    return isinstance(source.source, NestedSource) and is_joined(source.source)


def _select(r: FeatureReader, node: Select) -> None:
    r.add("cores", node)
    r.add("distinct", node.quantifier == "DISTINCT")
    r.add("items", tuple(_item(r, item) for item in node.items))
    source = node.source
    if source is not None and is_joined(source):
        r.add("joins", r.clause(source))


def _item(r: FeatureReader, node: Node) -> Operand:
    if isinstance(node, Item):
        return r.terms.operand(node.value)
    return Operand((r.terms.shapes[node.at],), ())


def _values(r: FeatureReader, node: Values) -> None:
    r.add("cores", node)
    r.add("distinct", False)
    r.add("items", tuple(r.terms.operand(item) for row in node.rows for item in row.items))


def _compound(r: FeatureReader, node: Compound) -> None:
    r.add("set_operations", node.op)


def _query(r: FeatureReader, node: Query) -> None:
    if node.operators:
        for core in node.cores:
            r.add("arms", r.printed.exact[core.at])


def _table_source(r: FeatureReader, node: TableSource) -> None:
    source = r.terms.scopes.by_node[node]
    if source.table_name:
        r.add("tables", source.table_name)


def _where(r: FeatureReader, node: Where) -> None:
    r.add("where", r.terms.condition(node.condition))


def _group_by(r: FeatureReader, node: GroupBy) -> None:
    r.add("grouping", r.clause(node))


def _having(r: FeatureReader, node: Having) -> None:
    r.add("having", r.clause(node))


def _order_by(r: FeatureReader, node: OrderBy) -> None:
    """That of a query; inside a call it is a part of what the call says."""
    if isinstance(node.parent, Query):
        r.add("order", r.clause(node))


def _limit(r: FeatureReader, node: Limit) -> None:
    r.add("limit", r.printed.exact[node.at])


def _call(r: FeatureReader, node: Call) -> None:
    if node.window is not None:
        r.add("windows", True)


def _window(r: FeatureReader, node: Window) -> None:
    """One that a WINDOW clause names; one after OVER is printed with its call."""
    if node.name:
        r.add("functions", r.terms.shapes[node.at])


def _used(use: str) -> Callable[[FeatureReader, Any], None]:
    def read(r: FeatureReader, _: Node) -> None:
        r.add("subqueries", use)

    return read


def _in(r: FeatureReader, node: In) -> None:
    if node.query is not None or node.table is not None:
        r.add("subqueries", "in")


_READ: dict[type[Node], Callable[[FeatureReader, Any], None]] = {
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
