"""Audit the golds of a benchmark: every check on every gold, everything asked in a few batches."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmark.asking import ORIGINAL, Asker, Key, Tables
from benchmark.audit.checks import CHECKS, Trial, direction, met
from benchmark.audit.variants import Gold
from benchmark.preview import preview
from benchmark.tasks import Task
from db_execution.protocol import Answer
from sqltext.errors import NotAQuery
from sqltext.parse import parse
from sqltext.schema import NO_SCHEMA, Schema, TableSchema
from sqltext.scope import resolve

HEAD = 3
TRUE = "SELECT 1"
_COLUMNS = """
SELECT m.name, c.name, c.type FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS c
WHERE m.type IN ('table', 'view') AND substr(m.name, 1, 7) <> 'sqlite_' AND c.hidden <> 1
ORDER BY m.rowid, c.cid
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A doubt about one gold, and the two queries whose answers raise it."""

    task_id: str
    name: str
    says: str
    sql: str
    other_sql: str
    answer: str
    other_answer: str

    def as_json(self) -> dict[str, Any]:
        """The finding as a JSON object."""
        return {
            "task_id": self.task_id,
            "name": self.name,
            "says": self.says,
            "evidence": {
                "sql": self.sql,
                "answer": self.answer,
                "other_sql": self.other_sql,
                "other_answer": self.other_answer,
            },
        }


def audited(tasks: Sequence[Task], asker: Asker, *, directions: bool = False) -> list[Finding]:
    """Every finding, by the tasks' order and then by the checks'; one of a name a task."""
    trials = [
        (task, trial)
        for task, gold in _golds(tasks, asker)
        for trial in _trials(task, gold, directions=directions)
    ]
    keys = [key for task, trial in trials for key in _keys(task, trial)]
    answers = asker.answers([*keys, *(Key(ORIGINAL, task.db_id, TRUE) for task, _ in trials)])
    seen = list(_first_of_a_name(_met(trials, answers)))
    heads = asker.rows((key for task, trial in seen for key in _keys(task, trial)[:2]), HEAD)
    return [_finding(task, trial, heads, answers) for task, trial in seen]


def _golds(tasks: Sequence[Task], asker: Asker) -> Iterator[tuple[Task, Gold]]:
    """The golds that parse; what a gold that does not parse is worth, the evaluation says."""
    schemas = _schemas({task.db_id for task in tasks if task.gold_sql}, asker)
    for task in tasks:
        try:
            scopes = resolve(parse(task.gold_sql or ""), schemas.get(task.db_id, NO_SCHEMA))
        except NotAQuery:
            continue
        yield task, Gold(task.gold_sql or "", scopes)


def _schemas(db_ids: set[str], asker: Asker) -> dict[str, Schema]:
    keys = {db_id: Key(ORIGINAL, db_id, _COLUMNS) for db_id in sorted(db_ids)}
    tables = asker.rows(keys.values())
    return {
        db_id: _schema(table.rows)
        for db_id, key in keys.items()
        if (table := tables[key]) is not None
    }


def _schema(rows: Sequence[Sequence[Any]]) -> Schema:
    columns: dict[str, list[str]] = defaultdict(list)
    types: dict[str, list[str]] = defaultdict(list)
    for table, column, kind in rows:
        columns[table].append(column)
        types[table].append(kind)
    return Schema(
        TableSchema(name, tuple(columns[name]), types=tuple(types[name])) for name in columns
    )


def _trials(task: Task, gold: Gold, *, directions: bool) -> Iterator[Trial]:
    for check in CHECKS:
        yield from check(gold)
    if directions:
        yield from direction(gold, task.question)


def _keys(task: Task, trial: Trial) -> list[Key]:
    texts = (trial.one, trial.other, trial.when)
    return [Key(ORIGINAL, task.db_id, text) for text in texts if text is not None]


def _met(
    trials: Sequence[tuple[Task, Trial]], answers: Mapping[Key, Answer]
) -> Iterator[tuple[Task, Trial]]:
    for task, trial in trials:
        one, other, *when = (answers[key] for key in _keys(task, trial))
        true = answers[Key(ORIGINAL, task.db_id, TRUE)].multiset_digest
        if met(trial, one, other) and all(answer.multiset_digest == true for answer in when):
            yield task, trial


def _first_of_a_name(found: Iterator[tuple[Task, Trial]]) -> Iterator[tuple[Task, Trial]]:
    """One finding of a name a task; where a LIMIT cuts a tie, the tie is not told of again."""
    seen: set[tuple[str, str]] = set()
    for task, trial in found:
        is_told = trial.name == "order_ties" and (task.task_id, "arbitrary_cut") in seen
        if not is_told and (task.task_id, trial.name) not in seen:
            seen.add((task.task_id, trial.name))
            yield task, trial


def _finding(task: Task, trial: Trial, heads: Tables, answers: Mapping[Key, Answer]) -> Finding:
    one, other = (
        preview(heads[key], answers[key].row_count or 0) for key in _keys(task, trial)[:2]
    )
    return Finding(
        task_id=task.task_id,
        name=trial.name,
        says=trial.says,
        sql=trial.one,
        other_sql=trial.other,
        answer=one,
        other_answer=other,
    )
