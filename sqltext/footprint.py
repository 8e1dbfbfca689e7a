"""What a query touches: its tables, columns and string values (DESIGN section 5b)."""

from __future__ import annotations

from sqltext.clauses import Join, Select, TableSource
from sqltext.expressions import Column, Literal, Node
from sqltext.lexer import fold, unquote
from sqltext.schema import ROWID
from sqltext.scope import Scopes, Source


def footprint(scopes: Scopes) -> frozenset[str]:
    """The tagged items of a resolved query: ``table:``, ``column:`` and ``value:``.

    Names are in lower case; a column stands as table.column where the schema has it, and bare
    otherwise, as that of a CTE or a subquery does. Values are strings, letter for letter. Numbers,
    ``*``, output aliases and the names of CTEs are left out.
    """
    found: set[str] = set()
    for node in scopes.parsed.nodes:
        kind = type(node)
        if kind is Column:
            _add_column(scopes, node, found)
        elif kind is Literal:
            _add_value(node, found)
        elif kind is TableSource:
            _add_table(scopes, node, found)
        elif kind is Join:
            _add_using(scopes, node, found)
    return frozenset(found)


def sorted_footprint(scopes: Scopes) -> tuple[str, ...]:
    """The footprint in one order.

    >>> from sqltext.parse import parse
    >>> from sqltext.scope import resolve
    >>> sorted_footprint(resolve(parse("SELECT t.A FROM Flights t WHERE b = 'X' AND c > 5")))
    ('column:a', 'column:b', 'column:c', 'table:flights', 'value:X')
    """
    return tuple(sorted(footprint(scopes)))


def _add_column(scopes: Scopes, node: Node, found: set[str]) -> None:
    assert isinstance(node, Column)
    resolved = scopes.columns[node]
    if resolved.kind == "value":
        found.add(f"value:{resolved.name}")
    elif resolved.kind != "alias":
        found.add(_column(resolved.source, resolved.name))


def _column(source: Source | None, name: str) -> str:
    table = None if source is None else source.table
    if table is None or not (name in table.folded or name in ROWID):
        return f"column:{name}"
    return f"column:{fold(table.name)}.{name}"


def _add_value(node: Node, found: set[str]) -> None:
    assert isinstance(node, Literal)
    if node.kind == "string":
        found.add(f"value:{unquote(node.text)}")


def _add_table(scopes: Scopes, node: Node, found: set[str]) -> None:
    """A function in the place of a table is no table."""
    assert isinstance(node, TableSource)
    source = scopes.by_node[node]
    if source.table_name and node.arguments is None:
        found.add(f"table:{source.table_name}")


def _add_using(scopes: Scopes, node: Node, found: set[str]) -> None:
    """USING names a column of the joined table and of one before it."""
    assert isinstance(node, Join)
    if not node.using:
        return
    sources = scopes.sources[_select_of(node)]
    for written in node.using:
        name = fold(written)
        having = [source for source in sources if source.has(name)]
        found.update(_column(source, name) for source in having)
        if not having:
            found.add(f"column:{name}")


def _select_of(node: Node) -> Node:
    at = node.parent
    while not isinstance(at, Select):
        assert at is not None
        at = at.parent
    return at
