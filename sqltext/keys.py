"""Three facts about a gold that its text and its tables' keys settle (DESIGN section 5, flags).

Each is a doubt: it is set unless it is proven that the answer does not hang on the order in which
an engine happens to read rows. What is not understood is not proven.
"""

from __future__ import annotations

from sqltext.bare_columns import group_keys, has_bare_column
from sqltext.clauses import OrderBy, Query, Select, Values
from sqltext.dependencies import Attribute
from sqltext.expressions import Call, Column, Exists
from sqltext.form_printer import bare
from sqltext.rows import Rows, Value, position, rows_of
from sqltext.scope import Scopes

GOLD_FLAGS = ("gold_cut", "gold_order_ties", "gold_bare_column")


def gold_flags(scopes: Scopes) -> tuple[str, ...]:
    """Those of `GOLD_FLAGS` that are set."""
    rows = rows_of(scopes)
    tests = (_is_cut, _has_ties, _has_bare_column)
    return tuple(name for name, holds in zip(GOLD_FLAGS, tests, strict=True) if holds(rows))


def gold_cut(scopes: Scopes) -> bool:
    """Whether a LIMIT or OFFSET may keep other rows on another day."""
    return _is_cut(rows_of(scopes))


def gold_order_ties(scopes: Scopes) -> bool:
    """Whether rows that differ may tie under the outermost ORDER BY."""
    return _has_ties(rows_of(scopes))


def gold_bare_column(scopes: Scopes) -> bool:
    """Whether a grouped SELECT anywhere shows a column that its groups do not fix."""
    return _has_bare_column(rows_of(scopes))


def _is_cut(rows: Rows) -> bool:
    queries = (node for node in rows.scopes.parsed.nodes if isinstance(node, Query))
    return any(query.limit is not None and not _harmless(rows, query) for query in queries)


def _has_ties(rows: Rows) -> bool:
    query = rows.scopes.parsed.query
    return query.order is not None and not _settled(rows, query)


def _has_bare_column(rows: Rows) -> bool:
    selects = (node for node in rows.scopes.parsed.nodes if isinstance(node, Select))
    return any(has_bare_column(rows, select) for select in selects)


def _harmless(rows: Rows, query: Query) -> bool:
    """Whether a cut keeps the same rows in any order: EXISTS asks only whether there are some."""
    return isinstance(query.parent, Exists) or _settled(rows, query)


def _settled(rows: Rows, query: Query) -> bool:
    """Whether the list of a query's rows is a function of its tables' rows."""
    if _one_row(rows, query):
        return True
    if not rows.plain or _has_window(rows):
        return False
    if len(query.cores) > 1 or not isinstance(query.cores[0], Select):
        return _orders_by_all_outputs(rows, query)
    return _settled_select(rows, query.cores[0], query.order)


def _has_window(rows: Rows) -> bool:
    return any(isinstance(n, Call) and n.window is not None for n in rows.scopes.parsed.nodes)


def _one_row(rows: Rows, query: Query) -> bool:
    """Whether there can be no second row, before any LIMIT."""
    core = query.cores[0]
    if len(query.cores) > 1:
        return False
    if isinstance(core, Values):
        return len(core.rows) == 1
    assert isinstance(core, Select)
    dependencies = rows.dependencies(core)
    found: set[Value] = set(dependencies.closure(()))
    if core.group is not None:
        return all(rows.determined(key, found) for key in group_keys(rows, core))
    return core.source is None or core in rows.aggregates or dependencies.one_row(found)


def _orders_by_all_outputs(rows: Rows, query: Query) -> bool:
    """Of a compound: rows that tie in every column cannot be told apart."""
    names = rows.scopes.outputs[query]
    if names is None or query.order is None:
        return False
    found: set[int] = set()
    for term in query.order.terms:
        at, inner = position(term.value), bare(term.value)
        if at is not None:
            found.add(at)
        elif isinstance(inner, Column) and rows.scopes.columns[inner].kind == "alias":
            found.add(_output_called(rows, query, rows.scopes.columns[inner].name))
    return found.issuperset(range(len(names)))


def _output_called(rows: Rows, query: Query, name: str) -> int:
    """The column of a compound that one of its cores calls ``name``, the first one first."""
    lists = (rows.scopes.outputs[core] or () for core in query.cores)
    return next(names.index(name) for names in lists if name in names)


def _settled_select(rows: Rows, select: Select, order: OrderBy | None) -> bool:
    terms = set() if order is None else {rows.key(select, term.value) for term in order.terms}
    outputs = rows.outputs(select)
    dependencies = rows.dependencies(select)
    if select.group is not None:
        keys = group_keys(rows, select)
        fixed = set(dependencies.closure(_attributes(keys)))
        found = _close(rows, select, {t for t in terms if isinstance(t, str) or t in fixed})
        single = all(rows.determined(key, found) for key in keys)
    else:
        found = _close(rows, select, terms)
        single = dependencies.one_row(found)
    covered = outputs is not None and all(rows.determined(o, found | terms) for o in outputs)
    if select.quantifier == "DISTINCT":
        return covered and _shows(rows, select, outputs or [], terms)
    return single or covered


def _shows(rows: Rows, select: Select, outputs: list[Value], terms: set[Value]) -> bool:
    """Whether DISTINCT rows still fix what they are ordered by."""
    found = _close(rows, select, set(outputs))
    return all(rows.determined(term, found) for term in terms)


def _close(rows: Rows, select: Select, values: set[Value]) -> set[Value]:
    return values | rows.dependencies(select).closure(_attributes(values))


def _attributes(values: set[Value]) -> set[Attribute]:
    return {value for value in values if not isinstance(value, str)}
