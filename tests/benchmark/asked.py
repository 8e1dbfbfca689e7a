"""An agent for tests that says what a table tells it, and a run of it."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmark.agents import AgentError, Question, Reply
from benchmark.asking import Asker
from benchmark.running import Ran, Running, run_agent
from benchmark.running_folder import OwnFolder, identity_of, opened
from benchmark.tasks import Task, Tasks
from tests.benchmark.judging import DEFINITION, task

Says = str | None | Reply | Callable[[Question], Reply]


class Scripted:
    """Says ``says[task_id]``, and writes down whom it was asked; ``None`` is an answer without SQL."""

    name, reads_schema = "scripted", True

    def __init__(self, says: Mapping[str, Says], version: int = 1) -> None:
        self.says, self.version = says, version
        self.asked: list[Question] = []
        self.closed = threading.Event()

    def identity(self, round_number: int = 0) -> dict[str, Any]:
        return {"kind": "scripted", "version": self.version}

    def ask(self, question: Question) -> Reply | None:
        self.asked.append(question)
        if question.task_id not in self.says:
            return None
        says = self.says[question.task_id]
        if callable(says):
            return says(question)
        return says if isinstance(says, Reply) else Reply(sql=says, answer=says or "")

    def close(self) -> None:
        self.closed.set()


def boom(question: Question) -> Reply:
    raise AgentError("the key is wrong")


def tasks_of(*tasks: Task) -> Tasks:
    return Tasks(DEFINITION, tasks or (task("1"), task("2"), task("3")))


def ran(
    asker: Asker, folder: Path, agent: Scripted, tasks: Tasks | None = None, **more: Any
) -> Ran:
    """One run of the agent, or what is left of it."""
    every = tasks or tasks_of()
    with opened(folder, identity_of(every, agent.identity())) as own:
        return run_agent(agent, every, own, Running(executor=asker.executor, **more))


def own(folder: Path) -> OwnFolder:
    return OwnFolder(folder)
