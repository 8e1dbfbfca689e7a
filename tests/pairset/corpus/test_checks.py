"""A row that cannot be a sample is turned away by one named check."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairset.corpus import CorpusError, read_corpus
from pairset.corpus.checks import CHECKS
from tests.pairset.corpus.made import database, row, tasks, write

IDS = {"id_key": "id"}
LISTS = {"references_key": "refs"}

FAULTS: dict[str, list[tuple[Any, dict[str, str], str]]] = {
    "not_an_object": [("SELECT 1", {}, "found 'SELECT 1'"), (None, {}, "found None")],
    "missing_key": [({"db_id": "d", "question": "q"}, {}, "no key 'gold'; there are: 'db_id', 'question'")],
    "null_gold": [(row(gold=None), {}, "there is no gold")],
    "gold_not_text": [(row(gold=["SELECT 1"]), {}, "expected text; found ['SELECT 1']")],
    "empty_gold": [(row(gold=""), {}, "the gold is blank"), (row(gold=" \n"), {}, "the gold is blank")],
    "question_not_text": [(row(question=None), {}, "expected text; found None"), (row(question=7), {}, "expected text; found 7")],
    "evidence_not_text": [(row(e=["x"]), {"evidence_key": "e"}, "expected text; found ['x']")],
    "references_not_a_list": [(row(refs="SELECT 1"), LISTS, "found 'SELECT 1'")],
    "not_unicode": [(row(gold="SELECT '\ud800'"), {}, "a lone surrogate in the gold"), (row(question="\udfff"), {}, "a lone surrogate in the question")],
    "db_id_not_text": [(row(db_id=3), {}, "expected text; found 3"), (row(db_id=None), {}, "expected text; found None")],
    "unsafe_db_id": [
        (row(db_id="../d"), {}, "'../d' cannot name a file: it starts with '.'"),
        (row(db_id="a/b"), {}, "'a/b' cannot name a file: it holds '/'"),
        (row(db_id="a\\b"), {}, r"'a\\b' cannot name a file: it holds '\\'"),
        (row(db_id="a\0"), {}, r"'a\x00' cannot name a file: it holds '\x00'"),
        (row(db_id=""), {}, "'' cannot name a file: it is empty"),
        (row(db_id="d" * 129), {}, f"'{'d' * 56}... cannot name a file: it is longer than 128 bytes"),
    ],
    "sample_id_wrong_type": [(row(id=1.5), IDS, "found 1.5"), (row(id=True), IDS, "found True"), (row(id=" "), IDS, "found ' '"), (row(id=None), IDS, "found None")],
}  # fmt: skip
CASES = [(reason, *case) for reason, cases in FAULTS.items() for case in cases]


@pytest.mark.parametrize(("reason", "bad", "keys", "note"), CASES)
def test_a_faulty_row_is_named_and_left_out(
    tmp_path: Path, reason: str, bad: Any, keys: dict[str, str], note: str
) -> None:
    good = row(id="0", e="", refs=[])
    corpus = read_corpus(tasks(tmp_path, good, bad, on_missing="skip", **keys))
    [refusal] = corpus.refused
    assert (refusal.stage, refusal.reason, refusal.note) == ("samples", reason, note)
    assert (refusal.place, len(corpus.samples)) == ("tasks.json, row 1", 1)


def test_every_check_has_a_case_here_or_below() -> None:
    below = {"unknown_db_id", "duplicate_sample_id", "sample_id_number_and_text"}
    of_finer = {"unsafe_dataset", "prompt_not_text"}
    assert {check.__name__ for check in CHECKS} == FAULTS.keys() | below | of_finer


def test_an_id_met_twice_is_named_with_both_places(tmp_path: Path) -> None:
    corpus = read_corpus(
        tasks(tmp_path, row(id=1), row(id=2), row(id=1), id_key="id", on_missing="skip")
    )
    [refusal] = corpus.refused
    assert (refusal.reason, refusal.place) == ("duplicate_sample_id", "tasks.json, row 2")
    assert refusal.note == "'1' is the id of tasks.json, row 0 too"


def test_a_number_and_a_text_may_be_ids_until_they_collide(tmp_path: Path) -> None:
    rows = row(id=1), row(id="q2"), row(id="1")
    corpus = read_corpus(tasks(tmp_path, *rows, id_key="id", on_missing="skip"))
    assert [one.sample_id for one in corpus.samples] == ["1", "q2"]
    [refusal] = corpus.refused
    assert refusal.reason == "sample_id_number_and_text"
    assert refusal.note == "'1' and the id of tasks.json, row 0 read the same"


def test_a_refused_row_does_not_use_up_its_id(tmp_path: Path) -> None:
    rows = row(id=1, gold=""), row(id=1)
    corpus = read_corpus(tasks(tmp_path, *rows, id_key="id", on_missing="skip"))
    assert [one.corpus_row for one in corpus.samples] == [1]


def test_a_db_id_is_known_by_its_database_or_its_schema(tmp_path: Path) -> None:
    database(tmp_path / "databases", "there")
    (tmp_path / "databases" / "empty_folder").mkdir()
    schemas = write(tmp_path / "ddl.json", {"declared": "CREATE TABLE t (a)"})
    rows = [row(db_id=db_id) for db_id in ("there", "declared", "empty_folder", "nowhere")]
    declared = {"databases": str(tmp_path / "databases"), "schemas": str(schemas)}
    corpus = read_corpus(tasks(tmp_path, *rows, on_missing="skip", **declared))
    assert [one.db_id for one in corpus.samples] == ["there", "declared"]
    assert [one.db_id for one in corpus.refused] == ["empty_folder", "nowhere"]
    assert {one.reason for one in corpus.refused} == {"unknown_db_id"}


def test_where_nothing_is_declared_every_db_id_is_taken(tmp_path: Path) -> None:
    assert read_corpus(tasks(tmp_path, row(db_id="anything"))).samples[0].db_id == "anything"


def test_a_refusal_holds_nothing_that_a_table_cannot(tmp_path: Path) -> None:
    bad = row(id="\ud800", db_id="a/b", gold="SELECT '\ud800'")
    [refusal] = read_corpus(tasks(tmp_path, bad, id_key="id", on_missing="skip")).refused
    assert (refusal.db_id, refusal.dataset) == ("", "tasks")
    assert "".join((refusal.sample_id, refusal.sql, refusal.note)).encode()


def test_by_default_the_first_fault_stops_and_the_rest_is_counted(tmp_path: Path) -> None:
    rows = row(), row(gold=""), row(gold=None), row(gold=""), row(db_id="")
    with pytest.raises(CorpusError) as caught:
        read_corpus(tasks(tmp_path, *rows))
    assert str(caught.value) == (
        "tasks: tasks.json, row 1: empty_gold: the gold is blank, and 3 more "
        "(1 empty_gold, 1 null_gold, 1 unsafe_db_id); mend the corpus, or leave such rows out "
        "with on_missing = 'skip'"
    )


def test_a_reference_that_is_no_text_keeps_its_place(tmp_path: Path) -> None:
    corpus = read_corpus(tasks(tmp_path, row(refs=["SELECT 1", None, 3, "\ud800", "x"]), **LISTS))
    assert corpus.samples[0].references == ("SELECT 1", None, None, None, "x")


def test_the_texts_of_a_sample_are_those_of_its_file(tmp_path: Path) -> None:
    gold = "  SELECT\t'é' ;\r\n"
    sample = read_corpus(tasks(tmp_path, row(gold=gold, question=" q "))).samples[0]
    assert (sample.gold_sql, sample.question, sample.evidence) == (gold, " q ", "")
    assert (sample.references, sample.prompt_sha256, sample.split) == ((), None, "train")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
RECORDS = st.fixed_dictionaries(
    {}, optional={name: VALUES for name in ("id", "db_id", "question", "gold", "e", "refs")}
)


@settings(deadline=None)  # files, on whatever disk
@given(st.lists(RECORDS | VALUES, min_size=1, max_size=6))
def test_every_row_becomes_a_sample_or_a_refusal(records: list[Any]) -> None:
    keys = {"id_key": "id", "evidence_key": "e", "references_key": "refs"}
    complete = {"id": 0, "db_id": "d", "question": "", "gold": "g", "e": "", "refs": []}
    with tempfile.TemporaryDirectory() as folder:
        corpus = read_corpus(tasks(Path(folder), complete, *records, on_missing="skip", **keys))
    assert len(corpus.samples) + len(corpus.refused) == corpus.rows == 1 + len(records)
    texts = [
        text for one in corpus.refused for text in (one.sample_id, one.db_id, one.sql, one.note)
    ]
    assert "".join(texts).encode()
