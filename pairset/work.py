"""Doing a stage: which pieces are still to make, making some of them, and sweeping after."""

from collections.abc import Sequence

from pairset.build import Build, Stage, Unit
from pairset.store import Made, Shard


def pending(stage: Stage, build: Build) -> list[Unit]:
    """The pieces whose files are missing, or were made from other inputs or by another version."""
    store = build.store
    return [
        unit
        for unit in stage.units(build)
        if not store.is_current(stage.tables[-1], unit.dataset, unit.db_id, _made(stage, build, unit))
    ]


def make(stage: Stage, build: Build, units: Sequence[Unit]) -> list[Shard]:
    """Make the pieces and write them, each whole before the next."""
    return [shard for unit in units for shard in _make_one(stage, build, unit)]


def sweep(stage: Stage, build: Build) -> int:
    """Take away the stage's files of databases that the build no longer has; how many those were."""
    kept = {(unit.dataset, unit.db_id) for unit in stage.units(build)}
    stale = [
        shard
        for table in stage.tables
        for shard in build.store.shards(table)
        if (shard.dataset, shard.db_id) not in kept
    ]
    for shard in stale:
        build.store.remove(shard.table, shard.dataset, shard.db_id)
    return len(stale)


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


def _make_one(stage: Stage, build: Build, unit: Unit) -> list[Shard]:
    made = _made(stage, build, unit)
    rows = stage.make(build, unit)
    order = {table: at for at, table in enumerate(stage.tables)}
    return [
        build.store.write(place, rows[place], made) for place in sorted(rows, key=lambda p: order[p[0]])
    ]
