"""What the families draw with."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from db_execution.sandbox.memory import Memory
from investigation.drawing import Unfit, edited, ids, numbered, rounded, tables, words

fractions = st.fractions(min_value=-1000, max_value=1000, max_denominator=5000)


@settings(deadline=None)
@given(fractions, st.integers(2, 4))
def test_rounding_is_half_away_from_zero_and_what_sqlite_does(value: Fraction, digits: int) -> None:
    try:
        found = rounded(value, digits)
    except Unfit:
        distance = abs(value) * 10**digits % 1 - Fraction(1, 2)
        assert abs(distance) < Fraction(10**digits, 10**7)
        return
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    assert found == float(exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))
    query = f"SELECT ROUND(1.0 * {value.numerator} / {value.denominator}, {digits})"
    with Memory([]) as database:
        assert database.rows(query) == ((found,),)


@pytest.mark.parametrize("value", ["1/8", "-1/8", "12500001/100000000", "12499999/100000000"])
def test_a_value_near_a_tie_is_turned_away(value: str) -> None:
    with pytest.raises(Unfit, match="near_tie"):
        rounded(Fraction(value), 2)


def test_a_value_a_little_further_from_a_tie_is_not() -> None:
    assert rounded(Fraction(1, 8) + Fraction(1, 10**6), 2) == 0.13
    assert rounded(Fraction(1, 8) - Fraction(1, 10**6), 2) == 0.12


@pytest.mark.parametrize("count", [0, 1, 50])
def test_ids_are_distinct_and_rise(count: int) -> None:
    found = ids(Random(count), count)
    assert found == sorted(set(found))
    assert len(found) == count


def test_an_id_says_nothing_of_the_place_in_the_plan() -> None:
    rows = numbered(Random(1), lambda key, at: (key, at), [(at,) for at in range(50)])
    assert sorted(at for _, at in rows) == list(range(50))
    assert [at for _, at in rows] != list(range(50))


def test_words_are_distinct() -> None:
    assert sorted(words(Random(1), "a b c", 3)) == ["a", "b", "c"]


@pytest.mark.parametrize("old", ["c", "t"])
def test_an_edit_that_does_not_fit_just_once_is_a_bug(old: str) -> None:
    with pytest.raises(ValueError, match="times in"):
        edited("SELECT a FROM tt", (old, "x"))


def test_tables_are_read_off_their_ddl() -> None:
    ddl = "CREATE TABLE t(a INTEGER PRIMARY KEY,\n  b TEXT); CREATE TABLE u(c, PRIMARY KEY(c))"
    t, u = tables(ddl, [(1, "x")], [])
    assert (t.name, t.columns, t.rows) == ("t", ("a", "b"), ((1, "x"),))
    assert (u.name, u.columns, u.rows) == ("u", ("c",), ())
