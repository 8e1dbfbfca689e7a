"""The tutorial: the embedded benchmark, an agent that is right more often than not, a report.

Everything it does can be done again by hand, with the files that it leaves and the commands that
it names at the end.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.agents import AgentSettings
from benchmark.errors import shown
from benchmark.loading import Asked
from benchmark.outcome import Evaluation, Outcome
from benchmark.predictions import read_predictions
from benchmark.running import Ran
from benchmark.running_work import Wish, run_asked
from benchmark.sample import FIELDS, SYSTEMS, write_sample
from benchmark.statuses import STATUSES
from benchmark.summary import texts, write_reports
from benchmark.tasks import Tasks, read_tasks
from benchmark.work import Found, Wanted, evaluate_asked
from pairset.files import write_text

STEPS = 5
NAME = "tutorial"
AGENT = "learner"
TURNS = ("careful", "careful", "hasty", "sleepy")
"""Whose query the agent takes, task by task: right, right, nearly right, perhaps none."""

BROKEN = "SELECT name FROM a_table_that_is_not_there"
BROKEN_EVERY = 28


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the tutorial did, and where it lies."""

    ran: Ran
    found: Found
    files: Mapping[str, Path]

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of the one run."""
        return self.found.evaluations[0]


def tutorial(folder: Path, wish: Wish, say: Callable[[str], None]) -> Lesson:
    """Do all of it in ``folder``, telling step by step; done again, it gives the same."""
    files = _files(folder)
    tasks = _benchmark(files)
    say(f"[1/{STEPS}] a benchmark: {len(tasks.tasks)} questions with golds, {files['definition']}")
    say(f"[2/{STEPS}] an agent answers, and its SQL is run: {files['run']}")
    named = Asked(benchmark=NAME, definition=files["definition"], runs=(files["run"],))
    agent = AgentSettings(predictions=str(files["queries"].resolve()))
    ran = run_asked(named, agent, files["run"], wish)
    say(f"        {ran.answered} answered, {ran.silent} without SQL, {ran.skipped} not tried")
    say(f"[3/{STEPS}] every answer is held against its gold, row by row")
    wanted = Wanted(timeout=wish.timeout, workers=wish.workers, note=wish.note)
    found = evaluate_asked(named, wanted)
    say(f"[4/{STEPS}] what can go wrong, an example each:")
    for line in _examples(found.evaluations[0]):
        say(f"        {line}")
    write_text(files["summary"], texts(found))
    write_reports(found, files["report"], ran.seconds)
    say(f"[5/{STEPS}] the report: {files['report']}, and for reading: {files['summary']}")
    return Lesson(ran, found, files)


def _files(folder: Path) -> dict[str, Path]:
    return {
        "definition": folder / "benchmark" / "benchmark.toml",
        "queries": folder / "benchmark" / "predictions" / f"{AGENT}.jsonl",
        "run": folder / "runs" / AGENT,
        "report": folder / "report.json",
        "summary": folder / "summary.txt",
    }


def _benchmark(files: Mapping[str, Path]) -> Tasks:
    """Write the benchmark and what the agent will say."""
    home = files["definition"].parent
    tasks = read_tasks(write_sample(home))
    write_text(files["definition"], _definition())
    write_text(files["queries"], "".join(_queries(home, tasks)))
    return tasks


def _definition() -> str:
    """The benchmark as a person would define it, and two agents to try on it."""
    fields = {key: value for key, value in FIELDS.items() if key != "name"}
    lines = [
        f"[benchmark.{NAME}]",
        *(f"{key} = {json.dumps(value)}" for key, value in fields.items()),
    ]
    lines += ["", f"[agent.{AGENT}]", f'predictions = "predictions/{AGENT}.jsonl"']
    lines += ["", "[agent.lazy]", "command = \"echo 'SELECT 1'\""]
    return "\n".join(lines) + "\n"


def _queries(home: Path, tasks: Tasks) -> Iterator[str]:
    """The agent's queries, a line a task that it tries."""
    files = {name: home / "predictions" / f"{name}.jsonl" for name in SYSTEMS}
    systems = {name: read_predictions(path, tasks).attempts for name, path in files.items()}
    for at, task in enumerate(tasks.tasks):
        attempt = systems[TURNS[at % len(TURNS)]].get(task.task_id)
        if attempt is not None:
            sql = BROKEN if at % BROKEN_EVERY == 0 else attempt.sql
            line = {"task_id": task.task_id, "db_id": task.db_id, "sql": sql}
            yield json.dumps(line, ensure_ascii=False) + "\n"


def _examples(evaluation: Evaluation) -> Iterator[str]:
    """The first task of each status that is not right."""
    for status in STATUSES:
        of_it = [one for one in evaluation.outcomes if one.status == status != "Matched"]
        if of_it:
            yield f"{status} ({len(of_it)}), such as {of_it[0].task.task_id}:"
            yield from (f"    {line}" for line in _example(of_it[0]))


def _example(outcome: Outcome) -> Iterator[str]:
    yield outcome.task.question
    yield f"gold:  {_line(outcome.task.gold_sql or '')}"
    if outcome.actual.sql:
        yield f"agent: {_line(outcome.actual.sql)}"
    if outcome.error:
        yield f"why:   {_line(outcome.error)}"


def _line(text: str) -> str:
    """On one line, with nothing that a terminal would take for a command."""
    line = " ".join(text.split())
    return line if line.isprintable() else shown(line)


def next_steps(lesson: Lesson) -> list[str]:
    """Commands that go on from here."""
    named = f"--benchmark {NAME} --definition {lesson.files['definition']}"
    return [
        f"pairset benchmark eval {named} --run {lesson.files['run']}",
        f"pairset benchmark run {named} --agent lazy",
        f"pairset benchmark rounds {named} --agent {AGENT} --rounds 3",
        f"pairset benchmark audit {named}",
    ]


def facts(lesson: Lesson) -> dict[str, Any]:
    """What a machine reads."""
    evaluation = lesson.evaluation
    return {
        "total": evaluation.total,
        **evaluation.buckets,
        "statuses": {status: len(evaluation.ids(status)) for status in STATUSES},
        "files": {name: str(path) for name, path in lesson.files.items()},
    }
