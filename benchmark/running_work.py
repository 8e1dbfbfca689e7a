"""A whole run of an agent: from what a person named to files in a folder."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmark.agents import Agent, AgentSettings, PredictedAgent, agent_of
from benchmark.asking import ORIGINAL, Asker, Terms, asking, timed
from benchmark.errors import BenchmarkError, shown
from benchmark.loading import Asked, load_definition, load_trees
from benchmark.running import Ran, Running, run_agent
from benchmark.running_folder import identity_of, opened
from benchmark.tasks import Tasks, read_tasks
from pairset.config import cores, unsafe_name

_OTHER = re.compile(r"[^A-Za-z0-9_-]+")


def _nobody(*_: object) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How an agent is to run, and who hears of it; see `running.Running` and `work.Wanted`."""

    task_ids: Sequence[str] = ()
    timeout: float = 30.0
    workers: int = 1
    again: bool = False
    tell: Callable[[int, int], None] = _nobody
    note: Callable[[str], None] = _nobody


@dataclass(frozen=True, slots=True)
class Stage:
    """All that a run needs: every task, those that were chosen, the agent, and who executes."""

    tasks: Tasks
    chosen: Tasks
    agent: Agent
    asker: Asker
    trees: tuple[str, ...]

    def running(self, wish: Wish) -> Running:
        """The terms of a run on it."""
        return Running(
            executor=self.asker.executor,
            terms=timed(Terms(), wish.timeout),
            workers=wish.workers,
            again=wish.again,
            tell=wish.tell,
        )


@contextmanager
def staged(asked: Asked, settings: AgentSettings, wish: Wish, rounds: int = 1) -> Iterator[Stage]:
    """Read the benchmark, make the agent, start an executor; let go of all of it at the end."""
    definition = load_definition(asked)
    folders = load_trees(asked, definition)
    if ORIGINAL not in folders:
        raise BenchmarkError("there are no databases to run the agent's SQL on: --databases DIR")
    tasks = read_tasks(definition)
    chosen = tasks.only(wish.task_ids)
    agent = agent_of(settings, tasks, rounds)
    try:
        notes = [*tasks.notes, *(agent.notes if isinstance(agent, PredictedAgent) else ())]
        for note in dict.fromkeys(notes):
            wish.note(note)
        terms = timed(Terms(), wish.timeout)
        workers = min(wish.workers, cores())
        with asking(folders, terms, workers=workers, tell=_nobody) as asker:
            yield Stage(tasks, chosen, agent, asker, tuple(folders))
    finally:
        agent.close()


def run_asked(asked: Asked, settings: AgentSettings, folder: Path, wish: Wish) -> Ran:
    """Run an agent into ``folder``, or go on with its run there."""
    with staged(asked, settings, wish) as stage:
        identity = identity_of(stage.tasks, stage.agent.identity())
        with opened(folder, identity) as own:
            return run_agent(stage.agent, stage.chosen, own, stage.running(wish))


def run_name(asked: str, now: datetime | None = None) -> str:
    """The name of a run's folder: the one asked for, else the date and time, for people to see."""
    if not asked:
        return (now or datetime.now(UTC)).strftime("%Y%m%d_%H%M%S")
    if why := unsafe_name(asked):
        raise BenchmarkError(f"{shown(asked)} cannot name a run: {why}")
    return asked


def slug(name: str) -> str:
    """A group's name as a folder's: every run of other signs than letters and digits is ``_``.

    >>> slug("org/model 1.5"), slug("é")
    ('org_model_1_5', '_')
    """
    return _OTHER.sub("_", name)[:64] or "agent"
