"""Rates, intervals and p values against numbers worked out by hand or by another formula."""

from math import comb
from typing import Any

import polars as pl
import pytest

from pairset.scores.bootstrap import interval
from pairset.scores.duels import duels, mcnemar
from pairset.scores.rates import rates
from pairset.scores.stage import set_labels

ROW: dict[str, Any] = {
    "gold_id": "g", "dataset": "d", "operator": "OR.ROR", "mutation_class": "comparison_changed",
    "provenance_check": "ok", "original_label": "tied", "set_label": "tied", "order": 1,
    "gold_row_count": 1, "neighbor_row_count": 1, "exec_flags": [],
}  # fmt: skip


def scores(*rows: dict[str, Any]) -> pl.DataFrame:
    filled = [{"pair_id": str(at), **ROW, **row} for at, row in enumerate(rows)]
    return pl.DataFrame(filled, schema_overrides={"exec_flags": pl.List(pl.String)})


def totals(frame: pl.DataFrame, **wanted: str) -> dict[str, Any]:
    key = {"reading": "canonical", "without": "", "grouping": "total", "member": ""} | wanted
    [row] = [r for r in rates("t", frame) if all(r[name] == key[name] for name in key)]
    return row


TWO = scores(
    {"db_id": "a", "label": "separated"},
    {"db_id": "a", "label": "tied"},
    {"db_id": "b", "label": "separated", "set_label": "unknown"},
    {"db_id": "b", "label": "neighbor_error", "mutation_class": "join_changed"},
    {"db_id": "b", "label": "gold_error", "gold_id": "h"},
    {"db_id": "b", "label": "both_error", "gold_id": "i", "order": 2, "operator": "X+Y"},
    {"db_id": "b", "label": "tied", "original_label": "separated", "provenance_check": None},
    {"db_id": "b", "label": "separated", "provenance_check": "misaligned_in_corpus"},
)


def test_a_rate_is_over_all_pairs_that_count_whatever_became_of_them() -> None:
    row = totals(TWO)
    assert (row["pairs"], row["separated"], row["databases"]) == (6, 2, 2)
    assert row["catch_rate"] == pytest.approx(2 / 6)
    assert row["macro_catch_rate"] == pytest.approx((1 / 2 + 1 / 4) / 2)
    assert (row["golds"], row["golds_failing"], row["neighbors_failing"]) == (3, 2, 2)
    assert (row["originally_separated"], row["lost"]) == (1, 1)


def test_pairs_that_as_sets_cannot_be_told_are_counted_and_not_separated() -> None:
    row = totals(TWO, reading="set")
    assert (row["pairs"], row["separated"], row["unknown"]) == (6, 0, 1)


def test_each_grouping_adds_up_to_the_total() -> None:
    for grouping in ("dataset", "mutation_class", "order"):
        rows = [
            r
            for r in rates("t", TWO)
            if (r["reading"], r["without"], r["grouping"]) == ("canonical", "", grouping)
        ]
        assert sum(r["pairs"] for r in rows) == 6, grouping
        assert sum(r["separated"] for r in rows) == 2, grouping
    assert totals(TWO, grouping="operator", member="OR.ROR")["pairs"] == 5


def test_a_flagged_pair_leaves_its_reading_alone() -> None:
    frame = scores(
        {"db_id": "a", "label": "separated", "exec_flags": ["float_close"]},
        {"db_id": "a", "label": "tied", "exec_flags": ["gold_cut", "both_empty"]},
        {"db_id": "a", "label": "tied"},
    )
    left = {w: totals(frame, without=w)["pairs"] for w in ("", "float_close", "gold_cut")}
    assert left == {"": 3, "float_close": 2, "gold_cut": 2}
    assert totals(frame, without="all_of_these")["pairs"] == 1
    assert totals(frame, without="float_close")["separated"] == 0


def test_an_interval_is_narrow_where_databases_agree_and_wide_where_they_do_not() -> None:
    assert interval([5] * 20, [10] * 20) == (0.5, 0.5)
    low, high = interval([10] * 10 + [0] * 10, [10] * 20)
    # Half of 20 databases at 1: the standard error is sqrt(0.25 / 20), so 1.96 of it is 0.22.
    assert low == pytest.approx(0.28, abs=0.03)
    assert high == pytest.approx(0.72, abs=0.03)
    assert interval([1], [2]) == (None, None)


def test_an_interval_weighs_a_database_by_its_pairs() -> None:
    low, high = interval([900, 0], [1000, 10])
    assert (low, high) == (0.0, 0.9)
    assert interval([900, 0], [1000, 10]) == (low, high)


@pytest.mark.parametrize(("won", "lost"), [(0, 0), (3, 3), (0, 6), (2, 9), (40, 21)])
def test_the_p_value_is_the_binomials(won: int, lost: int) -> None:
    total, fewer = won + lost, min(won, lost)
    tail = sum(comb(total, k) for k in range(fewer + 1)) / 2**total
    assert mcnemar(won, lost) == pytest.approx(min(1.0, 2 * tail))


def test_a_duel_counts_only_pairs_that_count() -> None:
    other = TWO.with_columns(label=pl.lit("separated"))
    [canonical, as_sets] = list(duels({"mine": TWO, "other": other}))
    assert [canonical[k] for k in ("pairs", "won", "lost", "both", "neither")] == [6, 0, 4, 2, 0]
    assert [as_sets[k] for k in ("won", "lost", "both", "neither")] == [0, 0, 0, 6]


def test_the_set_reading_ignores_order_and_repetition_and_knows_what_it_does_not_know() -> None:
    runs = pl.DataFrame(
        [("g", "ok", "1"), ("same", "ok", "1"), ("other", "ok", "2"), ("big", "ok", None),
         ("bad", "error", None)],
        schema=["sql", "status", "set_digest"], orient="row",
    )  # fmt: skip
    pairs = pl.DataFrame(
        [(n, "g", n) for n in ("same", "other", "big", "bad")] + [("turn", "bad", "g")],
        schema=["pair_id", "gold_sql", "neighbor_sql"], orient="row",
    )  # fmt: skip
    assert dict(set_labels(pairs, runs).rows()) == {
        "same": "tied", "other": "separated", "big": "unknown", "bad": "neighbor_error",
        "turn": "gold_error",
    }  # fmt: skip
