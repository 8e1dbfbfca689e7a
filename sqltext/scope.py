"""Which source each column belongs to, as SQLite resolves names (resolve.c, lookupName).

A name without a table is looked for in the sources of its SELECT, then among that SELECT's output
aliases, then one SELECT further out. A name that is all of an ORDER BY term is an alias first. A
double-quoted name that is found nowhere is a text value.
"""

from __future__ import annotations

from sqltext.clauses import Item, Join, NestedSource, Query, Select
from sqltext.expressions import Column, Node
from sqltext.lexer import fold
from sqltext.parse import Parsed
from sqltext.schema import NO_SCHEMA, ROWID, Schema
from sqltext.sight import ALIASES_FIRST, ALIASES_LAST, Sight, View
from sqltext.sources import Resolved, Scopes, Source, note_sources, output_name

__all__ = ["Resolved", "Scopes", "Source", "output_name", "resolve"]


def resolve(parsed: Parsed, schema: Schema = NO_SCHEMA) -> Scopes:
    """Resolve every name of ``parsed``.

    The sources of a SELECT are numbered from 1, or from where the SELECTs that it sees end: so a
    number says one source wherever it can be seen, and two subqueries may change places.
    """
    scopes = Scopes(parsed, schema)
    note_sources(scopes)
    sight = Sight()
    for select in scopes.sources:
        _number(scopes, select, sight)
    for node in parsed.nodes:
        if type(node) is Column:
            scopes.columns[node] = look_up(scopes, node, sight)
    return scopes


def _number(scopes: Scopes, select: Node, sight: Sight) -> None:
    """Outer SELECTs are numbered before inner ones, wherever an inner one stands."""
    if select in scopes.outer:
        return
    outer = next((view.node for view in sight.of(select) if scopes.sources.get(view.node)), None)
    scopes.outer[select] = outer
    first = 1
    if outer is not None:
        _number(scopes, outer, sight)
        first += scopes.sources[outer][-1].number
    for number, source in enumerate(scopes.sources[select], first):
        source.number = number


def look_up(scopes: Scopes, column: Column, sight: Sight) -> Resolved:
    """What a column node stands for, where it stands."""
    name = fold(column.names[-1])
    qualifier = fold(column.names[-2]) if len(column.names) > 1 else ""
    seen = sight.of(column)
    for view in seen:
        found = _in_view(scopes, view, qualifier, name)
        if found is not None:
            return found
        if any(source.columns is None for source in scopes.sources.get(view.node, ())):
            return _found_nowhere(scopes, column, seen, unsure=True)
    return _found_nowhere(scopes, column, seen, unsure=False)


def _in_view(scopes: Scopes, view: View, qualifier: str, name: str) -> Resolved | None:
    sources = scopes.sources.get(view.node)
    if sources is None:
        return _in_compound(scopes, view.node, name) if not qualifier else None
    if qualifier:
        return _among([s for s in sources if s.name == qualifier], name, named=True)
    if view.aliases == ALIASES_FIRST and _is_alias(view.node, name):
        return Resolved("alias", name)
    found = _among(sources, name, named=False)
    if found is not None:
        return found
    if name in ROWID and len(sources) == 1 and sources[0].table is not None:
        return Resolved("column", name, sources[0])
    if view.aliases == ALIASES_LAST and _is_alias(view.node, name):
        return Resolved("alias", name)
    return None


def _in_compound(scopes: Scopes, query: Node, name: str) -> Resolved | None:
    assert isinstance(query, Query)
    if any(name in (scopes.outputs[core] or ()) for core in query.cores):
        return Resolved("alias", name)
    return None


def _among(sources: list[Source], name: str, *, named: bool) -> Resolved | None:
    """The one source that has the column; a name that two have is an error to SQLite.

    One that is ``named`` is believed to have what nobody knows that it has not.
    """
    having = [s for s in sources if s.has(name) or (named and _may_have(s, name))]
    if not having:
        return None
    if any(not _is_merged(source, name) for source in having[1:]):
        return Resolved("unknown", name)
    return Resolved("column", name, having[0])


def _may_have(source: Source, name: str) -> bool:
    return source.columns is None or (name in ROWID and source.table is not None)


def _is_merged(source: Source, name: str) -> bool:
    """Whether a join makes one column of this source's and the one before it."""
    at = source.node.parent
    while isinstance(at, Join | NestedSource):
        if isinstance(at, Join) and ("NATURAL" in at.op or name in map(fold, at.using)):
            return True
        at = at.parent
    return False


def _is_alias(select: Node, name: str) -> bool:
    assert isinstance(select, Select)
    return any(
        isinstance(item, Item) and item.alias and fold(item.alias) == name for item in select.items
    )


def _found_nowhere(scopes: Scopes, column: Column, seen: list[View], *, unsure: bool) -> Resolved:
    """``unsure``: a source around it has columns that are not known, so it may be one of them.

    A qualifier that is a source's is taken at the author's word, though the schema lacks the
    column: gold queries name columns that their corpus' own schema has forgotten.
    """
    written = column.names[-1]
    name = fold(written)
    if len(column.names) > 1:
        qualifier = fold(column.names[-2])
        sources = (source for view in seen for source in scopes.sources.get(view.node, ()))
        named = next((source for source in sources if source.name == qualifier), None)
        return Resolved("unknown" if named is None else "column", name, named)
    if column.quote not in ("'", '"'):
        return Resolved("unknown", name)
    if unsure and (not scopes.schema or scopes.schema.has_column(name)):
        return Resolved("unknown", name)
    return Resolved("value", written)
