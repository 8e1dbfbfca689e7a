"""The words of the wire."""

import json
from typing import Any, get_args

import pytest

from db_execution.cells import RawText
from db_execution.frames import Kind, Unpacker, packed, packed_answers, unpacked_answers
from db_execution.limits import LIMITS
from db_execution.protocol import (
    ERROR_CLASSES,
    Answer,
    BadRequest,
    Status,
    answer_from_json,
    answer_to_json,
    batch_from_json,
    query_from_json,
    statement_type,
    to_bytes,
)

NAMED = {"dataset_name": "spider", "db_id": "world", "sql": "SELECT 1"}


def test_what_is_not_said_has_its_default() -> None:
    query = query_from_json(NAMED)
    assert (query.tree, query.mode, query.want) == ("original", "read_only", "rows")
    assert (query.timeout_ms, query.max_rows, query.max_vm_steps) == (
        120_000,
        10_000,
        3_000_000_000,
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("dataset_name", None),
        ("db_id", 7),
        ("sql", ["SELECT 1"]),
        ("tree", 1),
        ("mode", "write"),
        ("want", "all"),
        ("timeout_ms", 0),
        ("timeout_ms", True),
        ("max_rows", 50_001),
        ("max_vm_steps", "many"),
        ("clock", "yesterday"),
        ("seed", -1),
    ],
)
def test_a_wrong_field_is_named_with_what_it_may_be(field: str, value: Any) -> None:
    with pytest.raises(BadRequest, match=f"^{field}: expected"):
        query_from_json(NAMED | {field: value})


@pytest.mark.parametrize("body", [None, [], "x", 1])
def test_a_body_is_an_object(body: object) -> None:
    with pytest.raises(BadRequest, match="body: expected a JSON object"):
        query_from_json(body)


def test_a_batch_is_a_list_of_texts_and_not_too_long() -> None:
    assert batch_from_json(NAMED | {"queries": ["SELECT 1"]}).queries == ("SELECT 1",)
    for queries in (None, "SELECT 1", [1]):
        with pytest.raises(BadRequest, match="queries: expected a list of strings"):
            batch_from_json(NAMED | {"queries": queries})
    with pytest.raises(BadRequest, match="at most 10000"):
        batch_from_json(NAMED | {"queries": ["SELECT 1"] * 10_001})


def test_an_answer_comes_back_as_it_went() -> None:
    rows = ((None, 2**60, 1.5, "é", b"\0", RawText(b"\xff")),)
    answer = Answer(status="ok", columns=("a",) * 6, rows=rows, flags=("wall_time",), row_count=1)
    assert answer_from_json(json.loads(to_bytes(answer_to_json(answer)))) == answer


def test_fields_of_a_later_version_are_passed_over() -> None:
    assert answer_from_json({"status": "ok", "mood": "fine"}) == Answer(status="ok")


def test_an_infinity_that_is_not_written_as_a_cell_is_a_bug() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_bytes({"elapsed_ms": float("inf")})


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("select 1", "SELECT"),
        ("  -- a\n /* b */ ((WITH x", "WITH"),
        ("", "UNKNOWN"),
        ("42", "UNKNOWN"),
        ("/* never closed", "UNKNOWN"),
    ],
)
def test_the_statement_type_is_the_first_word(sql: str, kind: str) -> None:
    assert statement_type(sql) == kind


def test_every_status_has_its_classes_and_every_limit_its_answer() -> None:
    assert set(ERROR_CLASSES) == set(get_args(Status))
    answers = [limit.answer.split(": ") for limit in LIMITS.values() if ": " in limit.answer]
    assert all(error_class in ERROR_CLASSES[status] for status, error_class in answers)  # type: ignore[index]


def test_no_default_is_above_its_maximum() -> None:
    assert all(0 < limit.default <= limit.maximum for limit in LIMITS.values())


def test_frames_are_cut_wherever_the_stream_is() -> None:
    stream = packed(Kind.ANSWERS, b"one") + packed(Kind.END) + packed(Kind.ANSWERS, b"x" * 1000)
    unpacker = Unpacker()
    frames = [frame for byte in stream for frame in unpacker.feed(bytes([byte]))]
    assert [(frame.kind, len(frame.body)) for frame in frames] == [(1, 3), (2, 0), (1, 1000)]


def test_answers_travel_together_each_with_its_outcome() -> None:
    [frame] = Unpacker().feed(packed_answers(bytes([0, 3]), [b"one", b"two"], b"\0\1"))
    assert unpacked_answers(frame.body) == (bytes([0, 3]), b"one\ntwo", b"\0\1")


def test_a_whole_number_with_a_point_is_the_integer_that_json_has_it_to_be() -> None:
    assert query_from_json(NAMED | {"max_rows": 7.0, "seed": 0.0}).max_rows == 7
    for strange in (7.5, True, "7", 1e400, float("nan")):
        with pytest.raises(BadRequest, match="max_rows: expected an integer"):
            query_from_json(NAMED | {"max_rows": strange})
