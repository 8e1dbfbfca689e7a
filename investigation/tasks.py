"""Which task a reset asks for: a family and a seed, and nothing else."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from investigation.instance import Instance

SEEDS = 2**63
SPLIT = "train"
"""The one split: a task is a family, whose instances are drawn afresh. There is no other data."""


class BadReset(ValueError):
    """What a reset was given names no task; says which, and what it may be."""


@dataclass(frozen=True, slots=True)
class World:
    """The families there are, by name, and how an instance of one is drawn from a seed."""

    families: tuple[str, ...]
    draw: Callable[[str, int], Instance]


@dataclass(frozen=True, slots=True)
class Task:
    """What an episode is to be drawn from. The seed is never shown to an agent."""

    family: str
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a reset was given, unchecked: a seed, and a family by name or by its place."""

    seed: object = None
    family: object = None
    task_id: object = None
    split: object = None
    index: object = None

    def task(self, world: World) -> Task:
        """The task that is meant; BadReset where it is none. What is not said is drawn."""
        seed = secrets.randbelow(SEEDS) if self.seed is None else _seed(self.seed)
        family = self._family(world)
        return Task(family or world.families[seed % len(world.families)], seed)

    def _family(self, world: World) -> str | None:
        names = [name for name in (self.family, self.task_id) if name is not None]
        if self.split is not None or self.index is not None:
            names.append(_placed(world, self.split, self.index))
        for name in names:
            if name not in world.families:
                raise BadReset(f"no family {_quoted(name)}; there are {', '.join(world.families)}")
        if len(set(map(str, names))) > 1:
            raise BadReset("family, task_id, and split with index name different families")
        return str(names[0]) if names else None


def _seed(seed: object) -> int:
    if type(seed) is not int or not 0 <= seed < SEEDS:
        raise BadReset("a seed is a whole number from 0 to 2**63 - 1")
    return seed


def _placed(world: World, split: object, index: object) -> str:
    if split not in (None, SPLIT):
        raise BadReset(f"no split {_quoted(split)}; there is {SPLIT!r}")
    if type(index) is not int or not 0 <= index < len(world.families):
        raise BadReset(f"an index is a whole number from 0 to {len(world.families) - 1}")
    return world.families[index]


def _quoted(value: object) -> str:
    return ascii(value)[:80]
