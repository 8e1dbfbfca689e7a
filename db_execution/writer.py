"""The only code that makes databases: from a script, from DDL and rows, or by copying a file."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import apsw

from db_execution.cells import Cell
from db_execution.identifiers import quoted
from db_execution.protocol import statement_type

TRANSACTIONS = frozenset(("BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"))


@dataclass(frozen=True, slots=True)
class FailedStatement:
    """A statement that the engine would not run, and its reason.

    A row that was turned away says its table and its place among the table's rows, from 0 on.
    """

    statement: str
    reason: str
    table: str = ""
    row: int = -1


def write_database(path: Path, script: str) -> list[FailedStatement]:
    """Make the database at ``path`` from ``script``; the statements that failed are returned.

    The same script gives the same bytes under one engine version, as long as it asks neither the
    clock nor the dice. The file is there whole or not at all, and replaces one of that name.
    Foreign keys are not enforced while it is written.
    """
    return _whole(path, lambda unfinished: _filled(unfinished, script))


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows to go into a table, one cell a column that is named."""

    table: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]


def write_rows(path: Path, ddl: Sequence[str], content: Iterable[Rows]) -> list[FailedStatement]:
    """Make the database at ``path`` from declarations, in their order, and rows.

    A row that a constraint turns away is not in it, and is returned with the engine's reason; so
    are declarations that fail. Triggers come last, so that none fires. As `write_database`
    otherwise.
    """
    return _whole(path, lambda unfinished: _declared_and_filled(unfinished, ddl, content))


def copy_database(source: Path, path: Path) -> None:
    """Make the database at ``path`` from the bytes of another, whole or not at all."""
    _whole(path, lambda unfinished: shutil.copyfile(source, unfinished))


T = TypeVar("T")


def _whole(path: Path, make: Callable[[Path], T]) -> T:
    """What ``make`` gives for an unfinished file, which then takes its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    unfinished.unlink(missing_ok=True)
    try:
        made = make(unfinished)
        _synced(unfinished)
        os.replace(unfinished, path)
        _synced(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)
    return made


def statements(script: str) -> Iterator[str]:
    """The statements of ``script``, each with its semicolon; a semicolon in quotes ends none."""
    begun = ""
    for piece in script.split(";"):
        begun += piece + ";"
        if apsw.complete(begun):
            yield begun.strip()
            begun = ""
    if begun.strip("; \t\r\n"):
        yield begun.strip()


def _filled(path: Path, script: str) -> list[FailedStatement]:
    with _opened(path, journal="off") as connection:
        return _ran(connection, script)


def _declared_and_filled(
    path: Path, ddl: Sequence[str], content: Iterable[Rows]
) -> list[FailedStatement]:
    late = [text for text in ddl if _is_trigger(text)]
    # A row that is turned away is taken back, which needs a journal.
    with _opened(path, journal="memory") as connection:
        connection.execute("BEGIN")
        failed = [one for text in ddl if text not in late for one in _tried(connection, text)]
        for rows in content:
            insert = _insert(rows)
            for at, row in enumerate(rows.rows):
                failed += [
                    replace(one, table=rows.table, row=at)
                    for one in _tried(connection, insert, row)
                ]
        failed += [one for text in late for one in _tried(connection, text)]
        connection.execute("COMMIT")
    return failed


@contextmanager
def _opened(path: Path, *, journal: str) -> Iterator[apsw.Connection]:
    connection = apsw.Connection(str(path))
    try:
        for name, value in (("journal_mode", journal), ("synchronous", 0), ("foreign_keys", 0)):
            connection.pragma(name, value)
        # Freed bytes are zeroed, so no bytes are left to chance.
        connection.pragma("secure_delete", 1)
        yield connection
    finally:
        connection.close(True)


def _is_trigger(text: str) -> bool:
    return "TRIGGER" in text.upper().split()[:3]


def _insert(rows: Rows) -> str:
    names = ", ".join(quoted(name) for name in rows.columns)
    marks = ", ".join("?" * len(rows.columns))
    return f"INSERT INTO {quoted(rows.table)} ({names}) VALUES ({marks})"


def _tried(
    connection: apsw.Connection, statement: str, row: Sequence[Cell] = ()
) -> Iterator[FailedStatement]:
    """Run a statement; where it fails, that it did."""
    try:
        connection.execute(statement, tuple(row)).fetchall()
    except (apsw.Error, UnicodeEncodeError) as error:
        yield FailedStatement(statement, str(error))


def _ran(connection: apsw.Connection, script: str) -> list[FailedStatement]:
    connection.execute("BEGIN")
    failed: list[FailedStatement] = []
    for statement in statements(script):
        if statement_type(statement) in TRANSACTIONS:
            continue  # all of it is one transaction of ours
        failed += _tried(connection, statement)
    connection.execute("COMMIT")
    return failed


def _synced(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
