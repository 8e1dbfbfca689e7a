"""Which task a reset asks for: a family and a seed, and nothing else."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from investigation.errors import InvestigationError
from investigation.instance import Instance
from investigation.splits import SPLITS, split_of

SEEDS = 2**63


class BadReset(InvestigationError, ValueError):
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
    """What a reset was given, unchecked: a seed, and a family by name or by its place in a split.

    A family has a place, its ``index``, the same in every split; a split is a range of seeds.
    """

    seed: object = None
    family: object = None
    task_id: object = None
    split: object = None
    index: object = None

    def task(self, world: World) -> Task:
        """The task that is meant; BadReset where it is none. What is not said is drawn."""
        family, seed = self._family(world), self._seed()
        return Task(family or world.families[seed % len(world.families)], seed)

    def _seed(self) -> int:
        if self.split is not None and self.split not in tuple(SPLITS):
            raise BadReset(f"no split {_quoted(self.split)}; there are {', '.join(SPLITS)}")
        seeds = SPLITS[str(self.split or "train")]
        if self.seed is None:
            return seeds[secrets.randbelow(seeds.stop - seeds.start)]
        seed = _whole(self.seed)
        if self.split is not None and seed not in seeds:
            raise BadReset(f"that seed is of the split {split_of(seed)!r}, not {self.split!r}")
        return seed

    def _family(self, world: World) -> str | None:
        names = [name for name in (self.family, self.task_id) if name is not None]
        if self.index is not None:
            names.append(_placed(world, self.index))
        for name in names:
            if name not in world.families:
                raise BadReset(f"no family {_quoted(name)}; there are {', '.join(world.families)}")
        if len(set(map(str, names))) > 1:
            raise BadReset("family, task_id and index name different families")
        return str(names[0]) if names else None


def _whole(seed: object) -> int:
    if type(seed) is not int or not 0 <= seed < SEEDS:
        raise BadReset("a seed is a whole number from 0 to 2**63 - 1")
    return seed


def _placed(world: World, index: object) -> str:
    if type(index) is not int or not 0 <= index < len(world.families):
        raise BadReset(f"an index is a whole number from 0 to {len(world.families) - 1}")
    return world.families[index]


def _quoted(value: object) -> str:
    return ascii(value)[:80]
