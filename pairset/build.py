"""A build: what is to be made, piece by piece, and which pieces are still to make.

A stage says what it makes for one database, from which inputs; whether a piece is made already is
read off the files themselves. So a second run does only what changed, and an interrupted one goes
on where it stopped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import pyarrow as pa

from db_execution.client import Client
from db_execution.endpoints import Endpoint
from pairset.config import Config
from pairset.store import Store

T = TypeVar("T")

Place = tuple[str, str, str]
"""Where a shard lies: table, dataset, db_id."""

Rows = Mapping[Place, pa.Table]


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """One piece of a stage: a database of a dataset. ``weight`` is its expected work, to cut by."""

    dataset: str
    db_id: str
    weight: int = field(default=1, compare=False)

    @property
    def place(self) -> tuple[str, str]:
        """The dataset and the database."""
        return self.dataset, self.db_id


@dataclass(frozen=True, slots=True)
class Build:
    """One build: its config, its folder, and the executors it asks. Cheap to send to a worker."""

    config: Config
    root: Path
    endpoints: tuple[Endpoint, ...] = ()
    _once: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[type[Build], tuple[Config, Path, tuple[Endpoint, ...]]]:
        """What was worked out once stays with the process that did it."""
        return Build, (self.config, self.root, self.endpoints)

    def once(self, name: str, work_out: Callable[[], T]) -> T:
        """What ``work_out`` gives, worked out the first time it is asked for."""
        if name not in self._once:
            self._once[name] = work_out()
        return cast(T, self._once[name])

    @property
    def store(self) -> Store:
        """The build's tables."""
        return Store(self.root)

    def client(self) -> Client:
        """A client of the build's executors; close it."""
        return client_of(self.endpoints)


def client_of(endpoints: Sequence[Endpoint], *, retry_for: float = 60.0) -> Client:
    """A client of those executors, patient for so many seconds.

    A token is taken from the environment alone.
    """
    token = os.environ.get("PAIRSET_DB_TOKEN") or None
    return Client(endpoints, token=token, retry_for=retry_for)


class Stage(Protocol):
    """What one stage is: data and pure functions. The flows call it; it calls no flow."""

    @property
    def name(self) -> str:
        """Also its command's name."""

    @property
    def version(self) -> int:
        """Raised whenever the same inputs would give other rows."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables it writes, in the order in which a piece's shards are written."""

    @property
    def asks_executor(self) -> bool:
        """Whether making a piece needs an executor that answers."""

    def units(self, build: Build) -> list[Unit]:
        """Every piece there is to make, made or not."""

    def inputs(self, build: Build, unit: Unit) -> dict[str, str]:
        """The digests of all that the piece depends on, by name."""

    def places(self, build: Build, unit: Unit) -> list[Place]:
        """Every shard that the piece consists of."""

    def make(self, build: Build, unit: Unit) -> Rows:
        """The rows of the piece, one table for each of its places."""
