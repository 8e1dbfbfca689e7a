"""The FINER-SQL layout: only what the dataset declares is read, and nothing is written."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import datasets
import pytest

from pairset.config import CorpusConfig
from pairset.corpus import CorpusError, read_corpus
from tests.pairset.corpus.made import spec, write
from tests.shared_data import shared

PROMPT = "Database Schema:\nt(a)\n\nQuestion: How many?\n\nExternal Knowledge: a is all"
ROW = {
    "sample_id": 5849,
    "dataset_name": "bird",
    "db_id": "airline",
    "question": "How many?",
    "prompt_raw": PROMPT,
    "messages": [{"role": "user", "content": PROMPT}],
    "groundtruth_sqls": ["SELECT 1", "SELECT 2", None, "SELECT 1"],
}


def finer(folder: Path, *rows: dict[str, Any], own: str | None = None, **keys: Any) -> CorpusConfig:
    """A dataset saved to disk; ``own`` is the split that it says it is."""
    folder = folder / "dataset"
    if not folder.exists():
        datasets.Dataset.from_list(list(rows) or [ROW], split=own).save_to_disk(str(folder))
    return spec("finer", path=str(folder), **({} if own else {"split": "train"}) | keys)


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def refusal(corpus: CorpusConfig) -> str:
    with pytest.raises(CorpusError) as caught:
        read_corpus(corpus)
    return str(caught.value)


def test_a_row_is_its_gold_its_references_and_its_prompt(tmp_path: Path) -> None:
    [sample] = read_corpus(finer(tmp_path)).samples
    assert (sample.sample_id, sample.dataset, sample.db_id) == ("5849", "bird", "airline")
    assert (sample.gold_sql, sample.references) == ("SELECT 1", ("SELECT 2", None, "SELECT 1"))
    assert sample.evidence == "a is all"
    assert sample.prompt_sha256 == hashlib.sha256(PROMPT.encode()).hexdigest()


def test_stray_caches_are_never_opened(tmp_path: Path) -> None:
    corpus = finer(tmp_path)
    other = tmp_path / "other"
    datasets.Dataset.from_list([ROW | {"sample_id": 1}]).save_to_disk(str(other))
    shutil.copy(other / "data-00000-of-00001.arrow", tmp_path / "dataset" / "cache-0a.arrow")
    (tmp_path / "dataset" / "cache-0b.arrow").write_bytes(b"no arrow at all")
    (tmp_path / "dataset" / "cache-0c.arrow").mkdir()
    read = read_corpus(corpus)
    assert [one.sample_id for one in read.samples] == ["5849"]
    assert not [name for name in read.files if "cache" in name]


def test_nothing_is_written_beside_the_input(tmp_path: Path) -> None:
    corpus = finer(tmp_path)
    before = snapshot(tmp_path)
    read_corpus(corpus)
    assert snapshot(tmp_path) == before


def test_every_declared_file_is_read_in_order(tmp_path: Path) -> None:
    rows = [ROW | {"sample_id": at} for at in range(6)]
    whole = datasets.Dataset.from_list(rows)
    whole.save_to_disk(str(tmp_path / "dataset"), num_shards=3)
    read = read_corpus(finer(tmp_path))
    assert [one.sample_id for one in read.samples] == [str(at) for at in range(6)]
    assert len([name for name in read.files if name.endswith(".arrow")]) == 3


def test_an_undeclared_split_is_asked_for(tmp_path: Path) -> None:
    assert "say which it is with 'split'" in refusal(finer(tmp_path, split=None))


def test_the_datasets_own_split_counts(tmp_path: Path) -> None:
    assert read_corpus(finer(tmp_path, own="train")).samples[0].split == "train"
    assert "dataset's own is 'train'" in refusal(finer(tmp_path, split="half"))


def test_an_own_split_for_evaluation_is_refused(tmp_path: Path) -> None:
    assert "'test' is evaluation data" in refusal(finer(tmp_path, own="test"))


def test_an_id_may_be_met_again_in_another_dataset(tmp_path: Path) -> None:
    rows = ROW, ROW | {"dataset_name": "spider"}, ROW
    read = read_corpus(finer(tmp_path, *rows, on_missing="skip"))
    assert [one.dataset for one in read.samples] == ["bird", "spider"]
    assert [one.reason for one in read.refused] == ["duplicate_sample_id"]


def test_a_dataset_has_its_own_databases(tmp_path: Path) -> None:
    ddl = write(tmp_path / "ddl.json", {"airline": "CREATE TABLE t (a)"})
    rows = ROW, ROW | {"dataset_name": "spider"}, ROW | {"sample_id": 1, "db_id": "x"}
    read = read_corpus(finer(tmp_path, *rows, schemas={"bird": str(ddl)}, on_missing="skip"))
    assert [one.dataset for one in read.samples] == ["bird", "spider"]
    assert [one.reason for one in read.refused] == ["unknown_db_id"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"groundtruth_sqls": []}, "null_gold"),
        ({"groundtruth_sqls": None}, "null_gold"),
        ({"groundtruth_sqls": [None, "SELECT 1"]}, "null_gold"),
        ({"dataset_name": "../x"}, "unsafe_dataset"),
        ({"dataset_name": None}, "unsafe_dataset"),
    ],
)
def test_a_faulty_row_is_named(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    rows = ROW | {"sample_id": 1}, ROW | changes
    read = read_corpus(finer(tmp_path, *rows, on_missing="skip"))
    assert [(one.reason, one.place) for one in read.refused] == [(reason, "dataset, row 1")]


def test_a_prompt_may_be_missing_but_not_a_number(tmp_path: Path) -> None:
    bare = {key: value for key, value in ROW.items() if key not in ("prompt_raw", "messages")}
    [sample] = read_corpus(finer(tmp_path / "a", bare)).samples
    assert (sample.evidence, sample.prompt_sha256) == ("", None)
    assert "prompt_not_text: " in refusal(finer(tmp_path / "b", bare | {"prompt_raw": 3}))


def broken(folder: Path, name: str, text: str | None) -> CorpusConfig:
    corpus = finer(folder)
    file = folder / "dataset" / name
    file.unlink(missing_ok=True)
    if text is not None:
        file.write_text(text)
    return corpus


ARROW = "data-00000-of-00001.arrow"
SHAPED = json.dumps({"_split": None, "_data_files": [{"filename": "../x.arrow"}]})
BAD = [
    ("state.json", None, "state.json: missing_file: no such file"),
    ("state.json", "{", "state.json, line 1, column 2: broken_json: "),
    ("state.json", "[]", "state.json: wrong_type: expected an object; found []"),
    ("state.json", "{}", "state.json: wrong_type: no list of files under '_data_files'"),
    ("state.json", SHAPED, "state.json: wrong_type: '../x.arrow' is no file of this folder"),
    ("dataset_info.json", None, "dataset_info.json: missing_file: no such file"),
    ("dataset_info.json", "{", "state.json: broken_arrow: cannot be loaded: "),
    (ARROW, None, f"{ARROW}: missing_file: no such file"),
    (ARROW, "", "state.json: broken_arrow: cannot be loaded: "),
    (ARROW, "no arrow", "state.json: broken_arrow: cannot be loaded: "),
    ("dataset_dict.json", "{}", "dataset_dict.json: wrong_type: a dictionary of datasets; let path be one of its folders: "),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "line"), BAD)
def test_a_bad_folder_is_refused(tmp_path: Path, name: str, text: str | None, line: str) -> None:
    assert refusal(broken(tmp_path, name, text)).startswith(f"finer: {line}")


def test_a_missing_column_is_named_with_what_there_is(tmp_path: Path) -> None:
    said = refusal(finer(tmp_path, {"sample_id": 1, "db_id": "d"}))
    assert "no column 'dataset_name'; there are: 'sample_id', 'db_id'" in said


def test_a_gold_that_is_no_list_is_named(tmp_path: Path) -> None:
    said = refusal(finer(tmp_path, ROW | {"groundtruth_sqls": "SELECT 1"}))
    assert "expected groundtruth_sqls to be a list; found string" in said


def test_the_finer_sample_is_read_without_its_caches() -> None:
    folder = shared("corpora", "finer_sample", "dataset")
    corpus = spec("finer", path=str(folder), split="dev", allow_evaluation_data=True)
    read = read_corpus(corpus)
    assert (len(read.samples), sum(len(one.references) for one in read.samples)) == (543, 2452)
    assert sorted(read.files) == [ARROW, "dataset_info.json", "state.json"]
    assert len(list(folder.iterdir())) == 5  # two caches lay there, and no third was made


def test_the_references_of_the_finer_sample_stand_where_its_truth_says() -> None:
    folder = shared("corpora", "finer_sample")
    corpus = spec("finer", path=str(folder / "dataset"), split="dev", allow_evaluation_data=True)
    by_id = {one.sample_id: one for one in read_corpus(corpus).samples}
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    places = {(str(one["sample_id"]), one["reference_index"]) for one in truth}
    assert places == {
        (id, at) for id, one in by_id.items() for at in range(1, len(one.references) + 1)
    }
