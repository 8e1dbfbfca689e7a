"""Question files of four formats are read as what they say, or refused with the place."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from pairset.config import CorpusConfig
from pairset.corpus import Corpus, CorpusError, read_corpus
from pairset.rows import Sample
from tests.pairset.corpus.made import KEYS, spec

ALL = {"id_key": "id", "evidence_key": "evidence", "references_key": "refs"}
HEADER = ["id", "db_id", "question", "gold", "evidence", "refs"]
LONG = "x" * 200_000
ROWS: list[dict[str, Any]] = [
    {"id": "q1", "db_id": "d", "question": "Who, if any?", "gold": 'SELECT "a b"\r\nFROM t',
     "evidence": "é", "refs": ["SELECT 1", "SELECT '\t,\"'"]},
    {"id": "q2", "db_id": "d", "question": "All\nof it", "gold": "SELECT 2", "evidence": "", "refs": []},
    {"id": "q3", "db_id": "d", "question": "\u2028", "gold": "SELECT 3", "evidence": LONG, "refs": [LONG]},
]  # fmt: skip


def as_cells(path: Path, delimiter: str) -> None:
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(HEADER)
        writer.writerows([*one.values()][:-1] + [json.dumps(one["refs"])] for one in ROWS)


def questions(path: Path, text: str, **keys: Any) -> CorpusConfig:
    path.write_text(text, encoding="utf-8", newline="")
    return spec("tasks", file=str(path), **(KEYS | keys))


def refusal(path: Path, text: str, **keys: Any) -> str:
    with pytest.raises(CorpusError) as caught:
        read_corpus(questions(path, text, **keys))
    return str(caught.value).removesuffix(
        "; mend the corpus, or leave such rows out with on_missing = 'skip'"
    )


def skipped(path: Path, text: str, **keys: Any) -> Corpus:
    return read_corpus(questions(path, text, on_missing="skip", **keys))


def make(path: Path) -> None:
    lists = {".json": ROWS, ".wrapped.json": {"version": 1, "data": ROWS}}
    if path.suffix.lower() in (".csv", ".tsv"):
        as_cells(path, "\t" if path.suffix == ".tsv" else ",")
    elif path.suffix == ".jsonl":
        lines = (json.dumps(one, ensure_ascii=False) for one in ROWS)
        path.write_text("\ufeff" + "\n\n".join(lines) + "\n", encoding="utf-8", newline="")
    else:
        path.write_text("\ufeff" + json.dumps(lists["".join(path.suffixes)]), encoding="utf-8")


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.json", "t.wrapped.json", "t.jsonl", "T.CSV"])
def test_the_same_rows_are_read_from_every_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    make(path)
    samples = read_corpus(spec("tasks", file=str(path), **KEYS, **ALL)).samples
    assert samples == tuple(
        Sample(at, one["id"], "tasks", "d", one["question"], one["evidence"], one["gold"],
               tuple(one["refs"]), None, "train")
        for at, one in enumerate(ROWS)
    )  # fmt: skip


def test_ids_are_made_of_the_file_and_the_position(tmp_path: Path) -> None:
    corpus = read_corpus(questions(tmp_path / "shop.csv", "db_id,question,gold\nd,q,g\n\nd,q,g\n"))
    assert [one.sample_id for one in corpus.samples] == ["shop-0", "shop-1"]


def test_numbers_are_ids_as_they_are_written(tmp_path: Path) -> None:
    text = '{"id": 7, "db_id": "d", "question": "q", "gold": "g"}'
    [sample] = read_corpus(questions(tmp_path / "t.jsonl", text, id_key="id")).samples
    assert sample.sample_id == "7"


CELLS = "db_id,question,gold\n"
BAD = {
    ("t.csv", "db,question,gold\nd,q,g\n"): "t.csv: unknown_column: no column 'db_id'; there are: 'db', 'question', 'gold'",
    ("t.csv", ""): "t.csv: unknown_column: no column 'db_id'; there are: none",
    ("t.csv", CELLS): "t.csv: no_rows: there is nothing under the names of the columns",
    ("t.csv", "db_id,question,gold,gold\nd,q,g,h\n"): "t.csv: duplicate_column: 'gold' is the name of two columns",
    ("t.csv", CELLS + "d,q\n"): "t.csv, row 0: wrong_cell_count: 2 cells under 3 columns",
    ("t.csv", CELLS + 'd,q,"g\n'): "t.csv, line 2: broken_csv: unexpected end of data",
    ("t.csv", CELLS + 'd,"q"x,g\n'): "t.csv, line 2: broken_csv: ',' expected after '\"'",
    ("t.json", "[{]"): "t.json, line 1, column 3: broken_json: Expecting property name enclosed in double quotes",
    ("t.json", "[\n1,\n"): "t.json, line 3, column 1: broken_json: Expecting value",
    ("t.json", "[" * 200_000): "t.json, line 1: broken_json: nested too deep",
    ("t.json", "3"): "t.json: wrong_type: expected a list of rows, or an object that holds one; found 3",
    ("t.json", '{"a": [1], "b": []}'): "t.json: wrong_type: expected a list of rows, or an object that holds one; found an object with 2 lists",
    ("t.json", "[]"): "t.json: no_rows: the list is empty",
    ("t.json", '[{"db_id": "d", "q": ""}]'): "t.json: unknown_column: no column 'question'; there are: 'db_id', 'q'",
    ("t.jsonl", ""): "t.jsonl: no_rows: the file is empty",
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), BAD)
def test_a_bad_file_is_refused_with_its_place(tmp_path: Path, name: str, text: str) -> None:
    assert refusal(tmp_path / name, text) == f"tasks: {BAD[name, text]}"


def test_every_column_that_is_named_must_be_there(tmp_path: Path) -> None:
    said = refusal(tmp_path / "t.csv", CELLS + "d,q,g\n", references_key="refs")
    assert (
        said
        == "tasks: t.csv: unknown_column: no column 'refs'; there are: 'db_id', 'question', 'gold'"
    )


def test_bytes_that_are_no_text_are_refused_with_their_line(tmp_path: Path) -> None:
    corpus = questions(tmp_path / "t.csv", "")
    (tmp_path / "t.csv").write_bytes(b"db_id,question,gold\nd,\xe9,g\n")
    with pytest.raises(CorpusError, match=r"^tasks: t\.csv, line 2: not_utf8: byte 22;"):
        read_corpus(corpus)


def test_a_broken_line_is_one_row(tmp_path: Path) -> None:
    good = json.dumps({"db_id": "d", "question": "q", "gold": "g"})
    corpus = skipped(tmp_path / "t.jsonl", f"{good}\n{{\n\n{good}\n")
    assert [one.corpus_row for one in corpus.samples] == [0, 2]
    [refusal] = corpus.refused
    assert (refusal.reason, refusal.place) == ("broken_json", "t.jsonl, line 2, column 2")
    assert corpus.rows == 3


def test_a_short_line_is_one_row(tmp_path: Path) -> None:
    corpus = skipped(tmp_path / "t.csv", CELLS + "d,q\nd,q,g\n")
    assert [one.corpus_row for one in corpus.samples] == [1]
    assert [one.reason for one in corpus.refused] == ["wrong_cell_count"]


@pytest.mark.parametrize("cell", ["SELECT 1", '{"a": 1}', "[1", "9" * 5000])
def test_a_cell_of_references_holds_a_json_list(tmp_path: Path, cell: str) -> None:
    text = "db_id,question,gold,refs\nd,q,g," + '"' + cell.replace('"', '""') + '"\n'
    corpus = skipped(tmp_path / "t.csv", text, references_key="refs")
    assert [one.reason for one in corpus.refused] == ["references_not_a_list"]


def test_the_limit_of_other_readers_of_csv_is_left_alone(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    skipped(tmp_path / "t.csv", CELLS + 'd,"q"x,g\n')
    assert csv.field_size_limit() == before


def test_a_file_that_vanished_is_missing(tmp_path: Path) -> None:
    corpus = questions(tmp_path / "t.csv", CELLS)
    (tmp_path / "t.csv").unlink()
    with pytest.raises(CorpusError, match=r"^tasks: t\.csv: missing_file: no such file;"):
        read_corpus(corpus)
