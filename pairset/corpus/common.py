"""What the layouts share: rows as found, faults with their place, files digested as read."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Final

STAGE = "samples"


class CorpusError(ValueError):
    """A corpus that cannot be read as the config asks; its text is one line for a person."""

    def __init__(self, line: str) -> None:
        super().__init__(" ".join(line.splitlines()))


@dataclass(frozen=True, slots=True)
class Columns:
    """What a layout calls the fields of a sample; None where it has no such field."""

    db_id: str
    question: str
    gold: str
    sample_id: str | None = None
    dataset: str | None = None
    evidence: str | None = None
    references: str | None = None
    prompt: str | None = None
    optional: frozenset[str] = frozenset()

    @property
    def required(self) -> tuple[str, ...]:
        """The columns that every file must have."""
        named = (self.sample_id, self.dataset, self.db_id, self.question, self.gold,
                 self.evidence, self.references, self.prompt)  # fmt: skip
        return tuple(name for name in named if name and name not in self.optional)


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row as its file has it; nothing about it is known but where it stands."""

    file: str
    position: int
    record: object
    columns: Columns
    split: str

    @property
    def place(self) -> str:
        """Where it stands, for a person; rows count from 0, as the made-up sample ids do."""
        return f"{self.file}, row {self.position}"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that keeps a row, or a whole file, from being samples."""

    reason: str
    place: str
    note: str
    is_row: bool = False


class BadFile(Exception):
    """A file that cannot be read on; the fault says why."""

    def __init__(self, reason: str, place: str, note: str) -> None:
        super().__init__(note)
        self.fault = Fault(reason, place, note)


Found = Iterator[RawRow | Fault]


def guarded(rows: Found) -> Found:
    """``rows``, and a fault as the last of them where their file turns out to be bad."""
    try:
        yield from rows
    except BadFile as bad:
        yield bad.fault


class Inputs:
    """The files a corpus is read from, each digested as it is read."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def add(self, path: Path, name: str) -> None:
        """Digest a file that a person knows as ``name``, and that someone else reads."""
        with _opened(path, name) as file:
            self.files[name] = hashlib.file_digest(file, "sha256").hexdigest()

    def text(self, path: Path, name: str) -> str:
        """Digest a file and return its text."""
        with _opened(path, name) as file:
            return self.take(file.read(), name)

    def take(self, data: bytes, name: str) -> str:
        """Digest ``data`` and return its text; a byte-order mark is no part of it."""
        self.files[name] = hashlib.sha256(data).hexdigest()
        return _decoded(data, name)


def _opened(path: Path, name: str) -> BufferedReader:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise BadFile("missing_file", name, "no such file") from None
    except OSError as error:
        raise BadFile("unreadable_file", name, f"{error.strerror}") from None


def _decoded(data: bytes, name: str) -> str:
    """``data`` as UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFile("not_utf8", f"{name}, line {line}", f"byte {error.start}") from None


def parsed_json(text: str, name: str, first_line: int = 1) -> object:
    """``text``, which starts at a line of the file ``name``, as JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{name}, line {first_line + error.lineno - 1}, column {error.colno}"
        raise BadFile("broken_json", place, error.msg) from None
    except RecursionError:
        raise BadFile("broken_json", f"{name}, line {first_line}", "nested too deep") from None
    except ValueError as error:  # a number of too many digits
        raise BadFile("broken_json", f"{name}, line {first_line}", str(error)) from None


def json_rows(text: str, name: str, columns: Columns, split: str) -> Found:
    """The rows of a JSON file: a list of objects, or an object that holds one list of them."""
    records = _the_list(parsed_json(text, name), name)
    check_columns(columns, _keys(records), name)
    for position, record in enumerate(records):
        yield RawRow(name, position, record, columns, split)


def check_columns(columns: Columns, there: Iterable[str], name: str) -> None:
    """Every column that must be there is, in some row at least."""
    names = list(there)
    if missing := [column for column in columns.required if column not in names]:
        note = f"no column {missing[0]!r}; there are: {', '.join(map(shown, names)) or 'none'}"
        raise BadFile("unknown_column", name, note)


def shown(value: object) -> str:
    """A value in a message: its literal, cut where it is long.

    >>> shown("it's"), shown([1, 2])
    ('"it\\'s"', '[1, 2]')
    """
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _the_list(value: object, name: str) -> list[object]:
    lists = [value] if isinstance(value, list) else []
    if isinstance(value, dict):
        lists = [inner for inner in value.values() if isinstance(inner, list)]
    if len(lists) != 1:
        what = "a list of rows, or an object that holds one"
        found = f"an object with {len(lists)} lists" if isinstance(value, dict) else shown(value)
        raise BadFile("wrong_type", name, f"expected {what}; found {found}")
    if not lists[0]:
        raise BadFile("no_rows", name, "the list is empty")
    return lists[0]


def _keys(records: list[object]) -> list[str]:
    """The keys of all rows, in the order in which they are met."""
    return list(dict.fromkeys(key for one in records if isinstance(one, dict) for key in one))


MISSING: Final = object()
