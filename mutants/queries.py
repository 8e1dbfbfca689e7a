"""What a query is, where operators ask: grouped, one row, the outermost."""

from __future__ import annotations

from collections.abc import Iterator

from sqltext.clauses import Cte, Item, Query, QuerySource, Select
from sqltext.expressions import Call, Collate, Literal, Node, Paren
from sqltext.lexer import fold

FIVE_AGGREGATES = ("COUNT", "SUM", "AVG", "MIN", "MAX")
_MORE = frozenset(("TOTAL", "GROUP_CONCAT", "STRING_AGG", "JSON_GROUP_ARRAY", "JSON_GROUP_OBJECT"))


def is_aggregate(node: Node) -> bool:
    """Whether a node is a call that sums up the rows of a group; MIN(x, y) and windows are not."""
    if not isinstance(node, Call) or node.window is not None:
        return False
    name = fold(node.name).upper()
    if name in ("MIN", "MAX"):
        return len(node.arguments) == 1
    return name in FIVE_AGGREGATES or name in _MORE


def inside(node: Node) -> Iterator[Node]:
    """A node and all in it, in the order of the text, but not what queries in it hold."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        yield at
        waiting += [part for part in reversed(at.parts()) if not isinstance(part, Query)]


def has_aggregate(*nodes: Node | None) -> bool:
    """Whether any of the nodes sums up rows of its own SELECT."""
    return any(is_aggregate(part) for node in nodes if node is not None for part in inside(node))


def sums_up(select: Select) -> bool:
    """Whether a SELECT gives groups rather than rows."""
    return select.group is not None or has_aggregate(*select.items, select.having)


def gives_one_row(query: Query) -> bool:
    """Whether a query surely gives one row at most, by its shape."""
    if query.limit is not None and isinstance(query.limit.count, Literal):
        return query.limit.count.text in ("0", "1")
    core = query.cores[0]
    if len(query.cores) > 1 or not isinstance(core, Select):
        return False
    return core.group is None and has_aggregate(*core.items)


def is_read_by_name(node: Node) -> bool:
    """Whether a value is a column of an answer that another part of the query may read by name.

    So it is in a FROM, in a CTE and in the arms of a compound with an order, but not if an alias
    names it. Parentheses and COLLATE around it do not change its name.
    """
    item = node.parent
    while isinstance(item, Paren | Collate):
        item = item.parent
    select = item.parent if isinstance(item, Item) and not item.alias else None
    query = select.parent if select is not None else None
    if not isinstance(query, Query):
        return False
    ordered_arms = len(query.cores) > 1 and query.order is not None
    return ordered_arms or isinstance(query.parent, QuerySource | Cte)


def is_outermost(select: Select) -> bool:
    """Whether a SELECT is the whole query, not an arm of a compound nor a query inside another."""
    query = select.parent
    return isinstance(query, Query) and query.parent is None and len(query.cores) == 1


def is_recursive(query: Query) -> bool:
    """Whether a query stands under WITH RECURSIVE, whose arms have rules of their own."""
    cte = query.parent
    around = cte.parent if cte is not None else None
    return getattr(around, "recursive", False) is True
