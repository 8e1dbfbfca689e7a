"""SQLite itself, asked to read a query without running it."""

import functools
from typing import Any

import apsw

from sqltext.lexer import fold
from sqltext.schema import Schema, TableSchema

_SYNTAX = ("syntax error", "incomplete input", "unrecognized token")


def database(ddl: str = "") -> apsw.Connection:
    """An empty database with the tables of ``ddl``; what SQLite refuses of it is left out."""
    connection = apsw.Connection(":memory:")
    try:
        connection.execute(ddl)
    except apsw.Error:
        for statement in ddl.split(";"):
            try:
                connection.execute(statement)
            except apsw.Error:
                continue
    return connection


@functools.cache
def nothing() -> apsw.Connection:
    """A database without tables."""
    return database()


def complaint(sql: str, connection: apsw.Connection | None = None) -> str:
    """What SQLite says against ``sql`` when it prepares it; nothing where it would run it."""
    cursor = (connection or nothing()).cursor()
    cursor.exec_trace = lambda *_: False
    try:
        cursor.execute(sql, can_cache=False)
    except (apsw.ExecTraceAbort, apsw.BindingsError):
        return ""
    except (apsw.Error, ValueError) as error:
        return str(error)
    return "no statement"


def is_syntax(said: str) -> bool:
    """Whether a complaint is about the grammar, not about names or types."""
    return any(words in said for words in _SYNTAX)


def columns_read(sql: str, connection: apsw.Connection) -> set[tuple[str, str]] | None:
    """The (table, column) pairs that SQLite resolved, or None where it refuses the query."""
    found: set[tuple[str, str]] = set()

    def note(action: int, table: str | None, column: str | None, *_: Any) -> int:
        if action == apsw.SQLITE_READ and table and column:
            found.add((fold(table), fold(column)))
        return apsw.SQLITE_OK

    connection.authorizer = note
    said = complaint(sql, connection)
    connection.authorizer = None
    return None if said else found


def schema_of(connection: apsw.Connection) -> Schema:
    """The schema of a database, as the engine reports it."""
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    return Schema(_table(connection, str(name)) for (name,) in names)


def _table(connection: apsw.Connection, name: str) -> TableSchema:
    rows: list[Any] = connection.execute(
        'SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (name,)
    ).fetchall()
    key = frozenset(fold(row[0]) for row in rows if row[3])
    return TableSchema(
        name,
        tuple(row[0] for row in rows),
        tuple(row[1] for row in rows),
        tuple(bool(row[2] or row[3]) for row in rows),
        (key,) if key else (),
    )
