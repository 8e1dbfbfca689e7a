"""The tasks of a benchmark: each question with its id, its database and its gold."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmark.definition import Definition
from benchmark.errors import BenchmarkError, shown
from benchmark.files import Records, read_records
from benchmark.golds import Golds
from benchmark.ids import chosen, natural, task_id
from pairset.config import unsafe_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One question. ``gold_results`` are csv texts, each right; none where the SQL is executed.

    ``gold_problem`` says why the gold cannot be had; such a task stays, and is nobody's fault.
    ``alias`` is another id that a predictions file may use, ``position`` the place in the question
    file, from 0. ``extra`` is all the question's record
    holds, and under ``gold`` what the gold's own record does.
    """

    task_id: str
    question: str
    db_id: str = ""
    knowledge: str = ""
    gold_sql: str | None = None
    gold_results: tuple[str, ...] = ()
    gold_problem: str | None = None
    gold_path: str = ""
    tables: tuple[str, ...] = ()
    difficulty: str = ""
    alias: str = ""
    position: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def gold_result(self) -> str | None:
        """The first csv text that is right."""
        return self.gold_results[0] if self.gold_results else None


@dataclass(frozen=True, slots=True)
class Tasks:
    """All tasks of a benchmark in natural order of their ids, and what is to be said of them."""

    definition: Definition
    tasks: tuple[Task, ...]
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """From every id, and every alias, to the id."""
        aliases = {one.alias: one.task_id for one in self.tasks if one.alias}
        return aliases | {one.task_id: one.task_id for one in self.tasks}

    def only(self, words: Iterable[str]) -> "Tasks":
        """The tasks that a person listed; all where the list is empty."""
        asked = set(chosen(words, self.names))
        if not asked:
            return self
        kept = tuple(one for one in self.tasks if one.task_id in asked)
        return Tasks(self.definition, kept, self.notes)


def read_tasks(definition: Definition) -> Tasks:
    """Every task of the benchmark; BenchmarkError for the first that is not as it must be."""
    questions = read_records(definition.question_path, definition.question_id_key)
    for role in (
        "question_id_key", "question_key", "db_key", "ext_knowledge_key", "use_tables_key",
        "difficulty_key",
    ):  # fmt: skip
        questions.demand(getattr(definition, role), role)
    golds = Golds(definition, questions)
    seen: dict[str, str] = {}
    tasks = [
        _task(definition, questions, golds, position, seen)
        for position in range(len(questions.records))
    ]
    notes = (*questions.notes, *golds.notes, *_mixed(questions, definition.question_id_key))
    in_order = sorted(tasks, key=lambda one: natural(one.task_id))
    return Tasks(definition, tuple(in_order), tuple(dict.fromkeys(notes)))


def _task(
    definition: Definition, questions: Records, golds: Golds, position: int, seen: dict[str, str]
) -> Task:
    record, place = questions.records[position], questions.place(position)
    key = definition.question_id_key
    name = task_id(record.get(key, "") if key else position, place)
    if name in seen:
        raise BenchmarkError(f"{place}: the id {name} is that of {seen[name]} too")
    seen[name] = place
    gold = golds.of(name, position)
    return Task(
        task_id=name,
        question=_text(record, definition.question_key, place, needed=True),
        db_id=_db_id(definition, record, place),
        knowledge=_text(record, definition.ext_knowledge_key, place),
        gold_sql=gold.sql,
        gold_results=gold.results,
        gold_problem=gold.problem,
        gold_path=gold.path,
        tables=_tables(record.get(definition.use_tables_key), place),
        difficulty=_text(record, definition.difficulty_key, place),
        alias=_alias(definition, name),
        position=position,
        extra={**record, "gold": dict(gold.record or {})},
    )


def _text(record: Mapping[str, Any], key: str, place: str, *, needed: bool = False) -> str:
    value = record.get(key) if key else ""
    if value is None and not needed:
        return ""
    if not isinstance(value, str):
        raise BenchmarkError(f"{place}: {key} is {shown(value)}; expected a text")
    return value


def _db_id(definition: Definition, record: Mapping[str, Any], place: str) -> str:
    name = _text(record, definition.db_key, place) or definition.db_id
    if name and (why := unsafe_name(name)):
        raise BenchmarkError(f"{place}: {shown(name)} cannot name a database: {why}")
    return name


def _tables(value: object, place: str) -> tuple[str, ...]:
    """A whitelist of tables: a list, or a text with commas."""
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        return tuple(one.strip() for one in value.split(",") if one.strip())
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    raise BenchmarkError(f"{place}: the tables are {shown(value)}; expected a list of texts")


def _alias(definition: Definition, name: str) -> str:
    return definition.id_alias.format(int(name)) if definition.id_alias and name.isdecimal() else ""


def _mixed(questions: Records, key: str) -> tuple[str, ...]:
    kinds = {type(one.get(key)).__name__ for one in questions.records} if key else set()
    if len(kinds) < 2:
        return ()
    return (f"{questions.path.name}: ids are numbers and texts; all were read as texts",)
