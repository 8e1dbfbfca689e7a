"""Whether a database keeps what its schema declares, though the engine does not hold it to that.

SQLite enforces no foreign key unless told to, lets NULL into most primary keys, and takes a value
of any type in any column. Everything is asked in SQL, over the API.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from db_execution.client import Client
from db_execution.identifiers import quoted
from db_execution.protocol import Batch
from mutants.families import TIME, family_of_type
from pairset.scores.ddl import Ddl
from sqltext.lexer import fold
from sqltext.schema import Schema, TableSchema

# Which storage classes a declared type leaves alone (https://sqlite.org/datatype3.html, 3.1). A
# REAL column shows whole numbers as reals, so integers do not occur in it.
_FITTING = {
    "INTEGER": "'null', 'integer'",
    "REAL": "'null', 'real'",
    "NUMERIC": "'null', 'integer', 'real'",
    "TEXT": "'null', 'text'",
}


@dataclass(frozen=True, slots=True)
class Violations:
    """Counted rows (of a foreign key, once a key) and cells; None where a count was stopped.

    ``broken`` are the declarations that something breaks, in words.
    """

    rows: int | None = None
    foreign_keys_broken: int | None = None
    null_in_keys: int | None = None
    wrong_types: int | None = None
    broken: tuple[str, ...] = ()

    def worse_than(self, other: Violations) -> tuple[str, ...]:
        """The declarations that are broken here and kept there."""
        return tuple(name for name in self.broken if name not in other.broken)


class _Count(NamedTuple):
    """A question with one row of counts for its answer, each of the declaration of that name."""

    kind: str
    names: tuple[str, ...]
    sql: str


def violations(client: Client, terms: Batch, schema: Schema, ddl: Ddl) -> Violations:
    """Count what the tables of a database break of their own declarations."""
    tables = [table for table in schema.tables.values() if _is_plain(table, ddl)]
    ways = (_sizes, _foreign_keys, _null_keys, _types)
    asked = [one for table in tables for way in ways for one in way(table, schema)]
    totals: dict[str, int | None] = dict.fromkeys(("rows", *_BREAKING), 0)
    broken: list[str] = []
    batch = replace(terms, want="rows", queries=tuple(one.sql for one in asked))
    for one, answer in zip(asked, client.batch(batch) if asked else (), strict=True):
        before = totals[one.kind]
        counts = [n for n in answer.rows[0] if isinstance(n, int)] if answer.rows else []
        if before is None or len(counts) < len(one.names):
            totals[one.kind] = None
            continue
        totals[one.kind] = before + sum(counts)
        if one.kind in _BREAKING:
            broken += [name for name, n in zip(one.names, counts, strict=True) if n]
    return Violations(**totals, broken=tuple(broken))


_BREAKING = ("foreign_keys_broken", "null_in_keys", "wrong_types")


def affinity(declared: str) -> str:
    """The affinity that SQLite gives a column of that declared type.

    >>> [affinity(t) for t in ("bigint", "VARCHAR(20)", "", "double", "datetime")]
    ['INTEGER', 'TEXT', 'BLOB', 'REAL', 'NUMERIC']
    """
    upper = declared.upper()
    if "INT" in upper:
        return "INTEGER"
    if any(part in upper for part in ("CHAR", "CLOB", "TEXT")):
        return "TEXT"
    if not upper or "BLOB" in upper:
        return "BLOB"
    return "REAL" if any(part in upper for part in ("REAL", "FLOA", "DOUB")) else "NUMERIC"


def _is_plain(table: TableSchema, ddl: Ddl) -> bool:
    """A table of rows: no view, and nothing virtual."""
    text = next(
        (
            sql
            for (kind, name), sql in ddl.items()
            if kind == "table" and fold(name) == fold(table.name)
        ),
        None,
    )
    return text is not None and not text.upper().startswith("CREATE VIRTUAL")


def _sizes(table: TableSchema, _: Schema) -> Iterator[_Count]:
    yield _Count("rows", (table.name,), f"SELECT count(*) FROM {quoted(table.name)}")


def _foreign_keys(table: TableSchema, schema: Schema) -> Iterator[_Count]:
    """A key that names a table or column that is not there is neither kept nor broken."""
    for own, name, columns in table.foreign_keys:
        other = schema.table(name)
        target = target_of(other, columns)
        if other is None or len(target) != len(own) or not _has(other, target):
            continue
        given = " AND ".join(f"c.{quoted(column)} IS NOT NULL" for column in own)
        # As the engine compares them: by the affinity and collation of the parent's column.
        same = " AND ".join(
            f"p.{quoted(theirs)} = +c.{quoted(mine)}"
            for mine, theirs in zip(own, target, strict=True)
        )
        sql = (
            f"SELECT count(*) FROM {quoted(table.name)} AS c LEFT JOIN {quoted(other.name)} AS p "
            f"ON {same} WHERE p.{quoted(target[0])} IS NULL AND {given}"
        )
        declaration = f"foreign key {table.name}({', '.join(own)})"
        yield _Count("foreign_keys_broken", (declaration,), sql)


def target_of(other: TableSchema | None, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that a foreign key means: those it names, or the primary key as declared."""
    if other is None or all(columns):
        return columns
    key = other.keys[0] if other.keys else frozenset[str]()
    return tuple(name for name in other.columns if fold(name) in key)


def _has(table: TableSchema, columns: tuple[str, ...]) -> bool:
    return all(fold(column) in table.folded for column in columns)


def _null_keys(table: TableSchema, _: Schema) -> Iterator[_Count]:
    for key in table.keys:
        names = [table.columns[table.folded[column]] for column in sorted(key)]
        nulls = " OR ".join(f"{quoted(name)} IS NULL" for name in names)
        sql = f"SELECT count(*) FROM {quoted(table.name)} WHERE {nulls}"
        yield _Count("null_in_keys", (f"key {table.name}({', '.join(names)})",), sql)


def _types(table: TableSchema, _: Schema) -> Iterator[_Count]:
    found = []
    for name, declared in zip(table.columns, table.types, strict=True):
        fitting = _FITTING.get(affinity(declared))
        # A date is NUMERIC to SQLite and text to everybody.
        if fitting is not None and family_of_type(declared) != TIME:
            sums = f"coalesce(sum(typeof({quoted(name)}) NOT IN ({fitting})), 0)"
            found.append((f"type of {table.name}.{name}", sums))
    for at in range(0, len(found), 500):  # of at most 2,000 columns in an answer
        some = found[at : at + 500]
        sql = f"SELECT {', '.join(sums for _, sums in some)} FROM {quoted(table.name)}"
        yield _Count("wrong_types", tuple(name for name, _ in some), sql)
