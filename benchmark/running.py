"""Ask an agent every question that is not done yet, run what it answers, and write it down.

Threads share the work. A task is asked by one of them, its SQL runs through the executor, and its
files are written before the next one: a run that is killed loses what it was at, and no more.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from benchmark.agents.base import Agent, Question, Reply, failed
from benchmark.asking import MOST_ROWS, NO_DATABASE, ORIGINAL, Terms
from benchmark.running_files import Done, write_task
from benchmark.running_folder import OwnFolder
from benchmark.running_schema import Schemas
from benchmark.tasks import Task, Tasks
from db_execution.errors import NoSuchDatabase
from db_execution.protocol import Answer, Executor, Query

HEARTBEAT_S = 1.0
"""How often the time that a round took is written down."""


def _nobody(done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """On what terms an agent runs: who executes, how many ask at once, who hears of it.

    ``again`` asks those tasks again that failed, though not those whose SQL is merely wrong.
    """

    executor: Executor
    terms: Terms = Terms()
    workers: int = 1
    again: bool = False
    tell: Callable[[int, int], None] = _nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What became of a run, over all its tasks, whenever they were asked.

    ``answered`` have SQL, ``silent`` an answer without SQL, ``failed`` none, for a reason;
    ``skipped`` are those that the agent makes no attempt at. They add up to the total.
    """

    total: int
    answered: int = 0
    silent: int = 0
    failed: int = 0
    skipped: int = 0
    sql_errors: int = 0
    asked_now: int = 0
    seconds: float = 0.0
    reasons: Mapping[str, int] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=dict)


def run_agent(
    agent: Agent, tasks: Tasks, folder: OwnFolder, running: Running, round_number: int = 0
) -> Ran:
    """Ask all that is not done; AgentError where the agent is of no use, and then go on later."""
    done = folder.done()
    left = [one for one in tasks.tasks if _is_left(done.get(one.task_id), running.again)]
    worker = _Worker(agent, folder, running, round_number)
    if left:
        with _clocked(folder) as keep, ThreadPoolExecutor(running.workers) as pool:
            futures = {pool.submit(worker.work, task) for task in left}
            try:
                _await(futures, running, len(tasks.tasks), keep)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                agent.close()  # what it is at ends, and is not written down
                raise
    return ran(tasks, folder, asked_now=len(left))


def _is_left(record: Mapping[str, Any] | None, again: bool) -> bool:
    return record is None or (again and not record["finished"])


def _await(
    waiting: set[Future[None]], running: Running, total: int, keep: Callable[[], None]
) -> None:
    """Wait for all, and stop at the first thing that is no answer."""
    while waiting:
        ended, waiting = wait(waiting, HEARTBEAT_S, FIRST_COMPLETED)
        for one in ended:
            one.result()
        keep()
        running.tell(total - len(waiting), total)


@contextmanager
def _clocked(folder: OwnFolder) -> Iterator[Callable[[], None]]:
    """Write down how long a round takes, now and then and at its end, over all its sittings."""
    began, before = time.monotonic(), folder.seconds
    told = began

    def keep() -> None:
        nonlocal told
        if time.monotonic() - told >= HEARTBEAT_S:
            told = time.monotonic()
            folder.keep_seconds(before + told - began)

    try:
        yield keep
    finally:
        folder.keep_seconds(before + time.monotonic() - began)


class _Worker:
    def __init__(
        self, agent: Agent, folder: OwnFolder, running: Running, round_number: int
    ) -> None:
        self._agent, self._folder, self._running = agent, folder, running
        self._round = round_number
        self._schemas = Schemas(running.executor, running.terms)
        self._begun = folder.begun()

    def work(self, task: Task) -> None:
        """One task, from the question to its files; nothing where no attempt is made."""
        began = time.monotonic()
        schema = self._schemas.ddl(task.db_id, task.tables) if self._agent.reads_schema else ""
        question = Question(
            task_id=task.task_id,
            question=task.question,
            db_id=task.db_id,
            knowledge=task.knowledge,
            schema=schema,
            round=self._round,
        )
        reply = self._agent.ask(question)
        if reply is None:
            return
        reply = _writable(reply)
        answer = self._executed(task, reply.sql) if reply.sql is not None else None
        seconds = time.monotonic() - began
        if task.task_id in self._begun:
            self._folder.clear(task.task_id)
        write_task(
            self._folder, Done(question=question, reply=reply, answer=answer, seconds=seconds)
        )

    def _executed(self, task: Task, sql: str) -> Answer:
        terms = self._running.terms
        query = Query(
            dataset_name=terms.dataset,
            db_id=task.db_id,
            tree=ORIGINAL,
            sql=sql,
            max_rows=MOST_ROWS,
            timeout_ms=terms.timeout_ms,
            max_vm_steps=terms.max_vm_steps,
            clock=terms.clock,
            seed=terms.seed,
        )
        try:
            return self._running.executor.execute(query)
        except NoSuchDatabase:
            said = f"no database {task.db_id!r}"
            return Answer(status="error", error_class=NO_DATABASE, error=said)


def _writable(reply: Reply) -> Reply:
    """The reply, if its texts can be written; SQL with half a character in it is none."""
    try:
        (reply.sql or "").encode()
    except UnicodeEncodeError:
        return failed("not_text", "the SQL holds half a character", usage=reply.usage)
    return replace(reply, answer=reply.answer.encode(errors="replace").decode())


def ran(tasks: Tasks, folder: OwnFolder, *, asked_now: int = 0) -> Ran:
    """The counts, read from what is on the disk."""
    done = folder.done()
    records = [done[one.task_id] for one in tasks.tasks if one.task_id in done]
    finished = [one for one in records if one["finished"]]
    answered = sum(one["gen_sql"] is not None for one in finished)
    reasons = Counter(str(one.get("reason")) for one in records if not one["finished"])
    return Ran(
        total=len(tasks.tasks),
        answered=answered,
        silent=len(finished) - answered,
        failed=len(records) - len(finished),
        skipped=len(tasks.tasks) - len(records),
        sql_errors=sum(bool(one.get("sql_error")) for one in records),
        asked_now=asked_now,
        seconds=folder.seconds,
        reasons=dict(sorted(reasons.items())),
        usage=_usage(records),
    )


def _usage(records: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Tokens over all tasks that tell them; the cost is known only where all of those have one."""
    told = [one["usage"] for one in records if isinstance(one.get("usage"), dict)]
    if not told:
        return {}
    costs = [one["cost"] for one in told]
    return {
        "tasks": len(told),
        "prompt_tokens": sum(one["prompt_tokens"] for one in told),
        "completion_tokens": sum(one["completion_tokens"] for one in told),
        "cost": None if None in costs else round(sum(costs), 6),
    }
