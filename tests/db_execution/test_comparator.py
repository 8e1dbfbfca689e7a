"""The comparator, and that the digests agree with it."""

import random
from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from db_execution.cells import Cell, RawText, Row
from db_execution.comparator import same_answer, same_cell
from db_execution.digest import digests_of

# Few and close to one another, so that equal cells and near misses are common.
CELLS: st.SearchStrategy[Cell] = st.sampled_from(
    [
        None,
        "",
        "a",
        "A",
        "a ",
        "1",
        "NULL",
        b"",
        b"a",
        RawText(b"\xff"),
        RawText(b"a\xff"),
        0,
        1,
        -1,
    ]
    + [2**53, 2**53 + 1, 2**63 - 1, 0.0, -0.0, 1.0, 2.0**53, 0.1 + 0.2, 0.3, inf, -inf, 9.3e18]
)
TABLES = st.integers(0, 3).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), max_size=5))


def digests_equal(one: list[Row], other: list[Row], *, ordered: bool) -> bool:
    gold, neighbor = digests_of(one), digests_of(other)
    if ordered:
        return gold.list_digest == neighbor.list_digest
    return gold.multiset_digest == neighbor.multiset_digest


@given(one=TABLES, other=TABLES, ordered=st.booleans())
@settings(max_examples=500)
def test_digests_are_equal_exactly_when_answers_are(
    one: list[Row], other: list[Row], ordered: bool
) -> None:
    assert digests_equal(one, other, ordered=ordered) == same_answer(one, other, ordered=ordered)


@given(table=TABLES, seed=st.integers(0, 9), ordered=st.booleans())
@settings(max_examples=300)
def test_digests_and_comparator_agree_on_a_shuffle(
    table: list[Row], seed: int, ordered: bool
) -> None:
    shuffled = random.Random(seed).sample(table, len(table))
    assert digests_equal(table, shuffled, ordered=ordered) == same_answer(
        table, shuffled, ordered=ordered
    )


@given(table=TABLES)
def test_the_set_digest_forgets_multiplicity(table: list[Row]) -> None:
    assert digests_of(table + table).set_digest == digests_of(table).set_digest


def test_row_order_counts_only_when_asked_for() -> None:
    assert same_answer([(1,), (2,)], [(2,), (1,)], ordered=False)
    assert not same_answer([(1,), (2,)], [(2,), (1,)], ordered=True)


def test_null_equals_null_and_nothing_else() -> None:
    assert same_cell(None, None)
    assert not any(same_cell(None, other) for other in ("", "NULL", 0, 0.0, b""))


def test_numbers_compare_by_value_and_exactly() -> None:
    assert same_cell(1, 1.0)
    assert same_cell(0.0, -0.0)
    assert not same_cell(2**53 + 1, 2.0**53)


def test_text_compares_by_its_bytes_and_is_no_blob() -> None:
    assert same_cell(RawText(b"\xff"), RawText(b"\xff"))
    assert not same_cell("a", b"a")
    assert not same_cell("1", 1)


def test_two_empty_answers_are_the_same() -> None:
    assert same_answer([], [], ordered=True)
