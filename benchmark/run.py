"""What an agent did: an attempt a task, whether it comes from a folder or from a file."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from benchmark.trajectory import Trajectory

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Attempt(NamedTuple):
    """What an agent gave for one task. ``result`` is the csv text that it left, if it left one.

    ``failure`` is what the agent itself says went wrong; then its SQL is no answer. A tuple, as
    many are made; its fields are read by name.
    """

    task_id: str
    sql: str | None = None
    result: str | None = None
    failure: str | None = None
    trajectory: Trajectory | None = None
    result_path: str = ""
    record: Mapping[str, Any] = NOTHING

    @property
    def has_sql(self) -> bool:
        """Whether there is any SQL."""
        return bool(self.sql and self.sql.strip())


@dataclass(frozen=True, slots=True)
class Run:
    """One pass of an agent over a benchmark: a task without an attempt was not executed."""

    name: str
    attempts: Mapping[str, Attempt]
    notes: tuple[str, ...] = ()
