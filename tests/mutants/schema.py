"""Schemas for the tests: the engine reads the DDL, as it does in a build."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import apsw

from mutants.values import Values
from sqltext.lexer import fold
from sqltext.schema import Schema, TableSchema

# The tables of the operators' examples, with rows on which each example and its mutant differ.
EXAMPLE_DDL = """
CREATE TABLE t (
    id INTEGER PRIMARY KEY, a INTEGER, b TEXT NOT NULL, c REAL, d DATE, e TEXT
);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER REFERENCES t (id), x TEXT, y INTEGER);
"""
EXAMPLE_ROWS = """
INSERT INTO t VALUES
    (1, 5, 'x', 3.5, '2020-03-14', 'x'), (2, 7, 'x', -4.5, '2021-07-05', 'p'),
    (3, NULL, 'X', 9.0, '2020-11-30', NULL), (4, 2, 'axb', NULL, NULL, 'q'),
    (5, 6, 'xy', 7.0, '2022-01-31', 'p'), (6, 3, 'x', 0.5, '2019-05-09', 'x'),
    (7, 1, 'ax', 1.5, '2020-12-01', 'r');
INSERT INTO u VALUES
    (1, 2, 'm', 7), (2, 2, 'n', 2), (3, 5, 'm', 4), (4, NULL, 'o', 5), (9, 7, 'x', 1);
"""

# The tables of the golds in golds.sql.
GOLD_DDL = """
CREATE TABLE port (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT, "Home Waters" TEXT, depth REAL,
    opened DATE, is_free BOOLEAN
);
CREATE TABLE captain (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE, rank TEXT, salary NUMERIC,
    mentor INTEGER REFERENCES captain
);
CREATE TABLE ship (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT, tons INTEGER, length REAL,
    built INTEGER, port_id INTEGER REFERENCES port (id), captain_id INTEGER REFERENCES captain
);
CREATE TABLE voyage (
    id INTEGER PRIMARY KEY, ship_id INTEGER NOT NULL REFERENCES ship (id),
    from_port INTEGER REFERENCES port (id), to_port INTEGER REFERENCES port (id),
    left_on DATE, days INTEGER, note TEXT
);
CREATE TABLE cargo (
    voyage_id INTEGER REFERENCES voyage (id), line INTEGER, goods TEXT, tons INTEGER, price REAL,
    PRIMARY KEY (voyage_id, line)
);
CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, length REAL);
"""

# What the databases behind both would be found to hold, most frequent values first.
VALUES = Values(
    {
        ("t", "a"): (("number", "5"), ("number", "7"), ("number", "2")),
        ("t", "b"): (("string", "x"), ("string", "X"), ("string", "axb"), ("string", "xy")),
        ("ship", "kind"): (("string", "brig"), ("string", "it's"), ("string", "kind")),
        ("ship", "tons"): (("number", "-3"), ("number", "512"), ("number", "0.5")),
        ("port", "country"): (("string", "Peru"), ("string", "chile"), ("string", "")),
    }
)


def schema_of(ddl: str) -> Schema:
    """The schema that a script of CREATE statements makes."""
    database = apsw.Connection(":memory:")
    for statement in statements(ddl):
        try:
            database.execute(statement)
        except apsw.Error:
            continue  # a corpus's DDL is not always SQLite's
    names = database.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    return Schema(_table(database, str(name)) for (name,) in names.fetchall())


def statements(script: str) -> Iterator[str]:
    """The statements of a script, as the engine cuts it."""
    waiting = ""
    for part in script.split(";"):
        waiting += part + ";"
        if apsw.complete(waiting):
            yield waiting
            waiting = ""


def _table(database: apsw.Connection, name: str) -> TableSchema:
    columns = _ask(database, 'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)', name)
    not_null = {str(column): bool(flag) for column, _, flag, _ in columns}
    primary = frozenset(fold(str(column)) for column, _, _, at in columns if at)
    uniques = [key for key in _uniques(database, name) if all(not_null.get(c) for c in key)]
    keys = [primary] if primary else []
    return TableSchema(
        name=name,
        columns=tuple(not_null),
        types=tuple(str(declared) for _, declared, _, _ in columns),
        not_null=tuple(not_null.values()),
        keys=(*keys, *(frozenset(map(fold, key)) for key in uniques)),
        foreign_keys=tuple(_references(database, name)),
    )


def _uniques(database: apsw.Connection, name: str) -> list[list[str]]:
    lists = _ask(database, 'SELECT name FROM pragma_index_list(?) WHERE "unique"', name)
    found = (_ask(database, "SELECT name FROM pragma_index_info(?)", str(one)) for (one,) in lists)
    return [[str(column) for (column,) in columns] for columns in found]


def _references(
    database: apsw.Connection, name: str
) -> Iterator[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    sql = 'SELECT id, "from", "table", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq'
    found: dict[object, list[tuple[str, str, str]]] = {}
    for number, own, table, other in _ask(database, sql, name):
        found.setdefault(number, []).append((str(own), str(table), str(other or "")))
    for rows in found.values():
        yield tuple(own for own, _, _ in rows), rows[0][1], tuple(other for _, _, other in rows)


def _ask(database: apsw.Connection, sql: str, name: str) -> list[tuple[object, ...]]:
    return list(database.execute(sql, (name,)))


def ddl_of_tables(entry: Mapping[str, Any]) -> str:
    """The DDL of one entry of Spider's official ``tables.json``."""
    columns = [(table, _quoted(name)) for table, name in entry["column_names_original"]]
    tables = [_quoted(name) for name in entry["table_names_original"]]
    lines: list[list[str]] = [[] for _ in tables]
    for (table, name), declared in zip(columns, entry["column_types"], strict=True):
        if table >= 0:
            lines[table].append(f"{name} {declared}")
    for table, key in _primary_keys(entry, columns).items():
        lines[table].append(f"PRIMARY KEY ({', '.join(key)})")
    for own, other in entry["foreign_keys"]:
        (table, name), (target, named) = columns[own], columns[other]
        lines[table].append(f"FOREIGN KEY ({name}) REFERENCES {tables[target]} ({named})")
    pairs = zip(tables, lines, strict=True)
    return "\n".join(f"CREATE TABLE {name} ({', '.join(parts)});" for name, parts in pairs)


def _primary_keys(entry: Mapping[str, Any], columns: list[tuple[int, str]]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for key in entry["primary_keys"]:
        for at in key if isinstance(key, list) else [key]:
            found.setdefault(columns[at][0], []).append(columns[at][1])
    return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@lru_cache
def example_schema() -> Schema:
    """The schema of the operators' examples."""
    return schema_of(EXAMPLE_DDL)


@lru_cache
def gold_schema() -> Schema:
    """The schema of the golds."""
    return schema_of(GOLD_DDL)
