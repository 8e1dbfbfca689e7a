"""The digests: their bytes are the contract."""

from collections.abc import Sequence
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db_execution import digest, rowbytes
from db_execution.cells import RawText, Row
from db_execution.digest import Digester, digests_of, digests_of_few, list_digest
from db_execution.rowbytes import encoded


def test_a_cell_is_a_tag_a_length_and_a_body() -> None:
    assert encoded("é") == b"t\0\0\0\0\0\0\0\2\xc3\xa9"


def test_numbers_are_one_kind_of_cell() -> None:
    assert encoded(1) == encoded(1.0)
    assert encoded(0.0) == encoded(-0.0) == encoded(0)


def test_integers_beyond_the_reals_keep_their_last_digit() -> None:
    assert encoded(2**53 + 1) != encoded(2.0**53)


def test_infinities_are_themselves() -> None:
    assert (encoded(inf)[9:], encoded(-inf)[9:]) == (b"+inf", b"-inf")


def test_text_is_its_bytes_whether_they_decode_or_not() -> None:
    assert encoded(RawText(b"a")) == encoded("a")
    assert encoded(b"a") != encoded("a")


def test_no_rows_have_digests_of_their_own() -> None:
    assert digests_of([]).multiset_digest != digests_of([(None,)]).multiset_digest


def test_order_shows_in_the_list_digest_alone() -> None:
    one, other = digests_of([(1,), (2,)]), digests_of([(2,), (1,)])
    assert one.list_digest != other.list_digest
    assert one.multiset_digest == other.multiset_digest


def test_multiplicity_shows_in_all_but_the_set_digest() -> None:
    one, other = digests_of([(1,), (1,)]), digests_of([(1,)])
    assert one.multiset_digest != other.multiset_digest
    assert one.set_digest == other.set_digest


def test_the_tenth_digit_does_not_show_in_the_close_digest() -> None:
    one, other = digests_of([(0.1 + 0.2,)]), digests_of([(0.3,)])
    assert one.multiset_digest != other.multiset_digest
    assert one.close_digest == other.close_digest


def test_close_digest_is_there_only_where_a_real_is() -> None:
    assert digests_of([(1,), ("1.5",)]).close_digest is None
    assert digests_of([(1,), (1.0,)]).close_digest == digests_of([(1,), (1,)]).multiset_digest


def test_too_many_distinct_rows_have_no_set_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "DISTINCT_ROWS", 2)
    assert digests_of([(1,), (2,)]).set_digest is not None
    assert digests_of([(1,), (2,), (3,)]).set_digest is None


def test_a_long_answer_is_remembered_by_its_sum_and_read_again_for_its_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [(number, str(number)) for number in range(10)]
    whole = digests_of(rows).list_digest
    monkeypatch.setattr(digest, "REMEMBERED_ROWS", 5)
    assert digests_of(rows).list_digest is None
    assert list_digest(rows, 10) == whole


def test_a_second_reading_of_another_length_gives_no_digest() -> None:
    assert list_digest([(1,)], 2) is None


def test_digests_do_not_depend_on_where_chunks_end(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(number % 3, 0.5, None) for number in range(20)]
    whole = digests_of(rows)
    monkeypatch.setattr(digest, "CHUNK_ROWS", 7)
    assert digests_of(rows) == whole


def test_careful_digests_are_the_same() -> None:
    rows = [(number % 3, 0.5, "x" * number) for number in range(20)]
    careful = Digester(careful=True)
    careful.feed(rows)
    assert careful.result() == digests_of(rows)


CELLS = st.none() | st.integers(-3, 3) | st.sampled_from([1.0, 0.5, 0.1 + 0.2, inf, "a", b"a"])


@given(st.integers(0, 2).flatmap(lambda n: st.lists(st.tuples(*[CELLS] * n), max_size=9)))
def test_digests_of_few_rows_are_those_of_many(rows: Sequence[Row]) -> None:
    again = [digests_of_few(rows) for _ in range(2)]  # made, and then remembered
    assert again == [digests_of(rows)] * 2


def test_forgetting_answers_changes_no_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "KEPT_ANSWERS", 1)
    for number in range(5):
        rows = [("answer", number), ("answer", -1)]
        assert digests_of_few(rows) == digests_of(rows)


def test_forgetting_cells_changes_no_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(number, 1.0, "x") for number in range(50)]
    whole = digests_of(rows)
    monkeypatch.setattr(rowbytes, "KEPT_CELLS", 3)
    monkeypatch.setattr(rowbytes, "KEPT_ROWS", 3)
    assert digests_of(rows) == whole
