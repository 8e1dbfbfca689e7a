"""The two sides of a task, each an answer or the reason why there is none."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from benchmark.asking import NO_DATABASE, ORIGINAL, Key
from benchmark.csvtext import BadCsv, NoColumns, Table, parse_csv
from benchmark.run import Attempt
from benchmark.tasks import Task
from db_execution.protocol import Answer

NO_SQL = "the agent gave no SQL"
Write = Callable[[str], str]
"""How a query is written when it is asked."""

NO_RESULT = "the agent left no result"


class Side(NamedTuple):
    """The answer of one side; ``error`` says why there is none, ``is_empty`` that nothing came.

    An executed query has ``answer`` and ``key``; an answer that was given has its ``table``.
    ``not_run`` is SQL that may be right: it left no result, and nobody ran it. A tuple, as many are
    made; its fields are read by name.
    """

    sql: str | None = None
    error: str | None = None
    is_empty: bool = False
    no_database: bool = False
    not_run: bool = False
    key: Key | None = None
    answer: Answer | None = None
    table: Table | None = None

    @property
    def ok(self) -> bool:
        """Whether there is an answer."""
        return self.error is None

    @property
    def row_count(self) -> int:
        """How many rows the answer has."""
        if self.answer is not None:
            return self.answer.row_count or 0
        return len(self.table.rows) if self.table is not None else 0

    @property
    def columns(self) -> tuple[str, ...]:
        """The answer's columns by position."""
        if self.answer is not None:
            return self.answer.columns
        return self.table.columns if self.table is not None else ()

    @property
    def digests(self) -> Answer | None:
        """The digests, where there is an answer and it was executed."""
        return self.answer if self.error is None else None


def executed(key: Key, answers: Mapping[Key, Answer], sql: str) -> Side:
    """What became of a query that was asked."""
    answer = answers[key]
    if answer.status != "ok":
        gone = answer.error_class == NO_DATABASE
        said = answer.error or f"{answer.status}: {answer.error_class}"
        return Side(sql=sql, error=said, no_database=gone, key=key, answer=answer)
    if answer.column_count == 0:
        return Side(sql=sql, error="it answers with no columns", is_empty=True, key=key)
    return Side(sql=sql, key=key, answer=answer)


def given(text: str, sql: str | None) -> Side:
    """An answer that came as a csv text."""
    try:
        return Side(sql=sql, table=parse_csv(text))
    except NoColumns as error:
        return Side(sql=sql, error=f"No columns to parse from file: {error}", is_empty=True)
    except BadCsv as error:
        return Side(sql=sql, error=str(error))


def gold_key(task: Task, tree: str, write: Write = str) -> Key | None:
    """What to ask for a task's gold; None where it is given, or cannot be asked.

    A result that is given is one of the original databases: on others its SQL is asked.
    """
    if not (task.gold_sql and task.gold_sql.strip()):
        return None
    if tree == ORIGINAL and (task.gold_results or task.gold_problem):
        return None
    return Key(tree, task.db_id, write(task.gold_sql))


def gold_sides(
    task: Task, answers: Mapping[Key, Answer], tree: str, write: Write = str
) -> tuple[Side, ...]:
    """The golds of a task, each of them right; at least one, which may be an error."""
    if task.gold_results and tree == ORIGINAL:
        return tuple(given(text, task.gold_sql) for text in task.gold_results)
    key = gold_key(task, tree, write)
    if key is None or key not in answers:
        problem = task.gold_problem or "there are no databases to execute the gold SQL on"
        return (Side(sql=task.gold_sql, error=problem),)
    return (executed(key, answers, task.gold_sql or ""),)


def asked_sql(attempt: Attempt) -> str | None:
    """The SQL that is to be asked for an attempt; None where there is nothing to ask."""
    return attempt.sql if attempt.has_sql and not attempt.failure else None


def agent_side(attempt: Attempt, key: Key | None, answers: Mapping[Key, Answer] | None) -> Side:
    """An attempt's answer: executed where ``answers`` are there, else the result that it left."""
    if attempt.failure:
        return Side(sql=attempt.sql, error=attempt.failure, is_empty=not _gave(attempt))
    if answers is None:
        if attempt.result is None:
            if attempt.has_sql:
                return Side(sql=attempt.sql, error=NO_RESULT, not_run=True)
            return Side(sql=attempt.sql, error=NO_SQL, is_empty=True)
        return given(attempt.result, attempt.sql)
    if key is None:
        return Side(sql=attempt.sql, error=NO_SQL, is_empty=True)
    return executed(key, answers, attempt.sql or "")


def _gave(attempt: Attempt) -> bool:
    return attempt.has_sql or bool(attempt.result and attempt.result.strip())
