"""The repair of the FINER sample: what it kept, moved and removed, held against the truth."""

from pathlib import Path
from typing import Any

import datasets

from bench.provenance_truth import Key, Truth, all_rows, golds_by_sample
from db_execution.comparator import same_answer
from db_execution.protocol import Batch
from pairset.build import Build, Unit
from provenance.difference import difference
from provenance.repair import repair, the_corpus
from provenance.stage import desk_of
from sqltext.facts import analyse


def repair_against(build: Build, out: Path, truth: Truth | None) -> dict[str, Any]:
    """Repair into ``out`` and measure; without truth, only what needs none."""
    datasets.disable_progress_bars()
    numbers = repair(build, out)
    corpus = the_corpus(build.config).path
    old, new = (datasets.load_from_disk(str(path), keep_in_memory=True) for path in (corpus, out))
    found = {
        "references_before": numbers.references_before,
        "references_kept": numbers.references_kept,
        "references_reattached": numbers.references_reattached,
        "references_after": numbers.references_after,
        "removed": numbers.removed,
        "samples_changed": numbers.samples_changed,
        **{f"removed_by_{gate}": count for gate, count in numbers.removed_by_gate.items()},
        "kept_with_another_answer": wrong_answers(build, new),
        "diff_passes": difference(corpus, out).holds,
        "same_columns_and_features": (old.column_names, old.features)
        == (new.column_names, new.features),
    }
    return found | (_homes(build, truth) if truth is not None else {})


def wrong_answers(build: Build, corpus: datasets.Dataset) -> int:
    """The references of a corpus whose rows, fetched anew, are not their gold's."""
    wrong = 0
    with build.client() as client:
        for row in corpus:
            gold, *references = row["groundtruth_sqls"]
            if not references:
                continue
            batch = Batch(
                dataset_name=row["dataset_name"],
                db_id=row["db_id"],
                queries=(gold, *references),
                max_rows=50_000,
            )
            due, *given = (answer.rows for answer in client.batch(batch))
            ordered = analyse(gold).ordered
            wrong += sum(not same_answer(due or (), one or (), ordered=ordered) for one in given)
    return wrong


def _homes(build: Build, truth: Truth) -> dict[str, Any]:
    """Where the shifted references that give their home gold's answer have ended.

    One whose exact form its home lists already has no place there, and is not counted.
    """
    golds, (forms, shelves) = golds_by_sample(build), _exact_forms(build)
    ends = _ends(build)
    shifted = [key for key, row in truth.items() if row["shifted"] and row["answers_home"]]
    home = {key: str(truth[key]["belongs_to"]) for key in shifted}
    arrived = {key for key in shifted if golds.get(ends[key] or "") == golds[home[key]]}
    again = [key for key in shifted if key not in arrived and forms[key] in shelves[home[key]]]
    unshifted = [key for key, row in truth.items() if not row["shifted"]]
    moved = [key for key in unshifted if ends[key] and golds[ends[key] or ""] != golds[key[0]]]
    gone = [key for key in unshifted if truth[key]["answers_here"] and not ends[key]]
    return {
        "shifted_that_answer_home": len(shifted),
        "of_these_duplicates_there": len(again),
        "arrived_home": len(arrived),
        "share_arrived_home": round(len(arrived) / (len(shifted) - len(again)), 4),
        "unshifted_taken_elsewhere": len(moved),
        "unshifted_right_ones_lost": sum(forms[key] not in shelves[key[0]] for key in gone),
    }


def _ends(build: Build) -> dict[Key, str | None]:
    """The sample that lists each reference in the end."""
    columns = ("sample_id", "reference_index", "ends_sample_id")
    rows = all_rows(build, "reference_audit").select(columns).iter_rows()
    return {(sample, index): end for sample, index, end in rows}


def _exact_forms(build: Build) -> tuple[dict[Key, str], dict[str, set[str]]]:
    """The exact form of every reference, and those that every sample has in the end."""
    forms: dict[Key, str] = {}
    shelves: dict[str, set[str]] = {}
    ends = _ends(build)
    for _, dataset, db_id in build.store.places("samples"):
        desk, texts = desk_of(build, Unit(dataset, db_id))
        for sample in desk.samples:
            shelves[sample.sample_id] = {texts[sample.gold_sql].exact}
        for one in desk.references:
            forms[one.sample.sample_id, one.index] = one.text.exact if one.text else ""
    for key, end in ends.items():
        if end is not None:
            shelves[end].add(forms[key])
    return forms, shelves
