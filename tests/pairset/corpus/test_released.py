"""Spider and BIRD are read as they are released."""

from pathlib import Path

import pytest

from pairset.corpus import CorpusError, read_corpus
from tests.pairset.corpus.made import spec, spider, write

SPIDER = {"db_id": "d", "question": "How many?", "query": "SELECT count(*) FROM t"}
BIRD = {"db_id": "d", "question": "How many?", "evidence": "all", "SQL": "SELECT 1"}


def test_spider_is_read_split_by_split(tmp_path: Path) -> None:
    corpus = read_corpus(spider(tmp_path, train_spider=[SPIDER, SPIDER], train_others=[SPIDER]))
    assert [one.sample_id for one in corpus.samples] == [
        "train_spider-0", "train_spider-1", "train_others-0",
    ]  # fmt: skip
    assert [one.split for one in corpus.samples] == ["train_spider"] * 2 + ["train_others"]
    assert {one.gold_sql for one in corpus.samples} == {SPIDER["query"]}


def test_an_empty_question_is_a_question(tmp_path: Path) -> None:
    corpus = read_corpus(spider(tmp_path, train_others=[SPIDER | {"question": ""}]))
    assert corpus.samples[0].question == ""


def test_a_split_without_its_file_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    spider(tmp_path, train_others=[SPIDER])
    corpus = read_corpus(spec("spider", path=str(tmp_path), on_missing="skip"))
    assert [(one.reason, one.place) for one in corpus.refused] == [
        ("missing_file", "train_spider.json")
    ]
    assert [one.corpus_row for one in corpus.samples] == [0]


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "train_spider.json").mkdir()
    with pytest.raises(
        CorpusError, match=r"train_spider\.json: unreadable_file: Is a directory, a"
    ):
        read_corpus(spec("spider", path=str(tmp_path)))


def test_a_fault_names_file_and_row_but_no_folder(tmp_path: Path) -> None:
    with pytest.raises(CorpusError) as caught:
        read_corpus(spider(tmp_path, train_spider=[SPIDER, SPIDER | {"query": ""}]))
    assert str(caught.value).startswith("spider: train_spider.json, row 1: empty_gold: ")
    assert str(tmp_path) not in str(caught.value)


def test_spiders_tables_json_is_found_in_its_place(tmp_path: Path) -> None:
    write(tmp_path / "tables.json", [{"db_id": "other"}])
    with pytest.raises(CorpusError, match=r"unknown_db_id: 'd' is in neither"):
        read_corpus(spider(tmp_path, train_spider=[SPIDER]))


@pytest.mark.parametrize("folder", [".", "train"])
def test_bird_is_read_from_its_folder_or_the_one_above(tmp_path: Path, folder: str) -> None:
    write(tmp_path / folder / "train.json", [BIRD])
    [sample] = read_corpus(spec("bird", path=str(tmp_path))).samples
    assert (sample.sample_id, sample.evidence, sample.gold_sql) == ("train-0", "all", "SELECT 1")


def test_birds_own_id_is_kept_where_it_has_one(tmp_path: Path) -> None:
    write(tmp_path / "train.json", [BIRD | {"question_id": 717}])
    assert read_corpus(spec("bird", path=str(tmp_path))).samples[0].sample_id == "717"


def test_evidence_may_be_null_or_absent(tmp_path: Path) -> None:
    absent = {key: value for key, value in BIRD.items() if key != "evidence"}
    write(tmp_path / "train.json", [BIRD | {"evidence": None}, absent])
    samples = read_corpus(spec("bird", path=str(tmp_path))).samples
    assert [one.evidence for one in samples] == ["", ""]
