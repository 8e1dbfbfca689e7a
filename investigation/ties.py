"""Which traps a family's data cannot tell from the oracle: read off the labels of a build."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from investigation.errors import BadExport
from investigation.families import FAMILIES

TIED = "tied"
NO_PAIR = "no_pair"
"""The fate of a reference that pairset turned away: to it, the same query as one before."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A trap or a twin of a family, by its name."""

    family: str
    kind: str
    name: str


@dataclass(slots=True)
class Ties:
    """How often each trap and twin had which label, and how many instances a family has.

    ``mutants`` counts what pairset's grammar made of a family's golds, by label.
    """

    instances: Counter[str] = field(default_factory=Counter)
    fates: dict[Reference, Counter[str]] = field(default_factory=dict)
    mutants: dict[str, Counter[str]] = field(default_factory=dict)

    def tied(self, kind: str) -> dict[Reference, int]:
        """The references of a kind that were tied at least once, and how often."""
        return {
            one: counts[TIED]
            for one, counts in self.fates.items()
            if one.kind == kind and counts[TIED]
        }


Samples = dict[str, Mapping[str, Any]]
"""The rows of an exported corpus, by the sample's id."""


def read_samples(path: Path) -> Samples:
    """The rows of an exported corpus; raises BadExport for a file that is none."""
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return {row["id"]: row for row in rows if row["reference_names"] is not None}
    except (OSError, ValueError, KeyError, TypeError):
        raise BadExport(
            f"{path.name} is no corpus of families; make one: pairset investigation export"
        ) from None


def ties(samples: Samples, pairs: Iterable[Mapping[str, Any]], labels: Mapping[str, str]) -> Ties:
    """What became of every trap and twin of ``samples``.

    ``pairs`` are rows of that table, ``labels`` say the label of each ``pair_id`` on the corpus's
    own databases. A reference without a pair is counted as such, never left out.
    """
    found = Ties()
    fates = dict[tuple[str, int], str]()
    for pair in pairs:
        sample = samples[pair["source_sample_ids"][0]]
        label = labels.get(pair["pair_id"], "no_label")
        if pair["reference_index"] > 0:
            fates[sample["id"], pair["reference_index"]] = label
        else:
            found.mutants.setdefault(sample["family"], Counter())[label] += 1
    for sample in sorted(samples.values(), key=lambda one: _rank(one["family"])):
        found.instances[sample["family"]] += 1
        named = zip(sample["reference_kinds"], sample["reference_names"], strict=True)
        for index, (kind, name) in enumerate(named, 1):
            reference = Reference(sample["family"], kind, name)
            fate = fates.get((sample["id"], index), NO_PAIR)
            found.fates.setdefault(reference, Counter())[fate] += 1
    return found


def _rank(family: str) -> int:
    return list(FAMILIES).index(family) if family in FAMILIES else len(FAMILIES)
