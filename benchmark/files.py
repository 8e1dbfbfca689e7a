"""Files of records (csv, tsv, json, jsonl) and of texts, read as text and nothing else."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from benchmark.errors import BenchmarkError, shown

TABLES = {".csv": ",", ".tsv": "\t"}
RECORDS = (*TABLES, ".json", ".jsonl")
BARE = "\0value"
"""The key of what stands behind an id in a mapping of ids to texts."""

csv.field_size_limit(2**31 - 1)  # a gold result is a whole csv text in one cell


@dataclass(frozen=True, slots=True)
class Records:
    """The records of one file, and what is to be said about it."""

    path: Path
    records: tuple[dict[str, Any], ...]
    notes: tuple[str, ...] = ()

    def place(self, position: int) -> str:
        """Where a record stands, for a person; records count from 1."""
        return f"{self.path.name}, record {position + 1}"

    def keys(self) -> list[str]:
        """The keys of all records, in the order in which they are met."""
        return list(dict.fromkeys(chain.from_iterable(self.records)))

    def demand(self, key: str, role: str) -> None:
        """BenchmarkError unless some record has ``key``, which the definition names as ``role``."""
        there = [one for one in self.keys() if one != BARE]
        if key and key not in there:
            names = ", ".join(map(shown, there)) or "none"
            raise BenchmarkError(
                f"{self.path}: no key {shown(key)} ({role}); the file has: {names}"
            )


@dataclass(slots=True)
class Text:
    """A file's text without its byte-order mark."""

    text: str
    notes: list[str] = field(default_factory=list)


def read_text(path: Path) -> Text:
    """The file as UTF-8; BenchmarkError where it is not there or is something else."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BenchmarkError(f"no file {path}") from None
    except OSError as error:
        raise BenchmarkError(f"cannot read {path}: {error.strerror}") from None
    try:
        text = Text(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BenchmarkError(f"{path}: not UTF-8 text (byte {error.start})") from None
    if data.startswith(b"\xef\xbb\xbf"):
        text.notes.append(f"{path.name}: a byte-order mark was passed over")
    return text


def text_lines(path: Path) -> list[str]:
    """The lines of a text file; an empty line is one, but for nothing after the last line's end."""
    return read_text(path).text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def read_records(path: Path, id_key: str) -> Records:
    """The records of a csv, tsv, json or jsonl file.

    A JSON object is read as ids with what belongs to them: ``{"1": {...}}`` gives the id the key
    ``id_key``, and ``{"1": "SELECT 1"}`` puts the text under ``BARE``.
    """
    read = read_text(path)
    kind = path.suffix.lower()
    if kind in TABLES:
        records = _table(read.text, path, TABLES[kind])
    elif kind == ".jsonl":
        records = list(_lines(read.text, path))
    elif kind == ".json":
        records = _document(read.text, path, id_key)
    else:
        raise BenchmarkError(f"{path}: expected one of {', '.join(RECORDS)}")
    if not records:
        raise BenchmarkError(f"{path}: it holds no record")
    return Records(path, tuple(records), tuple(read.notes))


def _table(text: str, path: Path, delimiter: str) -> list[dict[str, Any]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        head = next(reader, [])
        if twice := [name for name in head if head.count(name) > 1]:
            raise BenchmarkError(f"{path}: two columns are called {shown(twice[0])}")
        return [
            dict(zip(head, _checked(row, head, path, reader.line_num), strict=True))
            for row in reader
            if row
        ]
    except csv.Error as error:
        raise BenchmarkError(f"{path}, line {reader.line_num}: {error}") from None


def _checked(row: list[str], head: list[str], path: Path, line: int) -> list[str]:
    if len(row) != len(head):
        raise BenchmarkError(f"{path}, line {line}: {len(row)} cells under {len(head)} columns")
    return row


def _lines(text: str, path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _object(parsed(line, path, number), path, "line", number)


def _document(text: str, path: Path, id_key: str) -> list[dict[str, Any]]:
    found = parsed(text, path, 1)
    if isinstance(found, list):
        return [_object(one, path, "record", at) for at, one in enumerate(found, 1)]
    if isinstance(found, dict):
        return [_mapped(name, value, id_key) for name, value in found.items()]
    raise BenchmarkError(f"{path}: expected a list of objects; found {shown(found)}")


def _mapped(name: str, value: object, id_key: str) -> dict[str, Any]:
    key = id_key or "id"
    return {key: name, **value} if isinstance(value, dict) else {key: name, BARE: value}


def _object(value: object, path: Path, what: str, number: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BenchmarkError(f"{path}, {what} {number}: expected an object; found {shown(value)}")
    return value


def parsed(text: str, path: Path, first_line: int = 1) -> object:
    """``text``, which starts at a line of ``path``, as JSON; an object names no key twice."""
    try:
        return _decoded(text)
    except _Twice as error:
        raise BenchmarkError(f"{path}: the key {error} stands twice in one object") from None
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise BenchmarkError(f"{path}, line {line}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise BenchmarkError(f"{path}: nested too deep") from None


class _Twice(Exception):
    """An object names a key twice; the text is the key."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Twice(shown(twice))
    return found


_decoded = json.JSONDecoder(object_pairs_hook=_unique).decode
