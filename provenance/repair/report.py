"""FIX_REPORT.md: what a repair kept, took elsewhere and removed, and at which gate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from pairset.config import FinerCorpus
from pairset.manifest.markdown import table
from provenance.gates import GATE_NAMES

Rows = list[dict[str, Any]]

_GATES = {
    "parses": "it is one query that can be read",
    "gives_the_golds_answer": "on the original database it gives the gold's answer",
    "has_no_better_owner": "no other gold that may own it is a better owner",
    "is_no_duplicate": "neither the gold nor a kept reference has its exact form",
}
_SHOWN = 20


def tally(audit: pl.DataFrame, refused: pl.DataFrame) -> dict[str, Rows]:
    """The counts of a report, from the tables `reference_audit` and `refused_samples`."""
    ends = pl.col("ends_corpus_row").is_not_null()
    stays = pl.col("gate").is_null()
    datasets = audit.group_by("dataset").agg(
        before=pl.len(), kept=stays.sum(), reattached=(ends & ~stays).sum(), after=ends.sum()
    )
    removed = audit.filter(~stays)
    by_gate = removed.group_by("dataset", "gate").agg(removed=pl.len(), reattached=ends.sum())
    by_reason = removed.group_by("gate", "reason").agg(removed=pl.len(), reattached=ends.sum())
    no_answer = removed.filter(pl.col("reason").str.contains("^(gold_|database_is_missing)"))
    named = no_answer.group_by("dataset", "db_id", "sample_id", "reason").agg(references=pl.len())
    verdicts = audit.group_by("dataset", "provenance_check").agg(references=pl.len())
    return {
        "by_dataset": datasets.sort("dataset").to_dicts(),
        "by_gate": by_gate.sort("dataset", "gate").to_dicts(),
        "by_reason": by_reason.sort("gate", "reason").to_dicts(),
        "without_answer": named.sort("dataset", "db_id", "sample_id").to_dicts(),
        "verdicts": verdicts.sort("dataset", "provenance_check").to_dicts(),
        "not_read": refused.select("place", "reason", "note").to_dicts(),
    }


def report(corpus: FinerCorpus, counted: Mapping[str, Rows], numbers: Mapping[str, Any]) -> str:
    """The page; the same tables give the same bytes."""
    sections = [
        _head(corpus, numbers),
        _datasets(counted["by_dataset"]),
        _gates(counted),
        _reasons(counted["by_reason"]),
        _without_answer(counted["without_answer"]),
        _verdicts(counted["verdicts"], numbers),
        _not_read(counted["not_read"]),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def _head(corpus: FinerCorpus, numbers: Mapping[str, Any]) -> str:
    warning = ""
    if corpus.allow_evaluation_data:
        warning = "**Holds evaluation data**: the corpus may have development or test rows.\n\n"
    return (
        f"{warning}# The corrected references of {corpus.name}\n\n"
        f"References {numbers['references_before']:,} -> {numbers['references_after']:,}, of which "
        f"{numbers['references_reattached']:,} are re-attached to another sample. The lists of "
        f"{numbers['samples_changed']:,} of {numbers['samples']:,} samples changed; nothing else "
        "did, which `pairset diff` proves.\n\n"
        f"Each of the {numbers['removed']:,} removed occurrences is in `removed_references.jsonl` "
        "with its gate; every reference, kept or not, is in `reference_audit.jsonl`."
    )


def _safe(text: object) -> str:
    """A text of the corpus in a cell: it cannot end the cell, or be more than text."""
    line = " ".join(str(text).split()).replace("\\", "\\\\").replace("|", "\\|")
    return line.replace("&", "&amp;").replace("<", "&lt;").replace("`", "&#96;")


def _datasets(rows: Rows) -> str:
    heads = ("dataset", "before", "kept", "reattached", "after")
    body = [[row[name] for name in heads] for row in rows]
    if len(body) > 1:
        body.append(["all", *(sum(row[name] for row in rows) for name in heads[1:])])
    return "## Before and after\n\n" + table(heads, body)


def _gates(counted: Mapping[str, Rows]) -> str:
    """A row a gate and dataset, in the order of the gates, those that removed nothing as well."""
    found = {(row["dataset"], row["gate"]): row for row in counted["by_gate"]}
    body = [
        [one["dataset"], f"`{gate}`", _GATES[gate], row.get("removed", 0), row.get("reattached", 0)]
        for one in counted["by_dataset"]
        for gate in GATE_NAMES
        for row in [found.get((one["dataset"], gate), {})]
    ]
    heads = ("dataset", "gate", "what it asks", "removed", "of these re-attached")
    return (
        "## At which gate\n\nA reference passes the gates in this order, against the gold it is "
        "attached to. Then each removed one is offered to the samples that may own it, through the "
        "same gates, the nearest first.\n\n" + table(heads, body)
    )


def _reasons(rows: Rows) -> str:
    if not rows:
        return ""
    order = sorted(rows, key=lambda row: (GATE_NAMES.index(row["gate"]), row["reason"]))
    plain = [row | {"reason": _plain(row)} for row in order]
    totals: dict[tuple[str, str], list[int]] = {}
    for row in plain:
        sums = totals.setdefault((row["gate"], row["reason"]), [0, 0])
        sums[0] += row["removed"]
        sums[1] += row["reattached"]
    body = [[f"`{gate}`", reason, *sums] for (gate, reason), sums in totals.items()]
    return "## Why\n\n" + table(("gate", "reason", "removed", "of these re-attached"), body)


def _plain(row: Mapping[str, Any]) -> str:
    """The reason; of a better owner's note, which names samples, only that there is one."""
    if row["gate"] == "has_no_better_owner":
        return "belongs to another sample"
    return str(row["reason"]).replace("_", " ")


def _without_answer(rows: Rows) -> str:
    """The golds that could not be compared with: their references are not proven, so not kept."""
    if not rows:
        return ""
    named = [
        [
            *(_safe(row[name]) for name in ("dataset", "db_id", "sample_id", "reason")),
            row["references"],
        ]
        for row in rows[:_SHOWN]
    ]
    more = len(rows) - _SHOWN
    rest = f"\n\nand {more:,} samples more, all in `reference_audit.jsonl`." if more > 0 else ""
    heads = ("dataset", "db_id", "sample", "reason", "references")
    return (
        f"## Golds without an answer\n\n{len(rows):,} samples have references and a gold that "
        "gives no answer to compare with, so none of their references is proven.\n\n"
        + table(heads, named)
        + rest
    )


def _verdicts(rows: Rows, numbers: Mapping[str, Any]) -> str:
    body = [
        [row["dataset"], row["provenance_check"] or "no query", row["references"]] for row in rows
    ]
    return (
        "## The audit of every reference\n\nThe definition of record, on texts alone:\n\n"
        + table(("dataset", "verdict", "references"), body)
        + f"\n\n{numbers['reads_extra_tables']:,} of the references in the corrected corpus read "
        "tables that their gold does not. That is no gate; it is noted as `reads_extra_tables`."
    )


def _not_read(rows: Rows) -> str:
    if not rows:
        return ""
    body = [[_safe(row[name]) for name in ("place", "reason", "note")] for row in rows[:_SHOWN]]
    more = len(rows) - _SHOWN
    rest = f"\n\nand {more:,} more." if more > 0 else ""
    return (
        f"## Rows that could not be read\n\n{len(rows):,} rows are left as they were, their lists "
        "among it.\n\n" + table(("place", "reason", "note"), body) + rest
    )
