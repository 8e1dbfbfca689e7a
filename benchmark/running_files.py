"""What a task leaves in a run folder: ``{id}.sql``, ``{id}.csv``, ``{id}.json``, a trajectory.

They are written in this order, each whole or not at all. The trajectory is last: a task is done
once it is there, for whoever resumes the run and for whoever evaluates it.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import yaml

from benchmark.agents.base import Question, Reply
from benchmark.running_csv import csv_text
from benchmark.running_folder import OwnFolder
from benchmark.summary import write_json
from db_execution.protocol import Answer
from pairset.files import write_text

MOST_SHOWN = 4_000
"""Characters of a result that the record repeats; the csv has all of it."""

MOST_SAID = 100_000
"""Characters of what an agent said that the trajectory keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One task, asked and run. ``answer`` is the database's, where there was SQL to run."""

    question: Question
    reply: Reply
    answer: Answer | None = None
    seconds: float = 0.0

    @property
    def result(self) -> str | None:
        """The answer as csv; None where there is none, or not all of it."""
        answer = self.answer
        if answer is None or answer.rows is None or answer.truncated or not answer.columns:
            return None
        return csv_text(answer.columns, answer.rows)


def write_task(folder: OwnFolder, done: Done, now: float | None = None) -> dict[str, Any]:
    """Write the files of one task; the record that was written."""
    moment, task_id = time.time() if now is None else now, done.question.task_id
    result = done.result
    texts = {".sql": done.reply.sql, ".csv": result}
    written = {suffix: text for suffix, text in texts.items() if text is not None}
    for suffix, text in written.items():
        write_text(folder.path / f"{task_id}{suffix}", text)
    record = _record(done, result, [f"{task_id}{suffix}" for suffix in written])
    write_json(folder.path / f"{task_id}.json", record)
    workflow = {"workflow": _workflow(done, moment)}
    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    told = yaml.dump(workflow, Dumper=dumper, sort_keys=False, allow_unicode=True, width=10_000)
    write_text(folder.trajectories / f"{task_id}_{int(moment)}.yaml", told)
    return record


def _record(done: Done, result: str | None, files: list[str]) -> dict[str, Any]:
    reply, shown = done.reply, _head(result)
    record: dict[str, Any] = {
        "finished": reply.reason is None,
        "instance_id": done.question.task_id,
        "database_name": done.question.db_id,
        "gen_sql": reply.sql,
        "result": shown,
        "gen_sql_final": reply.sql,
        "sql_result": shown,
        "row_count": done.answer.row_count if done.answer and result is not None else None,
        "sql_result_final": shown,
        "instruction": done.question.question,
        "files": files,
        "sql_error": _sql_error(done.answer, result),
        "tries": reply.tries,
        "time_spends_seconds": round(done.seconds, 3),
    }
    if reply.reason is not None:
        record |= {"error": f"{reply.reason}: {reply.error}", "reason": reply.reason}
    if reply.usage is not None:
        record["usage"] = asdict(reply.usage)
    if done.answer is not None and done.answer.database_sha256:
        record["database_sha256"] = done.answer.database_sha256
    return record


def _head(result: str | None) -> str | None:
    """The beginning of a result, cut at the end of a line."""
    if result is None or len(result) <= MOST_SHOWN:
        return result
    return result[: result.rfind("\n", 0, MOST_SHOWN) + 1]


def _sql_error(answer: Answer | None, result: str | None) -> str | None:
    if answer is None or result is not None:
        return None
    if answer.status != "ok":
        return answer.error or f"{answer.status}: {answer.error_class}"
    return "more rows than are kept" if answer.truncated else "it answers with no columns"


def _workflow(done: Done, moment: float) -> dict[str, Any]:
    failed = done.reply.reason is not None
    return {
        "status": "failed" if failed else "completed",
        "completion_time": round(moment, 3),
        "nodes": list(_nodes(done)),
    }


def _nodes(done: Done) -> Iterator[dict[str, Any]]:
    reply, asked = done.reply, {"task_id": done.question.task_id, "round": done.question.round}
    error = reply.error and f"{reply.reason}: {reply.error}"
    yield _node("start", {"success": True, "status": "completed", **asked})
    said = {"answer": reply.answer[:MOST_SAID], "tries": reply.tries}
    yield _node("agent", {**_ended(error), **said, **_used(reply)})
    if done.answer is not None:
        problem = _sql_error(done.answer, done.result)
        counted = {"row_count": done.answer.row_count, "columns": len(done.answer.columns)}
        yield _node("execute_sql", {**_ended(problem), **counted})
    yield _node("output", _ended(error))


def _node(kind: str, result: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": kind, "type": kind, "result": dict(result)}


def _ended(error: str | None) -> dict[str, Any]:
    if error is None:
        return {"success": True, "status": "completed"}
    return {"success": False, "status": "failed", "error": error}


def _used(reply: Reply) -> dict[str, Any]:
    return {"usage": asdict(reply.usage)} if reply.usage else {}
