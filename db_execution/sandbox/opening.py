"""Open a database so that a stranger's statement may run on it."""

import os
from collections.abc import Iterator

import apsw

from db_execution.protocol import Mode
from db_execution.sandbox.authorizer import Gatekeeper
from db_execution.sandbox.fixed import CLOCK_VFS
from db_execution.sandbox.profile import GENERAL, Profile
from db_execution.sandbox.running import FILES, MEMORY, Sandbox
from db_execution.sandbox.verdicts import LimitError

PathLike = str | os.PathLike[str]
IN_ADDRESSES = str.maketrans({"%": "%25", "?": "%3f", "#": "%23"})
"""What means something in an address of SQLite's; libraries for that take workers 5 ms to load."""


class CannotOpen(Exception):
    """The file is not a database, or it is damaged."""


def open_file(path: PathLike, *, profile: Profile = GENERAL, sha256: str = "") -> Sandbox:
    """The database at ``path``, immutable and read-only: no statement can change a byte of it.

    Raises CannotOpen for a file that is no database, and for a path that goes over a link.
    """
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    address = f"file:{os.fspath(path).translate(IN_ADDRESSES)}?immutable=1&mode=ro"
    try:
        connection = apsw.Connection(address, flags=flags, vfs=CLOCK_VFS, statementcachesize=0)
    except apsw.Error:
        raise CannotOpen from None
    sandbox = _armed(connection, "read_only", profile, sha256)
    sandbox.keep_temporaries_in(FILES)
    return sandbox


def open_copy(path: PathLike, *, profile: Profile = GENERAL, sha256: str = "") -> Sandbox:
    """A private copy of the database at ``path``, in memory; what is written to it goes with it.

    Raises LimitError where the file is larger than the profile's ``copy_bytes``, and CannotOpen for
    a file that is no database.
    """
    try:
        size, most = os.stat(path).st_size, profile.copy_bytes
        if size > most:
            raise LimitError("copy_bytes", f"a copy takes {size} bytes, at most {most} are given")
        with open(path, "rb") as file:
            contents = file.read()
    except OSError:
        raise CannotOpen from None
    return open_bytes(contents, mode="sandbox_rollback", profile=profile, sha256=sha256)


def open_bytes(
    contents: bytes, *, mode: Mode = "read_only", profile: Profile = GENERAL, sha256: str = ""
) -> Sandbox:
    """A database in memory whose file would have ``contents``."""
    connection = apsw.Connection(":memory:", vfs=CLOCK_VFS, statementcachesize=0)
    connection.deserialize("main", contents)
    return _armed(connection, mode, profile, sha256)


def open_script(script: str, *, profile: Profile = GENERAL) -> Sandbox:
    """A database in memory made by our own ``script`` of DDL and INSERTs, for reading."""
    connection = apsw.Connection(":memory:", vfs=CLOCK_VFS, statementcachesize=0)
    connection.execute(script)
    return _armed(connection, "read_only", profile, "")


def limit_heap(count: int) -> None:
    """Bound SQLite's memory in this whole process to ``count`` bytes."""
    apsw.hard_heap_limit(count)


def memory_used() -> int:
    """The bytes that SQLite holds in this whole process."""
    return apsw.memory_used()


def limit_heap_if_unlimited(count: int) -> None:
    """The same, unless whoever owns the process has bounded it already."""
    if apsw.hard_heap_limit(-1) == 0:
        apsw.hard_heap_limit(count)


def _armed(connection: apsw.Connection, mode: Mode, profile: Profile, sha256: str) -> Sandbox:
    """Everything that needs no permission comes first; the authorizer closes the door behind it."""
    try:
        _configure(connection, profile)
        _limit(connection, profile)
        _pragmas(connection, mode, profile)
        gatekeeper = Gatekeeper(mode, profile, _table_names(connection))
    except apsw.Error:
        connection.close(True)
        raise CannotOpen from None
    return Sandbox(connection, gatekeeper, profile, sha256=sha256)


def _configure(connection: apsw.Connection, profile: Profile) -> None:
    strings = int(profile.double_quoted_strings)
    for name, value in (
        ("DEFENSIVE", 1),
        ("TRUSTED_SCHEMA", 0),
        ("WRITABLE_SCHEMA", 0),
        ("ENABLE_LOAD_EXTENSION", 0),
        ("ENABLE_FTS3_TOKENIZER", 0),
        ("ENABLE_ATTACH_CREATE", 0),
        ("ENABLE_ATTACH_WRITE", 0),
        ("DQS_DML", strings),
        ("DQS_DDL", strings),
    ):
        connection.config(getattr(apsw, f"SQLITE_DBCONFIG_{name}"), value)


def _limit(connection: apsw.Connection, profile: Profile) -> None:
    for name, value in (
        ("LENGTH", profile.value_bytes),
        ("SQL_LENGTH", max(profile.sql_bytes, 1_000_000)),
        ("COLUMN", profile.columns),
        ("EXPR_DEPTH", profile.expression_depth),
        ("COMPOUND_SELECT", profile.compound_selects),
        ("VDBE_OP", profile.program_steps),
        ("FUNCTION_ARG", profile.function_arguments),
        ("LIKE_PATTERN_LENGTH", profile.like_pattern_bytes),
        ("ATTACHED", 0),
        ("TRIGGER_DEPTH", 10),
        ("WORKER_THREADS", 0),
    ):
        connection.limit(getattr(apsw, f"SQLITE_LIMIT_{name}"), value)


def _pragmas(connection: apsw.Connection, mode: Mode, profile: Profile) -> None:
    connection.pragma("temp_store", MEMORY)
    connection.pragma("cache_size", -profile.cache_kib)
    if mode == "read_only":
        connection.pragma("query_only", 1)
        return
    pages = connection.pragma("page_count")
    most = profile.copy_bytes // connection.pragma("page_size")
    connection.pragma("max_page_count", max(pages, most))


def _table_names(connection: apsw.Connection) -> Iterator[str]:
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
    ):
        yield name
