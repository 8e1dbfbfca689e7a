"""A build: what is to be made, piece by piece, and which pieces are still to make.

A stage says what it makes for one database, from which inputs; whether a piece is made already is
read off the files themselves. So a second run does only what changed, and an interrupted one goes
on where it stopped.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from db_execution.client import Client, Endpoint
from pairset.config import Config
from pairset.store import Store

Rows = Mapping[tuple[str, str, str], pa.Table]
"""Tables by (table, dataset, db_id)."""


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """One piece of a stage: a database of a dataset. ``weight`` is its expected work, to cut by."""

    dataset: str
    db_id: str
    weight: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True)
class Build:
    """One build: its config, its folder, and the executors it asks. Cheap to send to a worker."""

    config: Config
    root: Path
    endpoints: tuple[Endpoint, ...] = ()

    @property
    def store(self) -> Store:
        """The build's tables."""
        return Store(self.root)

    def client(self) -> Client:
        """A client of the build's executors; close it."""
        return Client(self.endpoints)


class Stage(Protocol):
    """What one stage is. A stage is data and pure functions: the flows call it, it calls no flow."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int:
        """Raised whenever the same inputs would give other rows."""
    @property
    def tables(self) -> tuple[str, ...]:
        """The tables it writes; the last one is written last, and says that a piece is whole."""
    @property
    def asks_executor(self) -> bool: ...

    def units(self, build: Build) -> list[Unit]:
        """Every piece there is to make, made or not."""

    def inputs(self, build: Build, unit: Unit) -> dict[str, str]:
        """The digests of all that the piece depends on, by name."""

    def make(self, build: Build, unit: Unit) -> Rows:
        """The rows of the piece."""
