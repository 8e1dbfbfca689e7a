"""The form of each clause, of sources, and of the query."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from sqltext.clauses import (
    Compound,
    Cte,
    From,
    GroupBy,
    Having,
    Item,
    Join,
    Limit,
    NestedSource,
    On,
    OrderBy,
    OrderTerm,
    Query,
    QuerySource,
    Select,
    Star,
    TableSource,
    Values,
    Where,
    Window,
    With,
)
from sqltext.expressions import Node
from sqltext.form_printer import Printer, name
from sqltext.lexer import fold

_SIDES = ("NATURAL", "LEFT", "RIGHT", "FULL", "CROSS")


@lru_cache(maxsize=100)
def join_operator(words: str) -> str:
    """A join in its one spelling: INNER and OUTER say nothing that is not said without them.

    >>> join_operator("LEFT OUTER JOIN"), join_operator("INNER JOIN"), join_operator(",")
    ('left join', 'join', ',')
    """
    if words == ",":
        return ","
    said = words.split()
    return " ".join([side.lower() for side in _SIDES if side in said] + ["join"])


def _window(node: Window, p: Printer) -> str:
    if not node.name and node.base and node.first + 1 == node.last:
        return name(node.base)
    partition = f"partition by {p.all(node.partition)}" if node.partition else ""
    order = "" if node.order is None else p.of(node.order)
    base = name(node.base) if node.base else ""
    inside = " ".join(part for part in (base, partition, order, _frame(node, p)) if part)
    return f"{name(node.name)} as ({inside})" if node.name else f"({inside})"


def _frame(node: Window, p: Printer) -> str:
    """The frame with its numbers of rows in the place of their marks."""
    first, *rest = node.frame.lower().split("#")
    bounds = zip(node.bounds, rest, strict=True)
    return first + "".join(p.operand(bound) + words for bound, words in bounds)


def _term(node: OrderTerm, p: Printer) -> str:
    direction = " desc" if node.direction == "DESC" else ""
    nulls = f" nulls {node.nulls.lower()}" if node.nulls else ""
    return p.of(node.value) + direction + nulls


def _order_by(node: OrderBy, p: Printer) -> str:
    return f"order by {p.all(node.terms)}"


def _limit(node: Limit, p: Printer) -> str:
    offset = "" if node.offset is None else f" offset {p.of(node.offset)}"
    return f"limit {p.of(node.count)}{offset}"


def _item(node: Item, p: Printer) -> str:
    return p.of(node.value) + (f" as {name(node.alias)}" if node.alias else "")


def _star(node: Star, p: Printer) -> str:
    if not node.table:
        return "*"
    for source in p.scopes.sources.get(_select_of(node), []):
        if source.name == fold(node.table):
            return f"{p.alias(source)}.*"
    return f"{name(node.table)}.*"


def _select_of(node: Node) -> Node:
    assert node.parent is not None
    return node.parent


def _table_source(node: TableSource, p: Printer) -> str:
    arguments = "" if node.arguments is None else f"({p.all(node.arguments)})"
    hint = f" {node.hint.lower()}" if node.hint else ""
    source = p.scopes.by_node[node]
    alias = f" as {p.alias(source)}" if source.number else ""  # a table after IN names nothing
    return f"{'.'.join(map(name, node.names))}{arguments}{alias}{hint}"


def _query_source(node: QuerySource, p: Printer) -> str:
    return f"({p.query(node.query)}) as {p.alias(p.scopes.by_node[node])}"


def _joined(node: From | NestedSource, p: Printer) -> str:
    return p.of(node.source) + "".join(p.of(join) for join in node.joins)


def _nested_source(node: NestedSource, p: Printer) -> str:
    return f"({_joined(node, p)})" + (f" as {name(node.alias)}" if node.alias else "")


def _join(node: Join, p: Printer) -> str:
    op = join_operator(node.op)
    using = f" using ({', '.join(map(name, node.using))})" if node.using else ""
    condition = "" if node.on is None else f" {p.of(node.on)}"
    return f"{'' if op == ',' else ' '}{op} {p.of(node.source)}{condition}{using}"


def _from(node: From, p: Printer) -> str:
    return f"from {_joined(node, p)}"


def _conditioned(word: str) -> Callable[[Any, Printer], str]:
    def clause(node: Any, p: Printer) -> str:
        return f"{word} {p.of(node.condition)}"

    return clause


def _group_by(node: GroupBy, p: Printer) -> str:
    return f"group by {p.all(node.keys)}"


def _select(node: Select, p: Printer) -> str:
    distinct = "distinct " if node.quantifier == "DISTINCT" else ""
    source, where = p.clause("", node.source), p.clause("", node.where)
    group, having = p.clause("", node.group), p.clause("", node.having)
    windows = f" window {p.all(node.windows)}" if node.windows else ""
    return f"select {distinct}{p.all(node.items)}{source}{where}{group}{having}{windows}"


def _values(node: Values, p: Printer) -> str:
    return f"values {p.all(node.rows)}"


def _compound(node: Compound, _: Printer) -> str:
    return node.op.lower()


def _cte(node: Cte, p: Printer) -> str:
    columns = f"({', '.join(map(name, node.columns))})" if node.columns else ""
    hint = f"{node.hint.lower()} " if node.hint else ""
    return f"{name(node.name)}{columns} as {hint}({p.query(node.query)})"


def _with(node: With, p: Printer) -> str:
    return f"with {'recursive ' if node.recursive else ''}{p.all(node.ctes)}"


def _query(node: Query, p: Printer) -> str:
    if node.operators or node.with_ is not None:
        return " ".join(p.of(part) for part in node.parts())
    return f"{p.of(node.cores[0])}{p.clause('', node.order)}{p.clause('', node.limit)}"


PRINT: dict[type[Node], Callable[[Any, Printer], str]] = {
    Window: _window,
    OrderTerm: _term,
    OrderBy: _order_by,
    Limit: _limit,
    Item: _item,
    Star: _star,
    TableSource: _table_source,
    QuerySource: _query_source,
    NestedSource: _nested_source,
    Join: _join,
    On: _conditioned("on"),
    From: _from,
    Where: _conditioned("where"),
    GroupBy: _group_by,
    Having: _conditioned("having"),
    Select: _select,
    Values: _values,
    Compound: _compound,
    Cte: _cte,
    With: _with,
    Query: _query,
}
