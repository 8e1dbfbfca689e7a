"""Whose query is it: the one definition, its figures, its ties and its laws."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.audit import read_footprint
from provenance.owner import (
    MISALIGNED,
    OK,
    Asker,
    Closeness,
    Footprint,
    Gold,
    Golds,
    Verdict,
    nearest,
    note,
)
from sqltext.schema import Schema
from tests.provenance.small import HARBOUR, NORTH_QUAY, ON_TIME, ON_TIME_AGAIN

ITEMS = st.sampled_from(
    [f"{tag}:{name}" for tag in ("table", "column", "value") for name in "abcd"]
)
FOOTPRINTS = st.frozensets(ITEMS, max_size=7)


def golds_of(*texts: tuple[str, tuple[int, ...]], schema: Schema = HARBOUR) -> Golds:
    """Golds with the rows of their samples; a sample's id says its row."""
    return Golds(
        Gold(sql, read_footprint(sql, schema), tuple(Asker(row, str(row)) for row in rows))
        for sql, rows in texts
    )


def judge(neighbor: str, golds: Golds, gold: str, row: int = 0) -> Verdict:
    return golds.judge(read_footprint(neighbor, HARBOUR), gold, row)


def test_a_reference_of_the_example_s_shape_belongs_to_sample_5854() -> None:
    golds = golds_of((NORTH_QUAY, (5849,)), (ON_TIME, (5854,)))
    verdict = judge(ON_TIME_AGAIN, golds, NORTH_QUAY, 5849)
    assert verdict.check == MISALIGNED
    assert verdict.closeness_owner == Closeness(4, 4)
    assert verdict.closeness_gold == Closeness(2, 10)
    assert verdict.note == (
        "belongs to sample 5854 of the same database (closeness 1.00 vs 0.20); "
        "string values not in the gold: 2018/8/1"
    )


def test_at_home_the_same_reference_is_ok() -> None:
    golds = golds_of((NORTH_QUAY, (5849,)), (ON_TIME, (5854,)))
    assert judge(ON_TIME_AGAIN, golds, ON_TIME, 5854) == Verdict(OK, "", Closeness(4, 4))


def test_a_closer_gold_alone_accuses_nobody() -> None:
    """Nothing that the gold never mentions: the reference may only be phrased differently."""
    golds = golds_of((NORTH_QUAY, (1,)), ("SELECT CALL_DATE FROM Calls", (2,)))
    assert judge("SELECT CALL_DATE FROM Calls", golds, NORTH_QUAY).check == OK


def test_a_foreign_value_alone_accuses_nobody() -> None:
    golds = golds_of((NORTH_QUAY, (1,)), ("SELECT Id FROM Calls WHERE SHIP = 'Bela'", (2,)))
    assert judge(NORTH_QUAY.replace("North", "West"), golds, NORTH_QUAY).check == OK


def test_numbers_are_nobody_s() -> None:
    one, other = (f"SELECT SHIP FROM Calls WHERE DELAY > {n}" for n in (5, 99))
    golds = golds_of((one, (1,)), (other, (2,)))
    assert judge(f"{other} LIMIT 7", golds, one).check == OK


def test_a_double_quoted_token_that_names_nothing_is_a_value() -> None:
    golds = golds_of((NORTH_QUAY, (1,)), (ON_TIME, (2,)))
    quoted = ON_TIME_AGAIN.replace("'2018/8/1'", '"2018/8/1"')
    assert judge(quoted, golds, NORTH_QUAY).note == judge(ON_TIME_AGAIN, golds, NORTH_QUAY).note
    named = 'SELECT "CALL_DATE" FROM Calls'
    assert read_footprint(named, HARBOUR) == {"table:calls", "column:calls.call_date"}


def test_tables_and_values_that_the_gold_lacks_are_both_named() -> None:
    ships = "SELECT SHIP FROM Calls"
    golds = golds_of((ships, (1,)), (NORTH_QUAY, (2,)))
    assert judge(NORTH_QUAY, golds, ships).note == (
        "belongs to sample 2 of the same database (closeness 1.00 vs 0.11); "
        "string values not in the gold: 2018/8/15, North Quay; tables not in the gold: berths"
    )


@pytest.mark.parametrize(
    ("rows", "owner"), [((20, 8), 8), ((13, 7), 7), ((7, 13), 7), ((9, 12), 9), ((5, 14), 14)]
)
def test_of_equally_close_owners_the_nearest_is_named_and_the_earlier_of_two(
    rows: tuple[int, int], owner: int
) -> None:
    again = ON_TIME.replace("COUNT(*)", "COUNT( * )")
    golds = golds_of((NORTH_QUAY, (10,)), (ON_TIME, rows[:1]), (again, rows[1:]))
    assert judge(ON_TIME_AGAIN, golds, NORTH_QUAY, 10).owner == Asker(owner, str(owner))
    one_gold = golds_of((NORTH_QUAY, (10,)), (ON_TIME, rows))
    assert judge(ON_TIME_AGAIN, one_gold, NORTH_QUAY, 10).owner == Asker(owner, str(owner))


def test_two_empty_footprints_share_nothing() -> None:
    nothing = frozenset[str]()
    assert float(Closeness.of(nothing, nothing)) == 0
    golds = Golds([Gold("SELECT 1", nothing, (Asker(1, "1"),))])
    assert golds.judge(nothing, "SELECT 1", 1) == Verdict(OK, "", Closeness(0, 0))


def test_a_long_note_is_cut_and_a_close_race_is_told_apart() -> None:
    values = frozenset(f"value:{letter * 200}" for letter in "abcdefgh")
    said = note(Asker(1, "1"), Closeness(1001, 2000), Closeness(1000, 2000), values)
    assert "closeness 0.5005 vs 0.5000" in said
    assert said.endswith(" and 3 more")
    assert len(said) < 500


@given(FOOTPRINTS, FOOTPRINTS)
def test_closeness_is_symmetric_and_between_0_and_1(one: Footprint, other: Footprint) -> None:
    closeness = Closeness.of(one, other)
    assert closeness == Closeness.of(other, one)
    assert 0 <= float(closeness) <= 1
    assert (float(closeness) == 1) == (one == other and bool(one))


@given(FOOTPRINTS, FOOTPRINTS, FOOTPRINTS)
def test_closeness_is_compared_as_fractions_are(a: Footprint, b: Footprint, c: Footprint) -> None:
    one, other = Closeness.of(a, b), Closeness.of(a, c)
    exact = [Fraction(x.shared, x.union or 1) for x in (one, other)]
    assert (one > other) == (exact[0] > exact[1])


def by_comparing_all(golds: list[Gold], neighbor: Footprint, own: Gold, row: int) -> str | None:
    """The owner's id by the definition's own words, or None where it is ok."""

    def exact(gold: Gold) -> Fraction:
        union = neighbor | gold.footprint
        return Fraction(len(neighbor & gold.footprint), len(union)) if union else Fraction(0)

    best = max(exact(gold) for gold in golds)
    foreign = {item for item in neighbor - own.footprint if item[:5] != "colum"}
    if best <= exact(own) or not foreign:
        return None
    askers = [asker for gold in golds if exact(gold) == best for asker in gold.askers]
    return nearest(row, askers).sample_id


DATABASES = st.lists(st.tuples(FOOTPRINTS, st.integers(0, 30)), min_size=1, max_size=9)


@given(DATABASES, FOOTPRINTS, st.randoms(use_true_random=False))
def test_the_index_says_what_comparing_with_every_gold_says(
    drawn: list[tuple[Footprint, int]], neighbor: Footprint, chance: "object"
) -> None:
    golds = [
        Gold(f"gold {at}", touched, (Asker(row, f"{at}"), Asker(row + 40, f"{at}b")))
        for at, (touched, row) in enumerate(drawn)
    ]
    own = golds[0]
    due = by_comparing_all(golds, neighbor, own, 15)
    shuffled = list(golds)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    for listed in (golds, shuffled):
        verdict = Golds(listed).judge(neighbor, own.sql, 15)
        assert (verdict.owner and verdict.owner.sample_id) == due
        assert (verdict.check == MISALIGNED) == (due is not None)
