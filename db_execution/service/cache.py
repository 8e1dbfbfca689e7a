"""Answers that are kept on disk, within so many bytes, for whoever asks the same again.

Off by default. What a query's answer depends on is in its key (``Keys``): the database's bytes,
the text, the mode, what is wanted, every limit, the clock and the seed, the engine's version and
our own code. What depends on anything else (load, the time of day, dice) is not kept.
"""

import contextlib
import fcntl
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Any

from db_execution.frames import OUTCOMES
from db_execution.limits import MIB
from db_execution.sandbox.profile import Profile
from db_execution.sandbox.running import SQLITE_VERSION
from db_execution.service import segments
from db_execution.service.segments import Place

FILES = 16
"""The folder holds at most so many files, each of an equal part of the bytes allowed."""

LOOK_S = 2.0
"""So often, at most, it is looked for what other processes have kept."""

PAUSE_S = 30.0
"""So long nothing is kept after a write has failed, as it does on a full disk."""

_OF_CHANCE = frozenset(
    (
        ("timeout", "wall_time"),
        ("too_large", "memory"),
        ("too_large", "worker_lost"),
        ("error", "other"),
        ("error", "corrupt_database"),
    )
)
"""How a query may end at one time and not at another, on the same database."""

KEPT = frozenset(place for place, outcome in enumerate(OUTCOMES) if outcome not in _OF_CHANCE)


class AnswerCache:
    """Kept answers by key. A folder may be shared by several processes, and outlives them."""

    def __init__(self, folder: Path, capacity: int) -> None:
        self._folder = folder
        self._most = capacity // FILES
        self._index: dict[bytes, Place] = {}
        self._read_to: dict[Path, int] = {}
        self._own: Path | None = None
        self._handle: int | None = None
        self._looked_at = self._paused_until = float("-inf")
        self.hits = self.misses = self.evictions = self.dropped = self.failures = 0
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._look()

    def get(self, key: bytes) -> tuple[int, bytes] | None:
        """The outcome and the bytes that were answered; None if nothing is kept, or not whole."""
        if key not in self._index and monotonic() > self._looked_at + LOOK_S:
            self._look()
        place = self._index.get(key)
        found = segments.read(place, key) if place else None
        if found is None or found[0] not in KEPT:
            self.misses += 1
            if place is not None:
                self._drop(place.path)
            return None
        self.hits += 1
        return found

    def put(self, answers: Iterable[tuple[bytes, int, bytes]]) -> None:
        """Keep (key, outcome, bytes) of those answers that would be the same another time.

        A disk that is full, or a folder that is gone, keeps nothing for a while, and fails nobody.
        """
        if monotonic() < self._paused_until:
            return
        try:
            for key, outcome, body in answers:
                if outcome in KEPT and key not in self._index:
                    self._add(key, segments.entry(key, outcome, body))
        except OSError:
            self.failures += 1
            self._paused_until = monotonic() + PAUSE_S
            self.close()

    def close(self) -> None:
        """Write no more to the file that was written to."""
        if self._handle is not None:
            os.close(self._handle)
        self._handle = self._own = None

    @property
    def size(self) -> int:
        """Bytes on disk now, of all processes."""
        sizes = 0
        for path in segments.files(self._folder):
            with contextlib.suppress(OSError):
                sizes += path.stat().st_size
        return sizes

    def counters(self) -> dict[str, int]:
        """What ``/metrics`` shows of it."""
        names = ("hits", "misses", "evictions", "dropped", "failures")
        return {f"cache_{name}": getattr(self, name) for name in names}

    def _drop(self, path: Path) -> None:
        """Delete a file with a damaged entry, so that nobody comes across it again."""
        self.dropped += path.exists()
        if path == self._own:
            self.close()
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        self._forget_deleted()

    def _add(self, key: bytes, data: bytes) -> None:
        if len(data) > self._most:
            return
        handle, path = self._with_room(len(data))
        at = os.lseek(handle, 0, os.SEEK_END)
        try:
            if os.write(handle, data) < len(data):
                raise OSError("the disk is full")
        except OSError:
            os.ftruncate(handle, at)  # no half of an entry for others to stumble on
            raise
        self._index[key] = Place(path, at, len(data) - segments.HEAD_BYTES)

    def _with_room(self, count: int) -> tuple[int, Path]:
        """The file that this process writes to, a new one if the last is full or was deleted."""
        if self._handle is not None and self._own is not None:
            facts = os.fstat(self._handle)
            if facts.st_nlink and facts.st_size + count <= self._most:
                return self._handle, self._own
            self.close()
        path = self._folder / f"{os.getpid()}-{secrets.token_hex(4)}{segments.SUFFIX}"
        with self._alone():
            self._make_room()
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        self._handle, self._own = handle, path
        return handle, path

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process makes or deletes files meanwhile: so there are never more than FILES."""
        with open(self._folder / "lock", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _make_room(self) -> None:
        there = segments.files(self._folder)
        for path in there[: max(0, len(there) - FILES + 1)]:
            path.unlink(missing_ok=True)
            self.evictions += 1
        self._forget_deleted()

    def _look(self) -> None:
        """Take in what is new in the folder, and forget what is gone."""
        self._looked_at = monotonic()
        self._forget_deleted()
        for path in segments.files(self._folder):
            if path != self._own:
                for key, place in segments.listed(path, self._read_to.get(path, 0)):
                    self._index[key] = place
                    self._read_to[path] = place.at + segments.HEAD_BYTES + place.length

    def _forget_deleted(self) -> None:
        there = set(segments.files(self._folder))
        known = {place.path for place in self._index.values()} | set(self._read_to)
        if gone := known - there:
            self._index = {k: place for k, place in self._index.items() if place.path not in gone}
            self._read_to = {path: at for path, at in self._read_to.items() if path not in gone}


class Keys:
    """The keys of queries on the same terms; those terms are hashed once."""

    def __init__(self, profile: Profile, work: Mapping[str, Any], mode: str, shape: str) -> None:
        terms = [_versions(), _facts(profile), work["sha256"], work["ask"], mode, shape]
        text = json.dumps(terms, sort_keys=True, ensure_ascii=True)
        self._begun = sha256(text.encode() + b"\n")

    def of(self, sql: str) -> bytes:
        """The key of one query."""
        total = self._begun.copy()
        total.update(sql.encode("utf-8", "surrogatepass"))
        return total.digest()


def _facts(profile: Profile) -> dict[str, Any]:
    return asdict(profile) | {"denied_functions": sorted(profile.denied_functions)}


@cache
def _versions() -> list[str]:
    """The engine's version, and a digest of our own code: all of what makes an answer's bytes."""
    package = Path(__file__).resolve().parent.parent
    code = sha256()
    for path in sorted((*package.glob("*.py"), *package.glob("sandbox/*.py"))):
        code.update(path.name.encode() + sha256(path.read_bytes()).digest())
    return [version("apsw"), SQLITE_VERSION, code.hexdigest()]


def made(folder: Path | None, mib: int) -> AnswerCache | None:
    """The cache in ``folder``, of so many MiB; none without a folder."""
    return None if folder is None else AnswerCache(folder, mib * MIB)
