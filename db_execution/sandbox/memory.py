"""Databases that are in memory alone, made from tables at hand: DDL and rows."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import apsw

from db_execution.cells import Row
from db_execution.protocol import Answer
from db_execution.sandbox.fixed import CLOCK_VFS
from db_execution.sandbox.opening import open_bytes
from db_execution.sandbox.profile import GENERAL, Profile
from db_execution.sandbox.running import PLAIN, Ask


class Filled(Protocol):
    """A table to make: its name, its CREATE TABLE (our own text), its rows in order."""

    @property
    def name(self) -> str:
        """Its name, as the DDL has it."""

    @property
    def ddl(self) -> str:
        """One CREATE TABLE statement."""

    @property
    def rows(self) -> Sequence[Row]:
        """As many cells each as the table has columns."""


class NoRows(Exception):
    """The statement gave no rows; ``answer`` says how it ended."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"{answer.error_class}: {answer.error}")
        self.answer = answer


def image(tables: Iterable[Filled]) -> bytes:
    """The database that holds ``tables``, as its file would be: worth keeping, quick to open.

    DDL and rows are ours, not a stranger's: apsw's own errors come out where they are bad.
    """
    connection = apsw.Connection(":memory:", vfs=CLOCK_VFS)
    try:
        connection.execute("BEGIN")
        for table in tables:
            connection.execute(table.ddl)
            if table.rows:
                marks = ",".join("?" * len(table.rows[0]))
                connection.executemany(f'INSERT INTO "{table.name}" VALUES ({marks})', table.rows)
        connection.execute("COMMIT")
        return connection.serialize("main")
    finally:
        connection.close(True)


class Memory:
    """Tables in memory, for statements that nobody vouches for; nothing can be written to them."""

    def __init__(self, tables: Iterable[Filled] | bytes, profile: Profile = GENERAL) -> None:
        contents = tables if isinstance(tables, bytes) else image(tables)
        self._sandbox = open_bytes(contents, profile=profile)

    def run(self, sql: str, ask: Ask = PLAIN) -> Answer:
        """What becomes of ``sql``; a failing statement is an answer, never an exception."""
        return self._sandbox.run(sql, ask)

    def rows(self, sql: str, ask: Ask = PLAIN) -> tuple[Row, ...]:
        """All rows of ``sql``; raises NoRows where it fails, or has more than it may give."""
        answer = self._sandbox.run(sql, ask)
        if answer.rows is None or answer.truncated:
            raise NoRows(answer)
        return answer.rows

    def close(self) -> None:
        """Let go of the database."""
        self._sandbox.close()

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
