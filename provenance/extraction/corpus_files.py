"""Corpus files read anew: which sample lists which references beside which gold.

Nothing here is the builder's: the layouts are read by their own definitions, so that a fault of the
builder's readers cannot hide itself.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyarrow as pa

from pairset.config import (
    BirdCorpus,
    CorpusConfig,
    FinerCorpus,
    SampleCorpus,
    SpiderCorpus,
    TasksCorpus,
)
from provenance.errors import ProvenanceError


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of a corpus: its sample, its gold, and its list of references, verbatim."""

    dataset: str
    db_id: str
    sample_id: str
    gold: object
    references: tuple[object, ...]


def listed(corpus: CorpusConfig) -> Iterator[Listed]:
    """Every row of a corpus that can be told apart; raises `ProvenanceError`."""
    try:
        match corpus:
            case FinerCorpus():
                yield from _finer(corpus)
            case TasksCorpus():
                yield from _tasks(corpus)
            case SampleCorpus():
                yield from _sample(corpus)
            case SpiderCorpus() | BirdCorpus():
                return  # these layouts have no references
            case _:
                raise ProvenanceError(f"no reader for the layout {corpus.layout!r}")
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        first = str(error).partition("\n")[0]
        raise ProvenanceError(f"{corpus.name}: its files cannot be read again: {first}") from None


def declared_files(folder: Path) -> list[Path]:
    """The Arrow files that a dataset saved to disk declares; what else lies there is not it."""
    state = json.loads((folder / "state.json").read_text(encoding="utf-8"))
    return [folder / entry["filename"] for entry in state["_data_files"]]


def arrow_batches(path: Path) -> Iterator[pa.RecordBatch]:
    """The batches of an Arrow file, in either of the two formats."""
    with pa.memory_map(str(path)) as source:
        try:
            reader = pa.ipc.open_stream(source)
        except pa.ArrowInvalid:
            reader = pa.ipc.open_file(source)
            yield from (reader.get_batch(at) for at in range(reader.num_record_batches))
        else:
            yield from reader


def _finer(corpus: FinerCorpus) -> Iterator[Listed]:
    names = ["dataset_name", "db_id", "sample_id", "groundtruth_sqls"]
    for path in declared_files(corpus.path):
        for batch in arrow_batches(path):
            columns = (batch.column(batch.schema.get_field_index(name)) for name in names)
            for dataset, db_id, sample, sqls in zip(*map(_values, columns), strict=True):
                gold, *references = sqls or [None]
                yield Listed(str(dataset), str(db_id), str(sample), gold, tuple(references))


def _values(column: pa.Array) -> list[Any]:
    return list(column.to_pylist())


def _sample(corpus: SampleCorpus) -> Iterator[Listed]:
    text = (files("pairset.corpus.sample") / "questions.json").read_text(encoding="utf-8")
    for row in json.loads(text)["questions"]:
        references = tuple(one["sql"] for one in row["references"])
        yield Listed(
            corpus.dataset, row["db_id"], str(row["sample_id"]), row["gold"], references
        )  # fmt: skip


def _tasks(corpus: TasksCorpus) -> Iterator[Listed]:
    for position, row in enumerate(_task_rows(corpus.file)):
        if not isinstance(row, dict):
            continue
        made_up = f"{corpus.file.stem}-{position}"
        sample = str(row.get(corpus.id_key)) if corpus.id_key else made_up
        found = row.get(corpus.references_key) if corpus.references_key else None
        if isinstance(found, str):
            found = _list_in(found)
        references = tuple(found) if isinstance(found, list) else ()
        gold = row.get(corpus.gold_key)
        yield Listed(corpus.dataset, str(row.get(corpus.db_key)), sample, gold, references)


def _task_rows(file: Path) -> Iterator[object]:
    text = file.read_bytes().decode("utf-8-sig")
    kind = file.suffix.lower()
    if kind == ".json":
        document = json.loads(text)
        lists = [document, *(document.values() if isinstance(document, dict) else ())]
        yield from next(one for one in lists if isinstance(one, list))
    elif kind == ".jsonl":
        yield from map(_json_or_none, filter(str.strip, text.split("\n")))
    else:
        yield from _cells(text, "\t" if kind == ".tsv" else ",")


def _cells(text: str, delimiter: str) -> Iterator[object]:
    usual = csv.field_size_limit(2**31 - 1)
    try:
        rows = [
            row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row
        ]
    finally:
        csv.field_size_limit(usual)
    for row in rows[1:]:
        yield dict(zip(rows[0], row, strict=False)) if len(row) == len(rows[0]) else None


def _json_or_none(line: str) -> object:
    """A broken line is one row, and none that a pair can stand in."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def _list_in(cell: str) -> object:
    try:
        return json.loads(cell) if cell.strip() else []
    except ValueError:
        return None
