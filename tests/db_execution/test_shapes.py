"""A line of a batch that is put together by hand is the line that the JSON encoder writes."""

from hypothesis import given
from hypothesis import strategies as st

from db_execution.protocol import Answer, answer_from_json, answer_to_json, to_bytes
from db_execution.shapes import line

NAMES = st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=4).map(tuple)
DIGESTS = st.none() | st.just("ab" * 32)
ANSWERS = st.builds(
    Answer,
    status=st.just("ok"),
    error_class=st.none(),
    error=st.none(),
    columns=NAMES,
    rows=st.none(),
    flags=st.just(()),
    row_count=st.none() | st.integers(0),
    column_count=st.integers(0, 9),
    list_digest=DIGESTS,
    multiset_digest=DIGESTS,
    set_digest=DIGESTS,
    close_digest=DIGESTS,
    truncated=st.booleans(),
    statement_type=st.sampled_from(["SELECT", "UNKNOWN"]),
    elapsed_ms=st.floats(0, 1e9),
    sqlite_version=st.just("3.54.1"),
    database_sha256=DIGESTS.map(lambda digest: digest or ""),
)


@given(ANSWERS)
def test_the_quick_line_has_the_bytes_of_the_slow_one(answer: Answer) -> None:
    assert line(answer) == to_bytes(answer_to_json(answer))


@given(ANSWERS)
def test_a_line_is_read_back_as_the_answer_it_was(answer: Answer) -> None:
    assert answer_from_json(answer_to_json(answer)) == answer


def test_what_is_not_an_answer_with_digests_is_left_to_the_encoder() -> None:
    for answer in (
        Answer(status="error", error_class="other", error='a "quote"'),
        Answer(status="ok", rows=((1, b"\xff"),), columns=("a", "b")),
        Answer(status="timeout", error_class="wall_time", flags=("wall_time",)),
    ):
        assert line(answer) == to_bytes(answer_to_json(answer))
