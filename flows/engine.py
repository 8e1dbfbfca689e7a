"""One build at work: locked, with its workers and its executor, until all that is asked is made.

How the groups of a stage are run is a *way*: `directly`, in threads, or by Prefect's tasks. The
pieces are the same and so are their bytes.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any

from flows.jobs import GROUPS, Job
from flows.lock import locked
from flows.parts import Parts, of_pairset
from flows.planning import MANIFEST, RUN, demand
from flows.pool import Pool
from flows.progress import Teller
from flows.request import Request
from pairset.build import Build, Stage, Unit
from pairset.work import groups, pending, sweep

Way = Callable[[Job], None]
"""Calls ``job.do(group)`` for every group, in threads, and returns when all have ended."""


class Engine:
    """Makes the stages of one build. Worker processes and the executor start when first needed."""

    def __init__(self, request: Request, build: Build, parts: Parts, teller: Teller) -> None:
        self.request = request
        self.build = build
        self.parts = parts
        self._teller = teller
        self._open = ExitStack()
        self._pool: Pool | None = None
        self._asking: Build | None = None
        self._current: set[str] = set()
        self.made = 0
        self.reported: tuple[dict[str, Any], Path] | None = None
        """What was said of trees, and its page, where somebody at work here has written it."""

    def make(self, name: str, way: Way) -> int:
        """Make a stage, the manifest or the whole run; how many pieces have been made so far."""
        if name == RUN:
            for stage in self.parts.stages:
                self.make(stage.name, way)
        if name in (RUN, MANIFEST):
            self._demand_before(MANIFEST)
            self.parts.write_manifest(self.build)
        else:
            self._make_stage(self.parts.stage(name), way)
        return self.made

    def score(self, stage: Stage, build: Build, way: Way) -> int:
        """Make what is to be made of a tree's scores; ``build`` is the tree's, with executors."""
        todo = pending(stage, build)
        if todo:
            self._do(stage, todo, way, build)
        sweep(stage, build)
        return len(todo)

    def asking(self) -> Build:
        """The build with executors to ask."""
        if self._asking is None:
            from flows.executor import executors  # most commands never ask one

            endpoints = self._open.enter_context(executors(self.build))
            self._asking = replace(self.build, endpoints=endpoints)
        return self._asking

    def close(self) -> None:
        """End the workers and the executor."""
        self._open.close()

    def _demand_before(self, name: str) -> None:
        """Nothing is made from what is out of date. What is current stays so: we hold the lock."""
        unknown = [stage for stage in self.parts.before(name) if stage.name not in self._current]
        demand(unknown, name, self.build, self.request)
        self._current.update(stage.name for stage in unknown)

    def _make_stage(self, stage: Stage, way: Way) -> None:
        """Make what is to be made of a stage, and sweep."""
        self._demand_before(stage.name)
        todo = pending(stage, self.build)
        if todo:
            self._do(stage, todo, way)
        sweep(stage, self.build)
        self._current.add(stage.name)

    def _do(self, stage: Stage, todo: list[Unit], way: Way, build: Build | None = None) -> None:
        build = build or (self.asking() if stage.asks_executor else self.build)
        with self._teller.counting(stage.name, len(todo)) as advance:
            job = Job(
                stage=stage,
                build=build,
                groups=groups(todo, GROUPS),
                pool=self._workers(),
                advance=advance,
                say=self._teller.say,
            )
            way(job)
            if job.failure is not None:
                raise job.failure
        self.made += len(todo)

    def _workers(self) -> Pool:
        if self._pool is None:
            self._pool = Pool(self.build.config.workers)
            self._open.callback(self._pool.close)
        return self._pool


_AT_WORK: ContextVar[Engine] = ContextVar("_AT_WORK")


@contextmanager
def at_work(
    request: Request,
    parts: Parts | None = None,
    teller: Teller | None = None,
    build: Build | None = None,
) -> Iterator[Engine]:
    """The engine of that request: the one at work already, else a new one that holds the lock.

    So the flow of the chain calls the flow of each stage, and each of them runs alone as well.
    """
    engine = _AT_WORK.get(None)
    if engine is not None and engine.request == request:
        yield engine
        return
    build = build or request.build()
    with locked(build):
        build.store.clear_leftovers()
        engine = Engine(request, build, parts or of_pairset(), teller or Teller())
        mark = _AT_WORK.set(engine)
        try:
            yield engine
        finally:
            _AT_WORK.reset(mark)
            engine.close()


def directly(job: Job) -> None:
    """Run the groups in threads of this process."""
    with ThreadPoolExecutor(len(job.groups)) as threads, stopping(job):
        for future in [threads.submit(job.do, at) for at in range(len(job.groups))]:
            future.exception()


@contextmanager
def stopping(job: Job) -> Iterator[None]:
    """Stop the job at once when we are told to stop: nobody waits for a piece that nobody wants."""
    try:
        yield
    except BaseException:
        job.abandon()
        raise
