"""Whether a database keeps what its schema declares, though the engine does not hold it to that.

SQLite enforces no foreign key unless told to, lets NULL into most primary keys, and takes a value
of any type in any column. Everything is asked in SQL, over the API.
"""

from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace

from db_execution.client import Client
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
    """Counted rows (of a foreign key, once a key) and cells; None where the count was stopped."""

    rows: int | None
    foreign_keys_broken: int | None
    null_in_keys: int | None
    wrong_types: int | None

    def breaks_more_than(self, other: "Violations") -> bool:
        """Whether it keeps something less well than ``other``."""
        both = zip(astuple(self)[1:], astuple(other)[1:], strict=True)
        return any(mine is None or (theirs or 0) < mine for mine, theirs in both)


def violations(client: Client, terms: Batch, schema: Schema, ddl: Ddl) -> Violations:
    """Count what the tables of a database break of their own declarations."""
    tables = [table for table in schema.tables.values() if _is_plain(table, ddl)]
    kinds = (_sizes, _foreign_keys, _null_keys, _types)
    asked = [(at, sql) for at, kind in enumerate(kinds) for t in tables for sql in kind(t, schema)]
    totals: list[int | None] = [0] * len(kinds)
    batch = replace(terms, want="rows", queries=tuple(sql for _, sql in asked))
    for (at, _), answer in zip(asked, client.batch(batch) if asked else (), strict=True):
        before, row = totals[at], answer.rows[0] if answer.rows else (None,)
        count = row[0]
        totals[at] = before + count if before is not None and isinstance(count, int) else None
    return Violations(*totals)


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


def quoted(name: str) -> str:
    """A name as SQL, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


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


def _sizes(table: TableSchema, _: Schema) -> Iterator[str]:
    yield f"SELECT count(*) FROM {quoted(table.name)}"


def _foreign_keys(table: TableSchema, schema: Schema) -> Iterator[str]:
    for own, name, columns in table.foreign_keys:
        other = schema.table(name)
        target = target_of(other, columns)
        given = " AND ".join(f"c.{quoted(column)} IS NOT NULL" for column in own)
        if other is None or len(target) != len(own) or not _has(other, target):
            yield f"SELECT count(*) FROM {quoted(table.name)} AS c WHERE {given}"
            continue
        # As the engine compares them: by the affinity and collation of the parent's column.
        same = " AND ".join(
            f"p.{quoted(theirs)} = +c.{quoted(mine)}"
            for mine, theirs in zip(own, target, strict=True)
        )
        yield (
            f"SELECT count(*) FROM {quoted(table.name)} AS c LEFT JOIN {quoted(other.name)} AS p "
            f"ON {same} WHERE p.{quoted(target[0])} IS NULL AND {given}"
        )


def target_of(other: TableSchema | None, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that a foreign key means: those it names, or the primary key as declared."""
    if other is None or all(columns):
        return columns
    key = other.keys[0] if other.keys else frozenset[str]()
    return tuple(name for name in other.columns if fold(name) in key)


def _has(table: TableSchema, columns: tuple[str, ...]) -> bool:
    return all(fold(column) in table.folded for column in columns)


def _null_keys(table: TableSchema, _: Schema) -> Iterator[str]:
    for key in table.keys:
        nulls = " OR ".join(
            f"{quoted(table.columns[table.folded[c]])} IS NULL" for c in sorted(key)
        )
        yield f"SELECT count(*) FROM {quoted(table.name)} WHERE {nulls}"


def _types(table: TableSchema, _: Schema) -> Iterator[str]:
    found = []
    for name, declared in zip(table.columns, table.types, strict=True):
        fitting = _FITTING.get(affinity(declared))
        # A date is NUMERIC to SQLite and text to everybody.
        if fitting is not None and family_of_type(declared) != TIME:
            found.append(f"(typeof({quoted(name)}) NOT IN ({fitting}))")
    for at in range(0, len(found), 100):  # a sum of so many terms is no deep expression
        total = " + ".join(found[at : at + 100])
        yield f"SELECT coalesce(sum({total}), 0) FROM {quoted(table.name)}"
