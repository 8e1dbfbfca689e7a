"""The golds of a benchmark: SQL and results, in one file or in one file a task."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.definition import Definition
from benchmark.errors import BenchmarkError, shown
from benchmark.files import BARE, RECORDS, Records, read_records, read_text, text_lines
from benchmark.ids import task_id


@dataclass(frozen=True, slots=True)
class Gold:
    """What answers a task, as it was found.

    ``results`` are csv texts, each of them right by itself; none where the SQL is to be executed.
    ``problem`` says why there is nothing to compare with.
    """

    sql: str | None = None
    results: tuple[str, ...] = ()
    problem: str | None = None
    path: str = ""
    record: Mapping[str, Any] | None = None


class Golds:
    """Looks golds up by id, or by position where the definition gives questions no id."""

    def __init__(self, definition: Definition, questions: Records) -> None:
        self._definition = definition
        self._questions = questions
        self.notes: list[str] = list(definition.notes)
        self._sql = self._source(definition.gold_sql_source, "gold_sql_key")
        self._result = self._source(definition.gold_result_source, "gold_result_key")
        if self._sql is None and self._result is None:
            raise BenchmarkError(
                f"benchmark {definition.name}: it names no gold; set gold_sql_key, gold_sql_path "
                "or gold_result_path"
            )

    def of(self, name: str, position: int) -> Gold:
        """The gold of the task with that id, at that position of the question file."""
        sql = self._sql.text(name, position) if self._sql else None
        texts = self._result.texts(name, position) if self._result else ()
        record = self._result.record(name, position) if self._result else None
        path = self._result.where(name) if self._result else ""
        return Gold(sql or None, texts, self._problem(name, sql, texts), path, record)

    def _problem(self, name: str, sql: str | None, texts: tuple[str, ...]) -> str | None:
        if self._result is not None:
            return None if texts else f"gold result not found for task_id={name}"
        if sql is None:
            return f"SQL not found for task_id={name}"
        return None if sql.strip() else f"the gold SQL of task_id={name} is blank"

    def _source(self, path: Path | None, role: str) -> "_Folder | _File | _Lines | None":
        if path is None:
            return None
        if path.is_dir():
            return _Folder(path, ".sql" if role == "gold_sql_key" else ".csv")
        key, id_key = getattr(self._definition, role), self._definition.question_id_key
        if path == self._definition.question_path:
            return _File(self._questions, id_key, key, role)
        if path.suffix.lower() not in RECORDS:
            return self._lines(path)
        found = _File(read_records(path, id_key), id_key, key, role)
        self.notes += found.records.notes
        if not id_key:
            _same_length(len(found.records.records), len(self._questions.records), path)
        return found

    def _lines(self, path: Path) -> "_Lines":
        if self._definition.question_id_key:
            raise BenchmarkError(
                f"{path}: lines without ids belong to questions by their position, but this "
                f"benchmark has ids ({self._definition.question_id_key}); use one of "
                f"{', '.join(RECORDS)}"
            )
        lines = tuple(text_lines(path))
        _same_length(len(lines), len(self._questions.records), path)
        return _Lines(lines)


def _same_length(found: int, questions: int, path: Path) -> None:
    if found != questions:
        raise BenchmarkError(
            f"{path}: {found} golds for {questions} questions; without ids they must be as many"
        )


@dataclass(frozen=True, slots=True)
class _Lines:
    """A bare text file, one gold a line; what stands behind a tab names the database."""

    lines: tuple[str, ...]

    def text(self, name: str, position: int) -> str | None:
        return self.lines[position].partition("\t")[0]

    def texts(self, name: str, position: int) -> tuple[str, ...]:
        return ()

    def record(self, name: str, position: int) -> None:
        return None

    def where(self, name: str) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class _Folder:
    """A file a task; several results that are each right are called ``{id}_a``, ``{id}_b``..."""

    path: Path
    suffix: str

    def text(self, name: str, position: int) -> str | None:
        path = self.path / f"{name}{self.suffix}"
        return read_text(path).text if path.is_file() else None

    def texts(self, name: str, position: int) -> tuple[str, ...]:
        one = self.text(name, position)
        letters = "abcdefghijklmnopqrstuvwxyz"
        more = (self.text(f"{name}_{letter}", position) for letter in letters)
        return tuple(text for text in (one, *more) if text is not None)

    def record(self, name: str, position: int) -> None:
        return None

    def where(self, name: str) -> str:
        return str(self.path / f"{name}{self.suffix}")


class _File:
    """Records by id, each id once; or by position where there is no id key."""

    def __init__(self, records: Records, id_key: str, key: str, role: str) -> None:
        self.records, self._key, self._id_key = records, key, id_key
        bare = all(BARE in one for one in records.records)
        if not key and not bare:
            raise BenchmarkError(f"{records.path}: {role} must say which field holds the gold")
        if not bare:
            records.demand(id_key, "question_id_key")
            records.demand(key, role)
        self._by_id = _by_id(records, id_key or "id") if id_key or bare else {}

    def text(self, name: str, position: int) -> str | None:
        found = self.record(name, position)
        value = None if found is None else found.get(self._key, found.get(BARE))
        if value is None or isinstance(value, str):
            return value
        raise BenchmarkError(
            f"{self.records.path}: the gold of {name} is {shown(value)}; expected a text"
        )

    def texts(self, name: str, position: int) -> tuple[str, ...]:
        one = self.text(name, position)
        return () if one is None else (one,)

    def record(self, name: str, position: int) -> Mapping[str, Any] | None:
        if self._id_key or self._by_id:
            return self._by_id.get(name)
        return self.records.records[position]

    def where(self, name: str) -> str:
        return str(self.records.path)


def _by_id(records: Records, key: str) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for position, record in enumerate(records.records):
        name = task_id(record.get(key, ""), records.place(position))
        if name in found:
            raise BenchmarkError(f"{records.place(position)}: the id {name} stands there twice")
        found[name] = record
    return found
