"""Doing a stage: which pieces are still to make, making some of them, and sweeping after."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pairset.build import Build, Place, Stage, Unit
from pairset.store import Made, Shard


def pending(stage: Stage, build: Build) -> list[Unit]:
    """The pieces whose files are missing, or were made from other inputs or by another version."""
    return [unit for unit in stage.units(build) if not is_current(stage, build, unit)]


def is_current(stage: Stage, build: Build, unit: Unit) -> bool:
    """Whether all files of a piece are there, made from today's inputs by this version."""
    made = _made(stage, build, unit)
    return all(build.store.is_current(*place, made) for place in stage.places(build, unit))


def make(stage: Stage, build: Build, units: Sequence[Unit]) -> list[Shard]:
    """Make the pieces and write them, each whole before the next."""
    return [shard for unit in units for shard in _make_one(stage, build, unit)]


def stale(stage: Stage, build: Build) -> list[Place]:
    """The stage's files of databases that the build no longer has."""
    kept = {place for unit in stage.units(build) for place in stage.places(build, unit)}
    there = [place for table in stage.tables for place in build.store.places(table)]
    return [place for place in there if place not in kept]


def sweep(stage: Stage, build: Build) -> int:
    """Take the stale files away; how many those were."""
    found = stale(stage, build)
    for place in found:
        build.store.remove(*place)
    return len(found)


def groups(units: Sequence[Unit], most: int) -> list[list[Unit]]:
    """``units`` cut into at most ``most`` groups of about equal weight, heaviest first.

    The cut depends on the units alone, never on how many workers there are.
    """
    count = max(1, min(most, len(units)))
    bins: list[tuple[int, int, list[Unit]]] = [(0, at, []) for at in range(count)]
    for unit in sorted(units, key=lambda u: (-u.weight, u)):
        weight, at, members = min(bins, key=lambda b: b[:2])
        members.append(unit)
        bins[at] = (weight + unit.weight, at, members)
    return [members for _, _, members in bins if members]


def _made(stage: Stage, build: Build, unit: Unit) -> Made:
    return Made(f"{stage.name}/{stage.version}", stage.inputs(build, unit))


@contextmanager
def _collecting_afterwards() -> Iterator[None]:
    """No garbage collection until the piece is made.

    Queries are trees whose nodes know their parents. While thousands of them are alive, looking for
    garbage among them takes a third of a stage's time and finds next to none. Afterwards only the
    youngest generation is looked through, what was made meanwhile.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect(0)


def _make_one(stage: Stage, build: Build, unit: Unit) -> list[Shard]:
    made = _made(stage, build, unit)
    with _collecting_afterwards():
        rows = stage.make(build, unit)
    order = {table: at for at, table in enumerate(stage.tables)}
    return [
        build.store.write(place, rows[place], made)
        for place in sorted(rows, key=lambda p: order[p[0]])
    ]
