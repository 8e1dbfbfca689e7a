"""A question file as text-to-SQL benchmarks have it: csv, tsv, json or jsonl, columns named."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace

from pairset.config import TasksCorpus
from pairset.corpus.common import (
    BadFile,
    Columns,
    Fault,
    Found,
    Inputs,
    RawRow,
    check_columns,
    guarded,
    json_rows,
    parsed_json,
)
from pairset.corpus.evaluation import refuse_evaluation


def rows(spec: TasksCorpus, inputs: Inputs) -> Found:
    """The rows of the file."""
    refuse_evaluation(spec, (spec.split, spec.file.stem))
    yield from guarded(_rows_of(spec, inputs))


def _rows_of(spec: TasksCorpus, inputs: Inputs) -> Found:
    name = spec.file.name
    columns = Columns(
        sample_id=spec.id_key,
        db_id=spec.db_key,
        question=spec.question_key,
        gold=spec.gold_key,
        evidence=spec.evidence_key,
        references=spec.references_key,
    )
    read = READERS[spec.file.suffix.lower()]
    yield from read(inputs.text(spec.file, name), name, columns, spec.split)


def _line_rows(text: str, name: str, columns: Columns, split: str) -> Found:
    """JSON Lines: a broken line is one row's fault."""
    # Only "\n" ends a line: JSON text may hold the other characters that str.splitlines ends at.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    found = [_parsed(line, name, number) for number, line in lines]
    if not found:
        raise BadFile("no_rows", name, "the file is empty")
    keys = dict.fromkeys(key for one in found if isinstance(one, dict) for key in one)
    check_columns(columns, keys, name)
    for position, record in enumerate(found):
        raw = RawRow(name, position, record, columns, split)
        yield record if isinstance(record, Fault) else raw


def _parsed(line: str, name: str, number: int) -> object:
    try:
        return parsed_json(line, name, number)
    except BadFile as bad:
        return replace(bad.fault, is_row=True)


def _cell_rows(text: str, name: str, columns: Columns, split: str) -> Found:
    """Comma- or tab-separated cells under a line of names."""
    header, *lines = _cells(text, name) or [[]]
    check_columns(columns, header, name)
    if twice := [column for column in columns.required if header.count(column) > 1]:
        raise BadFile("duplicate_column", name, f"{twice[0]!r} is the name of two columns")
    if not lines:
        raise BadFile("no_rows", name, "there is nothing under the names of the columns")
    for position, cells in enumerate(lines):
        raw = RawRow(name, position, _record(header, cells, columns), columns, split)
        note = f"{len(cells)} cells under {len(header)} columns"
        fits = len(cells) == len(header)
        yield raw if fits else Fault("wrong_cell_count", raw.place, note, is_row=True)


def _cells(text: str, name: str) -> list[list[str]]:
    """The lines that hold anything; a line break inside quotes stays as it is written."""
    delimiter = "\t" if name.lower().endswith(".tsv") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    usual = csv.field_size_limit(2**31 - 1)  # 128 KiB: a cell of references may hold more
    try:
        return list(filter(None, reader))
    except csv.Error as error:
        raise BadFile("broken_csv", f"{name}, line {reader.line_num}", str(error)) from None
    finally:
        csv.field_size_limit(usual)


def _record(header: list[str], cells: list[str], columns: Columns) -> dict[str, object]:
    record: dict[str, object] = dict(zip(header, cells, strict=False))
    if columns.references:
        record[columns.references] = _list_in(str(record.get(columns.references, "")))
    return record


def _list_in(cell: str) -> object:
    """The JSON list in a cell; a cell that holds something else is left for the checks to name."""
    try:
        return json.loads(cell) if cell.strip() else []
    except (ValueError, RecursionError):
        return cell


READERS: dict[str, Callable[[str, str, Columns, str], Found]] = {
    ".csv": _cell_rows,
    ".tsv": _cell_rows,
    ".json": json_rows,
    ".jsonl": _line_rows,
}
