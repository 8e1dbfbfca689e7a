"""The two verdicts on every reference of the FINER sample, held against its truth.

Negatives are the references that were not shifted. Positives are the shifted ones whose gold at
home is another text. Of these, the *sure* give their home gold's answer and not the answer here;
the others are wrong at home too, or right in both places.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl

from pairset.build import Build, Unit
from provenance.owner import MISALIGNED
from provenance.score.blocks import LIKELY, RECORD, Weights, score_list
from provenance.score.evidence import Candidate, candidates
from provenance.stage import desk_of

Key = tuple[str, int]
"""A reference: its sample's id, and its index in the list."""

Truth = dict[Key, dict[str, Any]]
Owners = dict[Key, str | None]
"""The sample that a verdict says is the owner, None where it says that all is well."""

_GRID = tuple(
    Weights(*four) for four in product((0.1, 0.2, 0.3), (1.0, 2.0, 3.0), (4.0, 8.0, 12.0), (1.0,))
)


def read_truth(path: Path) -> Truth:
    """The truth by reference."""
    rows = map(json.loads, path.read_text().splitlines())
    return {(str(row["sample_id"]), row["reference_index"]): row for row in rows}


def all_rows(build: Build, table: str) -> pl.DataFrame:
    """All rows of a table."""
    return pl.concat(
        [pl.DataFrame(build.store.read(*place)) for place in build.store.places(table)]
    )


def golds_by_sample(build: Build) -> dict[str, str]:
    """The gold of every sample."""
    return dict(all_rows(build, "samples").select("sample_id", "gold_sql").iter_rows())


def record_against(build: Build, truth: Truth) -> dict[str, Any]:
    """Precision, recall and right owners of the definition of record."""
    columns = ("sample_id", "reference_index", "provenance_check", "owner_sample_id")
    owners: Owners = {
        (sample, index): owner if check == MISALIGNED else None
        for sample, index, check, owner in all_rows(build, "reference_audit")
        .select(columns)
        .iter_rows()
    }
    found = measured(owners, truth, golds_by_sample(build))
    return {f"{name}_of_record": value for name, value in found.items()}


def measured(owners: Owners, truth: Truth, golds: dict[str, str]) -> dict[str, Any]:
    """What a verdict found of what there was."""
    negative = [key for key in owners if not truth[key]["shifted"]]
    positive = [key for key in owners if truth[key]["shifted"] and not truth[key]["same_gold"]]
    hits = [key for key in positive if owners[key] is not None]
    false = sum(owners[key] is not None for key in negative)
    others = [key for key in positive if not _is_sure(truth[key])]
    home = {key: str(truth[key]["belongs_to"]) for key in hits}
    return {
        "negatives": len(negative),
        "positives": len(positive),
        "false_alarms": false,
        "precision": _share(len(hits), len(hits) + false),
        "recall": _share(len(hits), len(positive)),
        "recall_sure": _recall(owners, (k for k in positive if _is_sure(truth[k]))),
        "recall_wrong_at_home": _recall(
            owners, (k for k in others if not truth[k]["answers_home"])
        ),
        "recall_others": _recall(owners, others),
        "right_sample": _share(sum(owners[key] == home[key] for key in hits), len(hits)),
        "right_gold": _share(
            sum(golds[str(owners[key])] == golds[home[key]] for key in hits), len(hits)
        ),
    }


def _is_sure(row: dict[str, Any]) -> bool:
    return bool(row["answers_home"] and not row["answers_here"])


def _recall(owners: Owners, keys: Iterable[Key]) -> float:
    found = [owners[key] is not None for key in keys]
    return _share(sum(found), len(found))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


Lists = list[tuple[list[Key], list[Candidate]]]


def score_against(build: Build, truth: Truth) -> dict[str, Any]:
    """The score with weights tuned on half of the databases, measured on the other, and swapped.

    ``precision`` and ``recall`` are of both held-out halves together; recall is that of the sure.
    Beside them, the weights that the package has, on everything.
    """
    lists, golds = _lists(build), golds_by_sample(build)
    halves = [sorted(lists)[0::2], sorted(lists)[1::2]]
    held_out: Owners = {}
    tuned = []
    for at, half in enumerate(halves):
        own, other = (_joined(lists, part) for part in (half, halves[1 - at]))
        best = max(_GRID, key=_goodness(own, truth, golds))
        tuned.append(asdict(best))
        held_out |= judged(other, best)
    found = measured(held_out, truth, golds)
    shipped = measured(judged(_joined(lists, sorted(lists)), RECORD), truth, golds)
    found["recall_all"] = found.pop("recall")
    found["recall"] = found.pop("recall_sure")
    return {
        "halves": halves,
        "tuned_on_each_half": tuned,
        "weights_of_the_package": asdict(RECORD),
        **{f"{name}_of_the_package": value for name, value in shipped.items()},
        **found,
    }


def _goodness(lists: Lists, truth: Truth, golds: dict[str, str]) -> Callable[[Weights], float]:
    def goodness(weights: Weights) -> float:
        found = measured(judged(lists, weights), truth, golds)
        both = found["precision"] + found["recall_sure"]
        return 2 * found["precision"] * found["recall_sure"] / both if both else 0.0

    return goodness


def _lists(build: Build) -> dict[str, Lists]:
    """The evidence of every list, by database; it does not depend on weights."""
    found: dict[str, Lists] = {}
    for _, dataset, db_id in build.store.places("samples"):
        desk, texts = desk_of(build, Unit(dataset, db_id))
        found[db_id] = [
            ([(one.sample.sample_id, one.index) for one in listed], others)
            for listed, others in candidates(desk, texts)
        ]
    return found


def _joined(lists: dict[str, Lists], names: Iterable[str]) -> Lists:
    return [one for name in names for one in lists[name]]


def judged(lists: Lists, weights: Weights) -> Owners:
    """The owner that the score names of every reference."""
    owners: Owners = {}
    for keys, others in lists:
        if not others:
            owners |= dict.fromkeys(keys)
            continue
        counts = [len(one.samples) for one in others]
        scores = score_list([one.signs for one in others], counts, weights)
        for key, score in zip(keys, scores, strict=True):
            named = others[score.candidate].samples[0].sample_id
            owners[key] = named if score.chance >= LIKELY else None
    return owners
