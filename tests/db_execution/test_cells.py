"""Every cell survives JSON."""

import json
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db_execution.cells import Cell, RawText, from_json, row_from_json, row_to_json, to_json

ANY_CELL: st.SearchStrategy[Cell] = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.binary(),
    st.just(RawText(b"a\xff")),
)


@given(row=st.lists(ANY_CELL))
def test_a_row_comes_back_as_it_went(row: list[Cell]) -> None:
    again = row_from_json(json.loads(json.dumps(row_to_json(row), allow_nan=False)))
    assert [(type(cell), cell) for cell in again] == [(type(cell), cell) for cell in row]


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        (2**53, {"$integer": "9007199254740992"}),
        (-inf, {"$real": "-inf"}),
        (b"\0", {"$blob": "AA=="}),
        (RawText(b"\xff"), {"$text": "/w=="}),
        (1.0, 1.0),
    ],
)
def test_what_json_has_no_word_for_is_an_object(cell: Cell, written: object) -> None:
    assert to_json(cell) == written


@pytest.mark.parametrize("value", [{}, {"$what": "1"}, {"$text": "", "$blob": ""}, [1]])
def test_what_no_cell_is_written_as_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="no cell"):
        from_json(value)
