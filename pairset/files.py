"""Files that are there as a whole or not at all, and what their bytes are."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path


def write_atomically(path: Path, write: Callable[[Path], None]) -> None:
    """Make ``path`` by ``write(temporary path)``, then name it: a reader sees all or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.parent / f".{path.name}.{os.getpid()}.partial"
    try:
        write(partial)
        with partial.open("rb") as handle:
            os.fsync(handle.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, all or nothing."""

    def write(partial: Path) -> None:
        partial.write_bytes(data)

    write_atomically(path, write)


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8, all or nothing."""
    write_bytes(path, text.encode())


def file_digest(path: Path) -> str:
    """The sha256 of a file's bytes."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
