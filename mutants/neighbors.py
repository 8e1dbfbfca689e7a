"""Which columns could stand in the place of one, nearest name first; ties as in text or table."""

from __future__ import annotations

from functools import lru_cache

from mutants.columns import Read, family, is_nullable, source_of
from mutants.families import family_in
from mutants.gold import Gold
from mutants.names import similarity
from sqltext.clauses import Select
from sqltext.expressions import Column, Expression, Node
from sqltext.lexer import fold
from sqltext.schema import Schema


def referenced_columns(gold: Gold, node: Column) -> list[Read]:
    """The other columns of its family that the SELECT of ``node`` reads."""
    found = source_of(gold.scopes, node)
    if found is None:
        return []
    source, name = found
    wanted = family(gold.scopes, source, name)
    others = [
        read
        for read in gold.reads.get(gold.home(node), ())
        if read.family == wanted and not (read.source is source and read.name == name)
    ]
    if wanted is None or not others:
        return []
    return sorted(others, key=lambda read: -similarity(name, read.name))


def hidden_columns(gold: Gold, node: Expression, *, any_family: bool = False) -> list[str]:
    """The columns of the table of ``node``, of its family, that the query does not mention."""
    found = source_of(gold.scopes, node)
    if found is None or found[0].table is None or found[1] not in found[0].table.folded:
        return []
    source, name = found
    every = _alike(gold.schema, fold(source.table_name), name, any_family)
    mentioned = {
        read.name for reads in gold.reads.values() for read in reads if read.source is source
    }
    return [other for other in every if other not in mentioned]


@lru_cache(maxsize=16384)
def _alike(schema: Schema, table_name: str, name: str, any_family: bool) -> tuple[str, ...]:
    """The other columns of a table, of one column's family or any; a schema is its own key."""
    table = schema.table(table_name)
    if table is None:
        return ()
    wanted = family_in(table, name)
    others = [
        other
        for other in table.folded
        if other != name and (any_family or family_in(table, other) == wanted)
    ]
    return tuple(sorted(others, key=lambda other: -similarity(name, other)))


def key_columns(gold: Gold, node: Column) -> list[str]:
    """The other columns of its family in the table's keys and foreign keys."""
    found = source_of(gold.scopes, node)
    table = found[0].table if found else None
    if found is None or table is None or found[1] not in table.folded:
        return []
    members = {member for key in table.keys for member in key}
    members.update(fold(own) for owns, _, _ in table.foreign_keys for own in owns)
    every = _alike(gold.schema, fold(found[0].table_name), found[1], False)
    return [other for other in every if other in members]


def nullable_columns(gold: Gold, node: Node) -> list[Read]:
    """The columns that may be NULL in the SELECT of ``node``: those it reads, then all others."""
    home = gold.home(node)
    if not isinstance(home, Select):
        return []
    near = gold.scopes.sources[home]
    read = [read for read in gold.reads.get(home, ()) if read.source in near]
    seen = {(found.source, found.name) for found in read}
    others = [
        Read(source, name, None, "")
        for source in near
        for name in source.columns or ()
        if (source, name) not in seen
    ]
    return [one for one in read + others if is_nullable(gold.scopes, one.source, one.name)]
