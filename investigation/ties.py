"""Which traps a family's data cannot tell from the oracle: read off the labels of a build."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from investigation.errors import BadExport
from investigation.families import FAMILIES

TIED, SEPARATED = "tied", "separated"
KINDS = ("trap", "twin")
MUTANT = "mutant"
NO_PAIR = "no_pair"
"""The fate of a reference that pairset turned away: to it, the same query as one before."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")


class Wrong(NamedTuple):
    """A wrong query of a family: a trap or a twin by its name, or a mutant, which has none."""

    family: str
    kind: str
    name: str


class Sample(NamedTuple):
    """A line of an exported corpus: its family, and what each reference is, in their order."""

    family: str
    wrong: tuple[Wrong, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """One family: how many instances, and how many of each kind of wrong query over all of them.

    ``unlabelled`` are those that are neither tied nor separated, for whatever reason; ``named`` are
    the labels of each trap and twin.
    """

    family: str
    instances: int
    traps: int
    tied_traps: int
    twins: int
    tied_twins: int
    mutants: int
    tied_mutants: int
    unlabelled: int
    named: dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Ties:
    """How many instances each family has, and how often a wrong query of it had which label."""

    instances: Counter[str]
    fates: dict[Wrong, Counter[str]]

    def tied(self, kind: str) -> dict[str, int]:
        """The wrong queries of a kind that were tied, as ``family.name``, and how often."""
        return {
            f"{one.family}.{one.name}": fates[TIED]
            for one, fates in self.fates.items()
            if one.kind == kind and fates[TIED]
        }

    def families(self) -> list[Held]:
        """What there is of each family, in their order."""
        return [self._of(name) for name in FAMILIES if name in self.instances]

    def _of(self, family: str) -> Held:
        mine = {one: fates for one, fates in self.fates.items() if one.family == family}
        counts = {
            kind: sum((f for one, f in mine.items() if one.kind == kind), Counter[str]())
            for kind in (*KINDS, MUTANT)
        }
        every = sum(counts.values(), Counter[str]())
        return Held(
            family,
            self.instances[family],
            counts["trap"].total(),
            counts["trap"][TIED],
            counts["twin"].total(),
            counts["twin"][TIED],
            counts[MUTANT].total(),
            counts[MUTANT][TIED],
            every.total() - every[TIED] - every[SEPARATED],
            {one.name: dict(fates) for one, fates in mine.items() if one.kind in KINDS},
        )


def read_samples(path: Path) -> dict[str, Sample]:
    """The samples of an exported corpus by their id; raises BadExport for a file that is none."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        return dict(_sample(json.loads(line)) for line in lines if line)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise BadExport(
            f"{path.name} is no corpus of families; make one with: pairset investigation export"
        ) from None


def _sample(row: Mapping[str, Any]) -> tuple[str, Sample]:
    family, named = row["family"], zip(row["reference_kinds"], row["reference_names"], strict=True)
    wrong = tuple(Wrong(family, kind, name) for kind, name in named)
    # The names are printed, and the file may come from anywhere.
    is_ours = all(one.kind in KINDS and _NAME.fullmatch(one.name) for one in wrong)
    if family not in FAMILIES or not is_ours or len(wrong) != len(row["references"]):
        raise ValueError(family)
    return row["id"], Sample(family, wrong)


def ties(
    samples: Mapping[str, Sample], pairs: Iterable[Mapping[str, Any]], labels: Mapping[str, str]
) -> Ties:
    """What became of every wrong query of ``samples``, and of their golds' mutants.

    ``pairs`` are rows of that table, ``labels`` say the label of each ``pair_id`` on the corpus's
    own databases. A reference without a pair is counted as such, never left out.
    """
    told: dict[tuple[str, int], str] = {}
    mutants: dict[Wrong, Counter[str]] = {}
    for pair in pairs:
        key, label = pair["source_sample_ids"][0], labels.get(pair["pair_id"], "no_label")
        if pair["reference_index"] > 0:
            told[key, pair["reference_index"]] = label
        else:
            mutant = Wrong(samples[key].family, MUTANT, "")
            mutants.setdefault(mutant, Counter())[label] += 1
    fates: dict[Wrong, Counter[str]] = {}
    for key, sample in samples.items():
        for index, one in enumerate(sample.wrong, 1):
            fates.setdefault(one, Counter())[told.get((key, index), NO_PAIR)] += 1
    return Ties(Counter(sample.family for sample in samples.values()), fates | mutants)
