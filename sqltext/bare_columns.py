"""Bare columns: those a grouped SELECT shows and its groups do not fix, so that any row's may do.

https://sqlite.org/lang_select.html#bareagg
"""

from __future__ import annotations

from collections.abc import Iterator

from sqltext.clauses import Query, Select, Star
from sqltext.dependencies import Attribute
from sqltext.expressions import Call, Column, Node
from sqltext.form_printer import bare
from sqltext.lexer import fold
from sqltext.rows import Rows, Value


def has_bare_column(rows: Rows, select: Select) -> bool:
    """Whether ``select`` is grouped, and shows or orders by a column its groups do not fix."""
    calls = rows.aggregates.get(select, [])
    if select.group is None and not calls:
        return False
    keys = group_keys(rows, select)
    dependencies = rows.dependencies(select)
    attributes = {key for key in keys if not isinstance(key, str)}
    fixed: set[Value] = {*dependencies.closure(attributes), *keys} if rows.plain else set()
    extreme = _extreme(rows, select, calls)
    if extreme is not None and dependencies.one_row(dependencies.closure({*attributes, extreme})):
        return False
    return any(_is_bare(rows, select, node, fixed) for node in _shown(select))


def group_keys(rows: Rows, select: Select) -> set[Value]:
    """What ``select`` groups by; nothing where it is one group."""
    if select.group is None:
        return set()
    return {rows.key(select, key) for key in select.group.keys}


def _extreme(rows: Rows, select: Select, calls: list[Call]) -> Attribute | None:
    """The column of a lone min() or max(): bare columns are then of the row it is found in."""
    extremes = [call for call in calls if fold(call.name) in ("min", "max")]
    if len({rows.exact[call.at] for call in extremes}) != 1 or extremes[0].condition is not None:
        return None
    value = rows.value(select, extremes[0].arguments[0])
    return None if isinstance(value, str) else value


def _shown(select: Select) -> Iterator[Node]:
    """What a bare column may be seen in; a single group has no order."""
    yield from select.items
    if select.having is not None:
        yield select.having.condition
    query = select.parent
    if select.group is not None and isinstance(query, Query) and query.order is not None:
        yield from (term.value for term in query.order.terms)


def _is_bare(rows: Rows, select: Select, node: Node, fixed: set[Value]) -> bool:
    stack = [node]
    while stack:
        at = bare(stack.pop())
        if rows.exact[at.at] in fixed or at in rows.aggregates.get(select, ()):
            continue
        if isinstance(at, Star) and not _star_is_fixed(rows, select, at, fixed):
            return True
        if isinstance(at, Column) and not _is_fixed(rows, select, at, fixed):
            return True
        stack += at.parts()
    return False


def _star_is_fixed(rows: Rows, select: Select, star: Star, fixed: set[Value]) -> bool:
    if star.parent is not select:
        return True
    columns = rows.starred(select, star)
    return columns is not None and fixed.issuperset(columns)


def _is_fixed(rows: Rows, select: Select, column: Column, fixed: set[Value]) -> bool:
    """A column of another SELECT is none of ours; one that nobody knows may be."""
    resolved = rows.scopes.columns[column]
    if resolved.kind in ("value", "alias"):
        return True
    if resolved.source is None:
        return False
    own = resolved.source in rows.scopes.sources[select]
    return not own or (resolved.source, resolved.name) in fixed
