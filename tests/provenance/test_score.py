"""The second verdict: laws of the model, and its figures against the truth."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.provenance_truth import all_rows, golds_by_sample, measured, read_truth
from pairset.build import Build
from provenance.score.blocks import LIKELY, RECORD, Sign, Weights, score_list
from provenance.score.rarity import Rarity, words
from tests.pairset.sample_build import frame
from tests.shared_data import shared

SIGNS = st.builds(Sign, st.sampled_from((-1, 0, 1)), st.floats(-1, 1), st.floats(0, 1))
FOR, AGAINST = Sign(1, 0.5, 1.0), Sign(-1, -0.5, 1.0)


@st.composite
def lists(draw: st.DrawFn) -> tuple[list[list[Sign]], list[int]]:
    """The signs of one to four later golds for one to eight references."""
    golds, size = draw(st.integers(1, 4)), draw(st.integers(1, 8))
    row = st.lists(SIGNS, min_size=size, max_size=size)
    counts = st.lists(st.integers(1, 3), min_size=golds, max_size=golds)
    return draw(st.lists(row, min_size=golds, max_size=golds)), draw(counts)


def chances(signs: list[list[Sign]], weights: Weights = RECORD) -> list[float]:
    return [one.chance for one in score_list(signs, [1] * len(signs), weights)]


@given(lists())
def test_a_score_is_a_chance_and_falls_along_the_list(
    drawn: tuple[list[list[Sign]], list[int]],
) -> None:
    """A block is at the head: whoever covers a reference covers all before it."""
    scores = [one.chance for one in score_list(*drawn, RECORD)]
    assert all(0 <= score <= 1 for score in scores)
    assert all(one >= other - 1e-12 for one, other in zip(scores, scores[1:], strict=False))


@given(lists(), st.integers(0, 3))
def test_the_order_of_the_later_golds_does_not_count(
    drawn: tuple[list[list[Sign]], list[int]], turn: int
) -> None:
    signs, counts = drawn
    turned = [*signs[turn:], *signs[:turn]], [*counts[turn:], *counts[:turn]]
    ours, theirs = score_list(signs, counts, RECORD), score_list(*turned, RECORD)
    for one, other in zip(ours, theirs, strict=True):
        assert math.isclose(one.chance, other.chance, rel_tol=1e-9, abs_tol=1e-12)


@given(lists())
def test_what_speaks_for_a_later_gold_raises_the_score(
    drawn: tuple[list[list[Sign]], list[int]],
) -> None:
    signs, counts = drawn
    first, *others = signs[0]
    more = Sign(1, min(1.0, first.closeness + 0.3), first.words)
    before = score_list(signs, counts, RECORD)[0].chance
    after = score_list([[more, *others], *signs[1:]], counts, RECORD)[0].chance
    assert after >= before - 1e-12


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=9))
def test_plain_words_alone_never_make_a_block(found: list[list[float]]) -> None:
    signs = [[Sign(0, 0.0, one) for one in row] for row in found]
    assert max(chances(signs)) <= RECORD.prior / (1 - RECORD.prior) + 1e-9 < LIKELY


def test_the_block_ends_where_the_evidence_turns() -> None:
    *_, (block, first, rest) = [
        (c[:2], c[1], c[2:]) for c in [chances([[FOR, FOR, AGAINST, AGAINST]])]
    ]
    assert min(block) > 0.9
    assert max(rest) < 0.1
    assert first > LIKELY
    assert score_list([[FOR, FOR, AGAINST]], [1], RECORD)[0].length == 2


def test_one_odd_reference_does_not_cut_a_block() -> None:
    assert min(chances([[FOR, FOR, Sign(0, -0.2, 1.0), FOR, FOR]])) > 0.9


def test_the_later_gold_that_fits_is_named() -> None:
    scores = score_list([[AGAINST], [FOR], [Sign(0, 0.1, 0.2)]], [1, 1, 1], RECORD)
    assert scores[0].candidate == 1
    by_words = score_list([[Sign(1, 0.5, 0.2)], [Sign(1, 0.5, 0.9)]], [1, 1], RECORD)
    assert by_words[0].candidate == 1


def test_a_long_list_of_strong_evidence_does_not_overflow() -> None:
    strong = Weights(0.2, 500.0, 500.0, 1.0)
    assert chances([[FOR] * 60], strong)[59] == 1.0
    assert chances([[AGAINST] * 60], strong)[0] == pytest.approx(0.0)


def test_what_every_gold_has_says_little_and_what_one_has_says_much() -> None:
    rarity = Rarity([{"table:t", "value:x"}, {"table:t"}, {"table:t"}, {"table:t"}])
    common = rarity.closeness(frozenset({"table:t", "a"}), frozenset({"table:t", "b"}))
    rare = rarity.closeness(frozenset({"value:x", "a"}), frozenset({"value:x", "b"}))
    assert common < 0.1 < rare
    assert rarity.closeness(frozenset(), frozenset()) == 0.0


def test_words_are_what_names_leave_out() -> None:
    exact = 'select max(t1.a) from "order" as T1 where t1.b >= 3.5 order by t1.a desc limit 1'
    assert words(exact) == {"MAX", ">=", "3.5", "ORDER", "DESC", "LIMIT", "1"}


def test_a_shifted_block_scores_high_with_its_evidence(harbour: Build) -> None:
    scores = frame(harbour, "provenance_scores")
    pairs = frame(harbour, "pairs").select("pair_id", "neighbor_origin")
    told = {row["neighbor_origin"]: row for row in scores.join(pairs, on="pair_id").to_dicts()}
    assert len(told) == len(scores) == 7
    first = told["sample 5849, groundtruth_sqls[1]"]
    assert first["provenance_score"] > 0.9
    assert first["score_owner_sample_id"] == "5854"
    assert first["score_evidence"].startswith(
        "the first 2 of 4 may be of sample 5854; gives that gold's answer and not the answer here; "
        "closeness by rarity 1.00 vs "
    )
    honest = told["sample 5849, groundtruth_sqls[3]"]
    assert honest["provenance_score"] < 0.1


def test_on_the_finer_sample_it_is_precise_and_finds_nearly_all(finer: Build) -> None:
    """The weights of the package; bench.provenance tunes on one half and measures on the other."""
    truth = read_truth(shared("corpora", "finer_sample", "truth.jsonl"))
    audit = all_rows(finer, "reference_audit")
    columns = ("sample_id", "reference_index", "provenance_score", "score_owner_sample_id")
    owners = {
        (sample, index): owner if score >= LIKELY else None
        for sample, index, score, owner in audit.select(columns).iter_rows()
    }
    found = measured(owners, truth, golds_by_sample(finer))
    assert found["precision"] >= 0.97
    assert found["recall_sure"] >= 0.95
    assert found["right_gold"] >= 0.95
