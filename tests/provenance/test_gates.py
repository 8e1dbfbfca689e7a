"""Each gate by itself: what it lets through, and what it says of the rest."""

import pytest

from pairset.rows import Sample
from provenance.gates import GATE_NAMES, GOLD, Offer, extra_tables, first_refusal
from provenance.owner import Asker, Gold, Golds
from provenance.references import Answers, Desk, Reader, Reference, Text
from provenance.score.evidence import UNSCORED, Scored
from provenance.sorting import owners, sort_references
from tests.provenance.small import EAST, HARBOUR, NORTH_QUAY, ON_TIME, ON_TIME_AGAIN, SHIPS

WRONG = "SELECT COUNT(*) FROM Calls WHERE CALL_DATE = '2018/8/15'"
ANSWERS = {NORTH_QUAY: "one", ON_TIME: "two", ON_TIME_AGAIN: "two", SHIPS: "ships", WRONG: "two"}


def sample(row: int, gold: str, *references: str | None) -> Sample:
    return Sample(row, str(row), "harbour", "port", "?", "", gold, references, None, "train")


def desk(*samples: Sample, missing: bool = False) -> tuple[Desk, dict[str, Text]]:
    """A desk over answers that are plain words; a text without one has failed."""
    reader = Reader(HARBOUR)
    rows: dict[str, list[Asker]] = {}
    for one in samples:
        rows.setdefault(one.gold_sql, []).append(Asker(one.corpus_row, one.sample_id))
    texts = {sql: text for sql in rows if isinstance(text := reader.read(sql), Text)}
    golds = Golds(Gold(sql, texts[sql].footprint, tuple(rows[sql])) for sql in texts)
    listed = tuple(
        reader.reference(one, at + 1) for one in samples for at in range(len(one.references))
    )
    runs = [
        {"sql": sql, "status": "ok", "error_class": None, "list_digest": f"{word} in order", "multiset_digest": word}
        for sql, word in ANSWERS.items()
    ]  # fmt: skip
    runs.append({"sql": EAST, "status": "error", "error_class": "no_such_column"})
    ordered = {sql: "ORDER BY" in sql for sql in texts}
    return Desk(samples, golds, listed, Answers(runs, ordered, missing=missing)), texts


def refusal(reference: str | None, gold: str = ON_TIME, **more: bool) -> tuple[str, str] | None:
    one = sample(1, gold, reference)
    here, texts = desk(one, sample(2, NORTH_QUAY), sample(9, ON_TIME), **more)
    taken = {texts[gold].exact: GOLD} if gold in texts else {}
    return first_refusal(Offer(here, here.references[0], one, taken))


REFUSALS = [
    (None, ON_TIME, ("parses", "reference_is_no_text")),
    (" \n", ON_TIME, ("parses", "reference_is_empty")),
    ("SELECT 1; SELECT 2", ON_TIME, ("parses", "does_not_parse: two_statements")),
    ("x" * 1_000_000, ON_TIME, ("parses", "does_not_parse: too_long")),
    (SHIPS, ON_TIME, ("gives_the_golds_answer", "another_answer")),
    (EAST, ON_TIME, ("gives_the_golds_answer", "fails: no_such_column")),
    (SHIPS, EAST, ("gives_the_golds_answer", "gold_fails: no_such_column")),
    (SHIPS, "no gold at all", ("gives_the_golds_answer", "gold_does_not_parse")),
    (f"{ON_TIME} ", ON_TIME, ("gives_the_golds_answer", "fails: was_not_run")),
    (ON_TIME_AGAIN, ON_TIME, None),
    (ON_TIME, ON_TIME, ("is_no_duplicate", "exact_form_of_the_gold")),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "gold", "said"), REFUSALS)
def test_the_first_gate_that_refuses_is_named(
    reference: str | None, gold: str, said: tuple[str, str] | None
) -> None:
    assert refusal(reference, gold) == said


def test_where_the_database_is_missing_nothing_is_proven() -> None:
    assert refusal(ON_TIME_AGAIN, missing=True) == ("gives_the_golds_answer", "database_is_missing")


def better(monkeypatch: pytest.MonkeyPatch, other: str) -> tuple[str, str] | None:
    """A reference that gives its gold's answer, beside a closer gold that gives ``other``."""
    monkeypatch.setitem(ANSWERS, NORTH_QUAY, "two")
    monkeypatch.setitem(ANSWERS, ON_TIME, other)
    return refusal(ON_TIME_AGAIN, NORTH_QUAY)


def test_a_closer_gold_with_the_same_answer_is_a_better_owner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate, reason = better(monkeypatch, "two") or ("", "")
    assert gate == "has_no_better_owner"
    assert reason.startswith("belongs to sample 9 of the same database (closeness 1.00 vs 0.20)")


def test_a_closer_gold_with_another_answer_owns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert better(monkeypatch, "three") is None


def test_the_gates_are_the_four_in_their_order() -> None:
    assert GATE_NAMES == (
        "parses", "gives_the_golds_answer", "has_no_better_owner", "is_no_duplicate",
    )  # fmt: skip


def test_tables_that_the_gold_does_not_read_are_noted() -> None:
    here, _ = desk(sample(1, SHIPS, NORTH_QUAY), sample(2, NORTH_QUAY))
    offer = Offer(here, here.references[0], here.samples[0], {})
    assert extra_tables(offer) == ["berths"]


def asked(reference: str, score: Scored = UNSCORED) -> list[str]:
    """The samples that a reference of sample 5, attached to a gold of its own, is offered to."""
    golds = [(1, ON_TIME), (4, NORTH_QUAY), (5, NORTH_QUAY), (7, ON_TIME), (9, SHIPS)]
    here, _ = desk(*(sample(row, gold, *([reference] if row == 5 else [])) for row, gold in golds))
    return [one.sample_id for one in owners(here, here.references[0], score)]


def test_a_removed_reference_is_offered_to_its_owners_nearest_first() -> None:
    assert asked(ON_TIME_AGAIN) == ["4", "7", "1"]


def test_it_is_not_offered_where_it_mentions_what_the_gold_does_not() -> None:
    """The wrong reference gives the same count as ON_TIME, of another day."""
    assert asked(WRONG) == ["4"]


def test_where_the_score_names_an_owner_nobody_else_is_asked() -> None:
    assert asked(ON_TIME_AGAIN, Scored(0.9, sample(9, SHIPS), "")) == ["9"]
    assert asked(ON_TIME_AGAIN, Scored(0.4, sample(9, SHIPS), "")) == ["4", "7", "1"]


def test_repeats_are_kept_once_and_offered_to_the_next_sample_of_the_gold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repeated = (ON_TIME_AGAIN, ON_TIME_AGAIN.lower().replace("sum", "SUM"), ON_TIME_AGAIN)
    monkeypatch.setitem(ANSWERS, repeated[1], "two")
    here, texts = desk(sample(1, ON_TIME, *repeated), sample(2, ON_TIME))
    fates = sort_references(here, texts, {})
    assert [(fate.gate, fate.ends and fate.ends.sample_id, fate.at) for fate in fates] == [
        (None, "1", 1), ("is_no_duplicate", "2", 1), ("is_no_duplicate", None, None),
    ]  # fmt: skip
    assert fates[2].offers == {"is_no_duplicate": 1}


def test_a_text_is_read_once() -> None:
    reader = Reader(HARBOUR)
    one, other = (reader.reference(sample(row, ON_TIME, ON_TIME_AGAIN), 1) for row in (1, 2))
    assert one.text is other.text
    assert isinstance(one, Reference)
