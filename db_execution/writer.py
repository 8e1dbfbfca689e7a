"""The only code that makes databases: a file from a script of DDL and INSERTs."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw

from db_execution.protocol import statement_type

TRANSACTIONS = frozenset(("BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"))


@dataclass(frozen=True, slots=True)
class FailedStatement:
    """A statement of the script that the engine would not run, and its reason."""

    statement: str
    reason: str


def write_database(path: Path, script: str) -> list[FailedStatement]:
    """Make the database at ``path`` from ``script``; the statements that failed are returned.

    The same script gives the same bytes under one engine version, as long as it asks neither the
    clock nor the dice. The file is there whole or not at all, and replaces one of that name.
    Foreign keys are not enforced while it is written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    unfinished.unlink(missing_ok=True)
    try:
        failed = _filled(unfinished, script)
        _synced(unfinished)
        os.replace(unfinished, path)
        _synced(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)
    return failed


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
    connection = apsw.Connection(str(path))
    try:
        for name, value in (("journal_mode", "off"), ("synchronous", 0), ("foreign_keys", 0)):
            connection.pragma(name, value)
        connection.pragma(
            "secure_delete", 1
        )  # freed bytes are zeroed, so no bytes are left to chance
        return _ran(connection, script)
    finally:
        connection.close(True)


def _ran(connection: apsw.Connection, script: str) -> list[FailedStatement]:
    connection.execute("BEGIN")
    failed = []
    for statement in statements(script):
        if statement_type(statement) in TRANSACTIONS:
            continue  # all of it is one transaction of ours
        try:
            connection.execute(statement).fetchall()
        except apsw.Error as error:
            failed.append(FailedStatement(statement, str(error)))
    connection.execute("COMMIT")
    return failed


def _synced(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
