"""Groups that are made away from us: in a process, or on another machine of a cluster.

What crosses is an errand: the stage, the build as paths and addresses, and which databases. What
comes back is a digest. The build's folder has to be the same folder there.
"""

import pickle
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from flows.jobs import PATIENCE, Job
from flows.ticket import Ticket
from pairset.build import Build, Stage, Unit
from pairset.store import Shard
from pairset.work import make


@dataclass(frozen=True, slots=True)
class Errand:
    """One group of a stage, and all that is needed to make it elsewhere."""

    stage: Stage
    build: Build
    units: list[Unit]
    ticket: Ticket
    patience: int = PATIENCE

    def packed(self) -> bytes:
        """As bytes, with paths that mean the same in every folder."""
        return pickle.dumps(replace(self, build=_absolute_build(self.build)))


class Here:
    """Makes pieces in this process: it is a worker already."""

    slot = nullcontext()

    def make(self, stage: Stage, build: Build, unit: Unit) -> list[Shard]:
        """Make one piece."""
        return make(stage, build, [unit])

    def abandon(self) -> None:
        """Nothing of ours goes on elsewhere."""


def run_errand(packed: bytes, say: Callable[[str], None]) -> str:
    """Make the group; the digest of what was made. A worker calls this."""
    errand: Errand = pickle.loads(packed)
    job = Job(
        stage=errand.stage,
        build=errand.build,
        groups=[errand.units],
        pool=Here(),
        advance=lambda: None,
        say=say,
        patience=errand.patience,
        may_go_on=errand.ticket.is_valid,
    )
    return job.do(0)


def _absolute_build(build: Build) -> Build:
    return Build(_absolute(build.config), build.root.absolute(), build.endpoints)


def _absolute(value: Any) -> Any:
    """``value`` with every path in it made absolute."""
    if isinstance(value, Path):
        return value.absolute()
    if isinstance(value, BaseModel):
        parts = {name: _absolute(getattr(value, name)) for name in type(value).model_fields}
        return value.model_copy(update=parts)
    if isinstance(value, tuple):
        return tuple(map(_absolute, value))
    if isinstance(value, dict):
        return {name: _absolute(one) for name, one in value.items()}
    return value
