"""What would differ from one run to the next, held still: the clock and the dice."""

import os
import threading
from datetime import UTC, datetime
from functools import lru_cache
from random import Random
from time import time

import apsw

CLOCK_VFS = "pairset_clock"
JULIAN_EPOCH_MS = 210_866_760_000_000
"""Milliseconds from SQLite's day zero to 1970."""


class Clock(apsw.VFS):
    """SQLite's default file system with a clock that can be stopped, per thread.

    No temporary file can be made in it: a statement that needs one ends with CantOpenError.
    """

    def __init__(self) -> None:
        super().__init__(CLOCK_VFS, "", maxpathname=0)
        self._at = threading.local()

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        """Open a file that has a name; one that has none would be a temporary one."""
        if name is None:
            raise apsw.CantOpenError("no temporary file is made here")
        return super().xOpen(name, flags)

    @property
    def was_read(self) -> bool:
        """Whether this thread has asked for the time since it was last stopped."""
        return bool(getattr(self._at, "was_read", False))

    def xCurrentTimeInt64(self) -> int:
        """What SQLite calls to learn the time."""
        self._at.was_read = True
        stopped: int | None = getattr(self._at, "now", None)
        return _julian_ms(time()) if stopped is None else stopped

    def stop(self, moment: str | None) -> None:
        """Stand still at ``moment`` (ISO 8601, UTC where it names no zone), or at the present."""
        self._at.was_read = False
        self._at.now = _julian_ms(time() if moment is None else _unix(moment))


class Dice:
    """``random()`` and ``randomblob()`` of one connection: a function of the seed alone."""

    def __init__(self, *, value_bytes: int) -> None:
        self._most = value_bytes
        self._seed: int | None = 0
        self._thrown = False
        self._random: Random | None = None

    def seed(self, seed: int | None) -> None:
        """Begin anew from ``seed``, or from one that nobody knows."""
        self._seed = seed
        self._thrown = False
        self._random = None

    def again(self) -> None:
        """Begin anew from the same seed."""
        self._random = None

    @property
    def were_thrown(self) -> bool:
        """Whether anybody has thrown them since they were last seeded."""
        return self._thrown

    def integer(self, *_: object) -> int:
        """A 64-bit integer, as ``random()`` gives."""
        return self._dice().getrandbits(64) - 2**63

    def blob(self, *sizes: object) -> bytes:
        """So many bytes as ``randomblob(size)`` gives: at least one, at most what a value holds."""
        count = max(1, _whole(sizes[0]))
        if count > self._most:
            raise apsw.TooBigError("string or blob too big")
        return self._dice().randbytes(count)

    def _dice(self) -> Random:
        # Made only by the queries that throw: seeding costs more than most queries do.
        self._thrown = True
        if self._random is None:
            if self._seed is None:
                self._seed = int.from_bytes(os.urandom(8)) >> 1
            self._random = Random(self._seed)
        return self._random


def _whole(value: object) -> int:
    """``value`` as SQLite casts it to INTEGER, near enough for the size of a blob."""
    try:
        return int(float(value)) if isinstance(value, (int, float, str)) else 0
    except (ValueError, OverflowError):
        return 0


@lru_cache(maxsize=16)
def _unix(moment: str) -> float:
    when = datetime.fromisoformat(moment)
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def _julian_ms(unix: float) -> int:
    return JULIAN_EPOCH_MS + round(unix * 1000)


CLOCK = Clock()
