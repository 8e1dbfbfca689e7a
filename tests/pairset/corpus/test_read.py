"""A build reads its corpora in order, and knows what its samples depend on."""

from pathlib import Path
from typing import Any

import datasets
import pytest

from pairset.config import CorpusConfig
from pairset.corpus import CorpusError, count_sources, read_corpora, read_corpus
from tests.pairset.corpus.made import KEYS, ROW, config, database, row, spec, tasks, write
from tests.shared_data import shared


def two(folder: Path, *rows: Any, **keys: Any) -> list[dict[str, Any]]:
    return [
        {"layout": "tasks", "name": name, "file": str(write(folder / f"{name}.json", rows)), **KEYS}
        | keys
        for name in ("a", "B")
    ]


def files_of(corpus: CorpusConfig) -> dict[str, str]:
    return read_corpus(corpus).files


def test_rows_are_counted_over_all_corpora(tmp_path: Path) -> None:
    read = read_corpora(config(*two(tmp_path, row(), row(gold=""), row(), on_missing="skip")))
    assert [one.corpus_row for corpus in read for one in corpus.samples] == [0, 2, 3, 5]
    assert [one.dataset for corpus in read for one in corpus.samples] == ["a", "a", "b", "b"]
    assert [corpus.rows for corpus in read] == [3, 3]


def test_an_id_of_a_dataset_is_in_one_corpus(tmp_path: Path) -> None:
    made = {"sample_id": "x-0", "dataset_name": "x", "db_id": "d", "question": "q"}
    whole = datasets.Dataset.from_list([made | {"groundtruth_sqls": ["SELECT 1"]}])
    whole.save_to_disk(str(tmp_path / "dataset"))
    finer = {"layout": "finer", "name": "f", "path": str(tmp_path / "dataset"), "split": "train"}
    file = str(write(tmp_path / "x.json", [ROW]))
    with pytest.raises(CorpusError, match="sample 'x-0' of dataset 'x' is in two corpora: f and x"):
        read_corpora(config(finer, {"layout": "tasks", "name": "x", "file": file, **KEYS}))


def test_the_inputs_are_files_schemas_and_the_names_of_databases(tmp_path: Path) -> None:
    database(tmp_path / "databases", "d")
    keys = {"databases": str(tmp_path / "databases")}
    corpus = tasks(tmp_path, ROW, schemas=str(write(tmp_path / "s.json", {})), **keys)
    before = files_of(corpus)
    assert sorted(before) == ["databases/tasks", "schemas/s.json", "tasks.json"]
    assert before == files_of(corpus)
    database(tmp_path / "databases", "e")
    assert [name for name, sha in files_of(corpus).items() if sha != before[name]] == [
        "databases/tasks"
    ]


def test_sources_are_counted_by_corpus_and_dataset(tmp_path: Path) -> None:
    spelt = row(gold="SELECT  count(*) FROM t", refs=[])
    bad = [row(gold="", refs=[]), row(db_id="", refs=[])]
    rows = [row(refs=["x", None]), spelt, row(refs=[]), *bad]
    keys = {"on_missing": "skip", "references_key": "refs"}
    first, second = count_sources(config(*two(tmp_path, *rows, **keys)))
    assert (first.corpus, second.corpus, second.dataset) == ("a", "B", "b")
    assert (first.samples, first.databases, first.golds) == (3, 1, 2)
    assert (first.references, first.not_text) == (1, 1)
    assert first.refused == {"empty_gold": 1, "unsafe_db_id": 1}


def test_the_whole_training_corpus_is_counted() -> None:
    spider = {"layout": "spider", "name": "spider", "path": str(shared("corpora", "spider"))}
    bird = {"layout": "bird", "name": "bird", "path": str(shared("corpora", "bird"))}
    ddl = str(shared("corpora", "bird", "train", "train_ddl.json"))
    counts = count_sources(config(spider, bird | {"schemas": ddl}))
    assert [one.samples for one in counts] == [8659, 9428]
    assert sum(one.databases for one in counts) == 215
    assert sum(one.golds for one in counts) == 14_044


def test_the_development_splits_are_refused() -> None:
    with pytest.raises(CorpusError, match="'dev' is evaluation data"):
        read_corpus(spec("spider", path=str(shared("corpora", "spider")), splits=["dev"]))
    with pytest.raises(CorpusError, match="'dev' is evaluation data"):
        read_corpus(spec("bird", path=str(shared("corpora", "bird")), splits=["dev"]))
