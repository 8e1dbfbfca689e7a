"""The sources of every SELECT: the tables, queries and CTEs of its FROM, and their columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqltext.clauses import (
    Cte,
    From,
    Item,
    NestedSource,
    Query,
    QuerySource,
    Select,
    Star,
    TableSource,
    Values,
)
from sqltext.expressions import Collate, Column, Expression, Node, Paren
from sqltext.lexer import fold
from sqltext.limits import MAX_COLUMNS
from sqltext.parse import Parsed
from sqltext.schema import Schema, TableSchema


@dataclass(slots=True, eq=False)
class Source:
    """One entry of a FROM. ``columns`` are folded, or None where they are not known."""

    node: Node
    name: str
    table: TableSchema | None
    table_name: str
    columns: tuple[str, ...] | None
    number: int = 0

    def has(self, name: str) -> bool:
        """Whether it surely has a column of that folded name."""
        if self.table is not None:
            return name in self.table.folded
        return self.columns is not None and name in self.columns


@dataclass(slots=True, eq=False)
class Resolved:
    """What a column node stands for: ``kind`` is column, alias, value or unknown."""

    kind: str
    name: str
    source: Source | None = None


@dataclass(slots=True, eq=False)
class Scopes:
    """The sources of every SELECT of a query, and what each of its columns stands for.

    ``outer`` has the nearest SELECT with sources that each SELECT sees, or None.
    """

    parsed: Parsed
    schema: Schema
    sources: dict[Node, list[Source]] = field(default_factory=dict)
    outputs: dict[Node, tuple[str, ...] | None] = field(default_factory=dict)
    columns: dict[Column, Resolved] = field(default_factory=dict)
    by_node: dict[Node, Source] = field(default_factory=dict)
    outer: dict[Node, Node | None] = field(default_factory=dict)


def note_sources(scopes: Scopes) -> None:
    """Fill in the sources and outputs of every SELECT."""
    for node in scopes.parsed.nodes:
        note = _NOTE.get(type(node))
        if note is not None:
            note(scopes, node)


def _note_select(scopes: Scopes, node: Select) -> None:
    scopes.sources[node] = _sources_of(scopes, node.source)
    scopes.outputs[node] = _select_outputs(scopes, node)


def _note_values(scopes: Scopes, node: Values) -> None:
    scopes.outputs[node] = tuple(f"column{n + 1}" for n in range(len(node.rows[0].items)))


def _note_query(scopes: Scopes, node: Query) -> None:
    scopes.outputs[node] = scopes.outputs[node.cores[0]]


def _add_source(scopes: Scopes, node: TableSource | QuerySource) -> None:
    """A table after IN is no source of names, but has a number of its own."""
    if isinstance(node, QuerySource):
        name = fold(node.alias)
        source = Source(node, name, None, "", scopes.outputs[node.query])
    else:
        source = table_source(scopes, node)
    scopes.by_node[node] = source


def table_source(scopes: Scopes, node: TableSource) -> Source:
    """What a table in a FROM is: a table of the schema, a CTE, or one that nobody knows."""
    table_name = fold(node.names[-1])
    name = fold(node.alias) or table_name
    cte = _cte_of(node, table_name) if len(node.names) == 1 else None
    if cte is not None:
        return Source(node, name, None, "", _cte_columns(scopes, cte))
    table = scopes.schema.table(table_name) if node.arguments is None else None
    columns = tuple(table.folded) if table is not None else None
    return Source(node, name, table, table_name, columns)


def _cte_of(node: Node, name: str) -> Cte | None:
    """The CTE a table name means: the nearest WITH around it that has one of that name."""
    at: Node | None = node
    while at is not None:
        if isinstance(at, Query) and at.with_ is not None:
            for cte in at.with_.ctes:
                if fold(cte.name) == name:
                    return cte
        at = at.parent
    return None


def _cte_columns(scopes: Scopes, cte: Cte) -> tuple[str, ...] | None:
    """Its own names; a CTE that reads itself takes those of its first core."""
    if cte.columns:
        return tuple(fold(name) for name in cte.columns)
    return scopes.outputs.get(cte.query) or scopes.outputs.get(cte.query.cores[0])


def _sources_of(scopes: Scopes, node: Node | None) -> list[Source]:
    """The sources of a FROM in the order they stand in."""
    if node is None:
        return []
    if isinstance(node, From | NestedSource):
        found = _sources_of(scopes, node.source)
        for join in node.joins:
            found += _sources_of(scopes, join.source)
        return found
    return [scopes.by_node[node]]


def _select_outputs(scopes: Scopes, select: Select) -> tuple[str, ...] | None:
    """The folded names of the answer's columns, or None where a star hides them.

    No answer has more than `MAX_COLUMNS`: stars over stars that double them end there.
    """
    names: list[str] = []
    for item in select.items:
        if isinstance(item, Star):
            starred = _star_columns(scopes.sources[select], fold(item.table))
            if starred is None or len(names) + len(starred) > MAX_COLUMNS:
                return None
            names += starred
        elif isinstance(item, Item):
            names.append(output_name(scopes.parsed, item))
    return tuple(names)


def _star_columns(sources: list[Source], table: str) -> list[str] | None:
    names: list[str] = []
    for source in sources:
        if table and source.name != table:
            continue
        if source.columns is None:
            return None
        names += source.columns
    return names


def output_name(parsed: Parsed, item: Item) -> str:
    """The folded name of one column of an answer: its alias, its column's name, or its text.

    Parentheses and COLLATE hide no column from a query around it (select.c,
    sqlite3ColumnsFromExprList); they are of the text where there is none in them.
    """
    if item.alias:
        return fold(item.alias)
    inner = shown(item.value)
    if isinstance(inner, Column):
        return fold(inner.names[-1])
    return fold(parsed.text(item.value))


def shown(value: Expression) -> Expression:
    """What an item shows, without the parentheses and COLLATE around it."""
    while isinstance(value, Paren | Collate):
        value = value.operand
    return value


# What each kind of node adds; children come before parents, so what a node needs is there.
_NOTE: dict[type[Node], Callable[[Scopes, Any], None]] = {
    TableSource: _add_source,
    QuerySource: _add_source,
    Select: _note_select,
    Values: _note_values,
    Query: _note_query,
}
