"""The digest over rows depends on the rows alone."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from pairset.content import content_digest

TEXTS = st.lists(st.none() | st.text(max_size=4), max_size=6)
LISTS = st.lists(st.none() | st.lists(st.none() | st.text(max_size=3), max_size=3), max_size=6)
NUMBERS = st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), max_size=6)
REALS = st.lists(st.none() | st.floats(0, 1), max_size=6)
STRINGS = pa.list_(pa.string())


def table(kind: pa.DataType, values: list[object]) -> pa.Table:
    return pa.table({"a": pa.array(values, kind)})


@given(TEXTS, TEXTS)
def test_texts_have_one_digest_if_and_only_if_they_are_equal(
    one: list[object], other: list[object]
) -> None:
    same = content_digest(table(pa.string(), one)) == content_digest(table(pa.string(), other))
    assert same == (one == other)


@given(LISTS, LISTS)
def test_lists_have_one_digest_if_and_only_if_they_are_equal(
    one: list[object], other: list[object]
) -> None:
    same = content_digest(table(STRINGS, one)) == content_digest(table(STRINGS, other))
    assert same == (one == other)


@given(NUMBERS, NUMBERS)
def test_numbers_have_one_digest_if_and_only_if_they_are_equal(
    one: list[object], other: list[object]
) -> None:
    same = content_digest(table(pa.int64(), one)) == content_digest(table(pa.int64(), other))
    assert same == (one == other)


@given(REALS, REALS)
def test_reals_have_one_digest_if_and_only_if_they_are_equal(
    one: list[object], other: list[object]
) -> None:
    same = content_digest(table(pa.float64(), one)) == content_digest(table(pa.float64(), other))
    assert same == (one == other)


@given(TEXTS, st.integers(0, 6))
def test_how_a_column_is_cut_into_chunks_does_not_count(values: list[object], cut: int) -> None:
    whole = table(pa.string(), values)
    chunks = pa.concat_tables([whole.slice(0, cut), whole.slice(cut)])
    assert content_digest(chunks) == content_digest(whole)


@given(LISTS, st.integers(0, 6))
def test_a_slice_is_the_rows_it_shows(values: list[object], cut: int) -> None:
    sliced = table(STRINGS, values).slice(cut)
    assert content_digest(sliced) == content_digest(table(STRINGS, values[cut:]))


def test_truth_values_count() -> None:
    assert content_digest(table(pa.bool_(), [True, None])) != content_digest(
        table(pa.bool_(), [False, None])
    )


def test_column_names_and_types_count() -> None:
    text = pa.table({"a": ["1"]})
    assert content_digest(text) != content_digest(text.rename_columns(["b"]))
    assert content_digest(pa.table({"a": [0]})) != content_digest(pa.table({"a": [False]}))


def test_the_digest_is_pinned() -> None:
    rows = pa.table({"a": pa.array(["x", None]), "b": pa.array([1, 2], pa.int64())})
    assert content_digest(rows) == (
        "6e0c02169c83c0b8b836a5dc1f307af4ec9d7dd1b85eda6afd805c82c142e9f3"
    )
