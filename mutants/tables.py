"""The tables of a schema beside those of a query: keys that lead to them, names they share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from mutants.columns import source_of
from mutants.gold import Gold
from sqltext.clauses import Join, Select, Star
from sqltext.expressions import Column, Node
from sqltext.lexer import fold
from sqltext.schema import Schema, TableSchema
from sqltext.scope import Source


class Reference(NamedTuple):
    """A foreign key seen from one of its tables: its columns here, and the other table's."""

    own: tuple[str, ...]
    table: TableSchema
    other: tuple[str, ...]


@lru_cache(maxsize=4096)
def references_from(schema: Schema, table_name: str) -> tuple[Reference, ...]:
    """The foreign keys of a table, as it sees them; a schema is its own key."""
    table = schema.table(table_name)
    return () if table is None else tuple(_from(schema, table))


@lru_cache(maxsize=4096)
def references_to(schema: Schema, table_name: str) -> tuple[Reference, ...]:
    """The foreign keys of other tables that refer to a table, as it sees them."""
    table = schema.table(table_name)
    return () if table is None else tuple(_to(schema, table))


def _from(schema: Schema, table: TableSchema) -> Iterator[Reference]:
    for own, name, columns in table.foreign_keys:
        other = schema.table(name)
        target = _target(other, columns)
        if other is not None and other is not table and len(target) == len(own):
            yield Reference(own, other, target)


def _to(schema: Schema, table: TableSchema) -> Iterator[Reference]:
    for other in schema.tables.values():
        for own, name, columns in other.foreign_keys:
            target = _target(table, columns)
            if schema.table(name) is table and other is not table and len(target) == len(own):
                yield Reference(target, other, own)


def _target(table: TableSchema | None, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns a foreign key refers to; one that names none means the primary key."""
    if table is None:
        return ()
    if all(columns):
        return columns if all(fold(name) in table.folded for name in columns) else ()
    return tuple(table.keys[0]) if table.keys and len(table.keys[0]) == 1 else ()


def is_read(gold: Gold, source: Node, but_in: Node) -> bool:
    """Whether anything reads a source of a FROM, other than the nodes of ``but_in``."""
    mine = gold.scopes.by_node.get(source)
    if mine is None or mine.columns is None:
        return True
    outside = (node for node in gold.parsed.nodes if not but_in.first <= node.first <= but_in.last)
    return any(_may_read(gold, node, mine) for node in outside)


def _may_read(gold: Gold, node: Node, source: Source) -> bool:
    if isinstance(node, Join):
        return any(source.has(fold(name)) for name in node.using)
    resolved = gold.scopes.columns.get(node) if isinstance(node, Column) else None
    return resolved is not None and (resolved.source is source or resolved.kind == "unknown")


def columns_read(gold: Gold, source: Source) -> set[str]:
    """The folded names of a source's columns that the query reads, or joins it by with USING."""
    found = (source_of(gold.scopes, node) for node in gold.scopes.columns)
    read = {name for owner, name in (one for one in found if one) if owner is source}
    joins = (node for node in gold.parsed.nodes if isinstance(node, Join))
    shared = {fold(name) for join in joins for name in join.using}
    return read | {name for name in shared if source.has(name)}


def is_named(gold: Gold, source: Source) -> bool:
    """Whether the query qualifies a column, or a star, by the source's name."""
    for node in gold.scopes.columns:
        found = source_of(gold.scopes, node)
        if found is not None and found[0] is source and len(node.names) > 1:
            return True
    stars = (node for node in gold.parsed.nodes if isinstance(node, Star))
    return any(fold(star.table) == source.name for star in stars)


def has_star(gold: Gold, node: Node) -> bool:
    """Whether a star in the SELECT around ``node`` gives other columns with another table."""
    home = gold.home(node)
    return isinstance(home, Select) and any(isinstance(item, Star) for item in home.items)


def clashes(gold: Gold, table: TableSchema, instead: Source | None = None) -> bool:
    """Whether a name of the query that has no qualifier could mean a column of ``table`` as well.

    ``instead`` is a source that goes when the table comes: its own names are no danger.
    """
    for node in gold.scopes.columns:
        if len(node.names) > 1 or fold(node.names[0]) not in table.folded:
            continue
        found = source_of(gold.scopes, node)
        if found is None or found[0] is not instead:
            return True
    return False
