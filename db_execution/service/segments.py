"""Entries on disk: files that are only ever added to at the end, and deleted whole.

Each process that shares the folder writes a file of its own, so no two ever write to one; any of
them may delete the oldest. An entry is its key, an outcome, a length, a checksum over all of that
and its body, and the body. What is torn or changed is noticed, and is as if it were not there.
"""

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

MAGIC = b"pca1"
KEY_BYTES = 32
SUFFIX = ".answers"
_HEAD = struct.Struct(f"!4s{KEY_BYTES}sBI16s")
HEAD_BYTES = _HEAD.size


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry lies: its file, where it begins there, and the bytes of its body."""

    path: Path
    at: int
    length: int


def entry(key: bytes, outcome: int, body: bytes) -> bytes:
    """The bytes of an entry."""
    return _HEAD.pack(MAGIC, key, outcome, len(body), _checksum(key, outcome, body)) + body


def read(place: Place, key: bytes) -> tuple[int, bytes] | None:
    """The outcome and body of the entry at ``place``; None if it is not there, or not whole."""
    try:
        with place.path.open("rb") as file:
            data = os.pread(file.fileno(), HEAD_BYTES + place.length, place.at)
    except OSError:
        return None
    if len(data) != HEAD_BYTES + place.length:
        return None
    magic, found, outcome, length, checksum = _HEAD.unpack_from(data)
    body = data[HEAD_BYTES:]
    as_written = (magic, found, length) == (MAGIC, key, len(body))
    return (outcome, body) if as_written and checksum == _checksum(key, outcome, body) else None


def listed(path: Path, start: int = 0) -> Iterator[tuple[bytes, Place]]:
    """The key and place of each entry of a file from ``start`` on, up to the first that is torn."""
    try:
        with path.open("rb") as file:
            size, at = os.fstat(file.fileno()).st_size, start
            while at + HEAD_BYTES <= size:
                head = os.pread(file.fileno(), HEAD_BYTES, at)
                if len(head) < HEAD_BYTES or head[: len(MAGIC)] != MAGIC:
                    return
                _, key, _, length, _ = _HEAD.unpack(head)
                if at + HEAD_BYTES + length > size:
                    return
                yield key, Place(path, at, length)
                at += HEAD_BYTES + length
    except OSError:
        return


def files(folder: Path) -> list[Path]:
    """The files of a folder, the oldest first."""
    found = []
    for path in folder.glob(f"*{SUFFIX}"):
        try:
            found.append((path.stat().st_mtime_ns, path.name, path))
        except OSError:
            continue  # another process has just deleted it
    return [path for _, _, path in sorted(found)]


def _checksum(key: bytes, outcome: int, body: bytes) -> bytes:
    total = blake2b(key, digest_size=16)
    total.update(outcome.to_bytes(1, "big") + len(body).to_bytes(8, "big"))
    total.update(body)
    return total.digest()
