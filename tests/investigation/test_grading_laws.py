"""What grading keeps to, over random tables."""

from itertools import permutations
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from db_execution.cells import RawText
from investigation.grading import mismatch, numbers_equal, same
from investigation.instance import Cell, Row

LAW = settings(deadline=None)
NEAR, FAR = 0.00009, 0.0002
CELLS: st.SearchStrategy[Cell] = st.one_of(
    st.none(),
    st.integers(-9, 9),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 4)),
    st.sampled_from(("", "a", "A", "1", "2025-07-01")),
)


@st.composite
def tables(draw: st.DrawFn) -> list[Row]:
    """One to seven rows of one to four cells."""
    width = draw(st.integers(1, 4))
    return draw(st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=7))


def by_trying(expected: list[Row], got: list[Row]) -> bool:
    """The definition itself: some order of ``got`` is equal to ``expected``, cell by cell."""
    return len(expected) == len(got) and any(
        all(
            equal(a, b)
            for one, other in zip(expected, order, strict=True)
            for a, b in pairs(one, other)
        )
        for order in permutations(got)
    )


def pairs(one: Row, other: Row) -> list[tuple[Any, Any]]:
    return list(zip(one, other, strict=True)) if len(one) == len(other) else [(None, 0)]


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b or abs(a - b) <= 1e-4 + 1e-9
    return type(a) is type(b) and a == b


@LAW
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_count(rows: list[Row], random: Random) -> None:
    assert same(rows, random.sample(rows, len(rows)))


@LAW
@given(tables(), st.data())
def test_a_row_dropped_or_added_counts(rows: list[Row], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(rows) - 1))
    twice = [*rows, rows[place]]
    assert not same(rows, twice)
    assert not same(twice, rows)
    assert mismatch(rows, twice) == mismatch(twice, rows) == "rows"
    assert same(twice, [rows[place], *rows])


@LAW
@given(tables(), st.data())
def test_columns_may_be_swapped_only_where_they_are_the_same(
    rows: list[Row], data: st.DataObject
) -> None:
    assume(len(rows[0]) > 1)
    one, other = data.draw(st.permutations(range(len(rows[0]))))[:2]
    order = list(range(len(rows[0])))
    order[one], order[other] = other, one
    swapped = [tuple(row[place] for place in order) for row in rows]
    assert same(rows, swapped) == by_trying(rows, swapped)
    if all(not equal(row[one], row[other]) for row in rows) and len(rows) == 1:
        assert not same(rows, swapped)


@LAW
@given(tables(), st.data())
def test_a_number_may_be_off_by_less_than_the_tolerance_and_no_more(
    rows: list[Row], data: st.DataObject
) -> None:
    numbers = [
        (at, place)
        for at, row in enumerate(rows)
        for place, cell in enumerate(row)
        if isinstance(cell, (int, float)) and abs(cell) < 1e6
    ]
    assume(numbers)
    at, place = data.draw(st.sampled_from(numbers))
    sign = data.draw(st.sampled_from((1, -1)))
    assert same(rows, moved(rows, at, place, sign * NEAR))
    assert same(moved(rows, at, place, sign * NEAR), rows)
    alone = [rows[at]]
    assert mismatch(alone, moved(alone, 0, place, sign * FAR)) == "values"
    assert mismatch(moved(alone, 0, place, sign * FAR), alone) == "values"


def moved(rows: list[Row], at: int, place: int, by: float) -> list[Row]:
    row = list(rows[at])
    row[place] += by  # type: ignore[operator]
    return [*rows[:at], tuple(row), *rows[at + 1 :]]


@LAW
@given(tables(), st.data())
def test_another_type_is_another_value(rows: list[Row], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(rows[0]) - 1))
    cell = rows[0][place]
    others: list[Any] = [b"a", RawText(b"\xff"), float("inf"), float("-inf"), float("nan")]
    others += [None] if cell is not None else [0, "", "NULL"]
    others += [str(cell)] if not isinstance(cell, str) else [0, cell.encode()]
    other = data.draw(st.sampled_from(others))
    changed = (*rows[0][:place], other, *rows[0][place + 1 :])
    assert not same([rows[0]], [changed])
    assert not same(rows, [changed, *rows[1:]]) or rows.count(rows[0]) > 1


SMALL = st.lists(
    st.tuples(st.sampled_from((0, 0.0001, 0.0002, 0.0003, 0.00045, 1, None, "a"))), max_size=5
)


@given(SMALL, SMALL)
@settings(max_examples=300, deadline=None)
def test_a_pairing_is_found_where_there_is_one_and_only_there(a: list[Row], b: list[Row]) -> None:
    assert same(a, b) == by_trying(a, b)


def test_pairing_equal_rows_first_or_by_their_order_would_miss_this() -> None:
    assert same([(0.0,), (1e-4,)], [(0.0,), (-1e-4,)])
    assert same([(0.0, 5.0), (0.00005, 1.0)], [(0.00005, 5.0), (0.0, 1.0)])


def test_nothing_that_is_not_finite_is_right() -> None:
    for value in (float("inf"), float("-inf"), float("nan")):
        assert not same([(value,)], [(value,)])


def test_an_integer_beyond_what_a_real_can_hold_is_itself_alone() -> None:
    assert numbers_equal(2**53, float(2**53))
    assert not numbers_equal(2**53 + 1, float(2**53))
    assert not same([(2**53 + 1,)], [(2**53,)])


@pytest.mark.parametrize(
    ("expected", "got", "why"),
    [
        ([(1, 2)], [(1,)], "columns"),
        ([(1,)], [(1, 2)], "columns"),
        ([(1,)], [], "rows"),
        ([(1,)], [(1,), (1,)], "rows"),
        ([(1,)], [(2,)], "values"),
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], "values"),
        ([(1,)], [(1.0,)], None),
        ([("1",)], [(1,)], "values"),
    ],
)
def test_the_first_thing_that_is_wrong_is_named(
    expected: list[Row], got: list[Row], why: str | None
) -> None:
    assert mismatch(expected, got) == why


def test_an_answer_without_rows_still_has_columns() -> None:
    assert mismatch([(1, 2)], [], columns=3) == "columns"
    assert mismatch([(1, 2)], [], columns=2) == "rows"


def test_hundreds_of_rows_are_graded_in_milliseconds() -> None:
    rng = Random(1)
    expected: list[Row] = [(rng.choice("ab"), rng.randint(1, 3), rng.random()) for _ in range(500)]
    got = [(a, b, c + rng.uniform(-NEAR, NEAR)) for a, b, c in rng.sample(expected, 500)]  # type: ignore[operator]
    same(expected[:2], got[:2])
    began = process_time()
    assert same(expected, got)
    assert process_time() - began < 0.5
