"""The only code that opens a database to read: strangers' SQL, held on every side."""

from db_execution.sandbox.memory import Memory
from db_execution.sandbox.opening import (
    CannotOpen,
    limit_heap,
    limit_heap_if_unlimited,
    memory_used,
    open_bytes,
    open_copy,
    open_file,
    open_script,
)
from db_execution.sandbox.profile import EPISODE, GENERAL, Profile
from db_execution.sandbox.running import PLAIN, SQLITE_VERSION, Ask, Sandbox
from db_execution.sandbox.verdicts import LimitError

__all__ = [
    "EPISODE",
    "GENERAL",
    "PLAIN",
    "SQLITE_VERSION",
    "Ask",
    "CannotOpen",
    "LimitError",
    "Memory",
    "Profile",
    "Sandbox",
    "limit_heap",
    "limit_heap_if_unlimited",
    "memory_used",
    "open_bytes",
    "open_copy",
    "open_file",
    "open_script",
]
