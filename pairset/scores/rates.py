"""Catch rates from the judged pairs of a tree: per dataset, class, operator, order and in total.

A catch rate is the separated pairs over all pairs of the tied set that count. What could not be run
stays below the line. Beside it stand, never folded in, the counts that say what kind of tree it is.
"""

from collections.abc import Iterator
from typing import Any

import polars as pl

from pairset.labels import UNSTABLE
from pairset.scores.bootstrap import interval
from pairset.scores.stage import NOT_RUN, UNKNOWN
from pairset.stages.tied import OK

TOTAL = "total"
GROUPINGS = (TOTAL, "dataset", "mutation_class", "operator", "order")
READINGS = {"canonical": "label", "set": "set_label"}
"""The canonical reading compares lists or multisets of rows; the set reading is BIRD's rule."""

ALL_FLAGS = "all_of_these"
WITHOUT = ("", *UNSTABLE, ALL_FLAGS)
"""Which flagged pairs a reading leaves out; the first is the record."""


def rates(tree: str, scores: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Every row of the table ``catch_rates`` for one tree, from all its ``scores``."""
    counted = scores.filter(
        (pl.col("original_label") == "separated") | (pl.col("provenance_check") == OK)
    ).select(
        "gold_id", "dataset", "mutation_class", "operator", "original_label", "gold_row_count",
        *READINGS.values(), pl.col("order").cast(pl.String), total=pl.lit(""),
        key=pl.concat_str("dataset", "db_id", separator="\0"),
        **{f"is_{without}": _flagged(without) for without in WITHOUT[1:]},
    )  # fmt: skip
    for without in WITHOUT:
        kept = counted.filter(~pl.col(f"is_{without}")) if without else counted
        for reading, label in READINGS.items():
            for grouping in GROUPINGS:
                found = _grouped(kept, grouping, label)
                key = {"tree": tree, "reading": reading, "without": without, "grouping": grouping}
                yield from ({**key, **row} for row in found)


def _flagged(without: str) -> pl.Expr:
    flags = UNSTABLE if without == ALL_FLAGS else (without,)
    return pl.any_horizontal(pl.col("exec_flags").list.contains(flag) for flag in flags)


def _grouped(scores: pl.DataFrame, grouping: str, label: str) -> Iterator[dict[str, Any]]:
    """A row a member of the grouping, in the order of their names; mutants alone have operators."""
    named = scores.select(
        "key", "order", "gold_id", "gold_row_count", "original_label",
        said=pl.col(label), member=pl.col(grouping).fill_null(""),
    )  # fmt: skip
    if grouping == "operator":
        named = named.filter((pl.col("member") != "") & (pl.col("order") == "1"))
    if grouping == "order":
        named = named.filter(pl.col("member") != "")
    by_database = named.group_by("member", "key").agg(**_COUNTS).sort("member", "key")
    golds = _golds(named)
    for (member,), rows in by_database.group_by("member", maintain_order=True):
        yield {"member": member, **_row(rows), **golds.get(str(member), _NO_GOLDS)}


_tied = pl.col("original_label") == "tied"
_failing = pl.col("said").is_in(["neighbor_error", "both_error"])
_COUNTS = {
    "pairs": _tied.sum().cast(pl.Int64),
    "separated": (_tied & (pl.col("said") == "separated")).sum().cast(pl.Int64),
    "unknown": (_tied & (pl.col("said") == UNKNOWN)).sum().cast(pl.Int64),
    "neighbors_failing": (_tied & _failing).sum().cast(pl.Int64),
    "not_run": (_tied & (pl.col("said") == NOT_RUN)).sum().cast(pl.Int64),
    "originally_separated": (~_tied).sum().cast(pl.Int64),
    "lost": (~_tied & (pl.col("said") == "tied")).sum().cast(pl.Int64),
}
_NO_GOLDS = {"golds": 0, "golds_empty": 0, "golds_failing": 0}


def _row(rows: pl.DataFrame) -> dict[str, Any]:
    """One member's counts, its rate with the interval, and the mean of its databases' rates."""
    totals = {name: int(rows[name].sum()) for name in _COUNTS}
    with_pairs = rows.filter(pl.col("pairs") > 0)
    pairs, separated = with_pairs["pairs"].to_list(), with_pairs["separated"].to_list()
    low, high = interval(separated, pairs)
    own = [hit / of for hit, of in zip(separated, pairs, strict=True)]
    return {
        **totals,
        "databases": len(pairs),
        "catch_rate": totals["separated"] / totals["pairs"] if totals["pairs"] else None,
        "low": low,
        "high": high,
        "macro_catch_rate": sum(own) / len(own) if own else None,
    }


def _golds(named: pl.DataFrame) -> dict[str, dict[str, int]]:
    """The distinct golds of each member's tied pairs: how many, how many empty, how many fail."""
    golds = named.filter(_tied).group_by("member", "gold_id").agg(
        empty=(pl.col("gold_row_count") == 0).fill_null(False).any(),
        failing=pl.col("said").is_in(["gold_error", "both_error"]).any(),
    )  # fmt: skip
    found = golds.group_by("member").agg(
        golds=pl.len().cast(pl.Int64),
        golds_empty=pl.col("empty").sum().cast(pl.Int64),
        golds_failing=pl.col("failing").sum().cast(pl.Int64),
    )
    return {row.pop("member"): row for row in found.to_dicts()}
