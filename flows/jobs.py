"""The work of one stage: groups of pieces, each piece made in a worker, asked again if need be."""

import hashlib
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from db_execution.errors import Overloaded, Unreachable
from pairset.build import Build, Stage, Unit
from pairset.ids import canonical_json
from pairset.store import Shard

GROUPS = 16
"""Into how many tasks a stage is cut at most: to Prefect a task costs more than a small piece."""

PATIENCE = 2
"""How often a piece is tried whose executor does not answer; a client waits a minute each time."""

NOT_NOW = (Unreachable, Overloaded)


class Stopped(Exception):
    """The group stopped because another one failed."""


class Maker(Protocol):
    """Where pieces are made: worker processes, or this process."""

    @property
    def slot(self) -> AbstractContextManager[Any]:
        """To be held while a piece is made."""

    def make(self, stage: Stage, build: Build, unit: Unit) -> list[Shard]:
        """Make one piece, and wait for it."""

    def abandon(self) -> None:
        """End what is made now, in the middle of it."""


def always() -> bool:
    """Nobody tells this job to stop but itself."""
    return True


@dataclass(slots=True, kw_only=True)
class Job:
    """What is to be made of a stage. `do` is called once a group, from a thread each."""

    stage: Stage
    build: Build
    groups: list[list[Unit]]
    pool: Maker
    advance: Callable[[], None]
    say: Callable[[str], None]
    patience: int = PATIENCE
    may_go_on: Callable[[], bool] = always
    failure: BaseException | None = None
    _halt: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _is_down: bool = False

    def do(self, group: int) -> str:
        """Make a group, piece by piece; the digest of what was made."""
        try:
            made = [shard for unit in self.groups[group] for shard in self._piece(unit)]
        except Exception as error:
            self.fail(error)
            raise
        return _digest(made)

    def abandon(self) -> None:
        """Stop every group now, in the middle of its piece."""
        self._halt.set()
        self.pool.abandon()

    def fail(self, error: Exception) -> None:
        """Keep the first failure, and let the other groups stop after the piece they are at."""
        with self._lock:
            if self.failure is None:
                self.failure = error
        self._halt.set()

    def _piece(self, unit: Unit) -> list[Shard]:
        """Make one piece. An executor that does not answer is asked again; a failure is not."""
        with self.pool.slot:  # kept while we wait, or the next piece would wait for it in vain
            for _ in range(self.patience - 1):
                try:
                    return self._attempt(unit)
                except NOT_NOW as error:
                    self._tell_once(error)
            return self._attempt(unit)

    def _attempt(self, unit: Unit) -> list[Shard]:
        if self._halt.is_set() or not self.may_go_on():
            raise Stopped
        shards = self.pool.make(self.stage, self.build, unit)
        self._is_down = False
        self.advance()
        return shards

    def _tell_once(self, error: Exception) -> None:
        with self._lock:
            was_down, self._is_down = self._is_down, True
        if not was_down:
            self.say(f"{error}; still asking")


def _digest(shards: Sequence[Shard]) -> str:
    rows = [[shard.table, shard.dataset, shard.db_id, shard.content] for shard in shards]
    return hashlib.sha256(canonical_json(rows)).hexdigest()
