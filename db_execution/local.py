"""An executor inside this process: the workers of a service, asked without HTTP between.

For a process that asks alone and starts often. Queries run where a service runs them, in processes
of their own that are confined and may be killed, on the same terms, and their answers are the same.
"""

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any, NamedTuple, Self, TypeVar

from db_execution.chunks import chunks
from db_execution.errors import BadTree, Overloaded, Refused, Unreachable
from db_execution.frames import Answers
from db_execution.protocol import (
    Answer,
    BadRequest,
    Batch,
    Query,
    Terms,
    answer_from_json,
    batch_from_json,
    terms_to_json,
)
from db_execution.service.core import Service
from db_execution.service.cradle import begun
from db_execution.service.fair import Full
from db_execution.service.jobs import Job
from db_execution.service.nursing import START_S
from db_execution.service.pool import Draining
from db_execution.service.settings import Settings
from db_execution.trees import parse_spec

TURN_S = 0.0003
"""So soon the thread that hands on work has its turn, where others would have theirs for 5 ms."""

STOPPED = "the executor of this process is not running"

T = TypeVar("T")
_decode = json.JSONDecoder().raw_decode


class _Inside(NamedTuple):
    service: Service
    starting: Future[None]
    loop: asyncio.AbstractEventLoop
    thread: threading.Thread


class Local:
    """Start workers on enter, end them on exit; they end with this process, however that ends.

    ``trees`` are specs such as ``original=DIR``; limits of the service go by their names. Any
    number of threads may ask at once.
    """

    def __init__(self, trees: Sequence[str], *, workers: int = 1, **limits: int) -> None:
        specs = tuple(parse_spec(spec) for spec in trees)
        self._settings = Settings(trees=specs, workers=workers, quiet=True).limited(limits)
        self._scheduling = threading.Lock()
        self._inside: _Inside | None = None
        self._turns = 0.0

    def __enter__(self) -> Self:
        """Start. The workers load while the caller goes on: whoever asks waits for them."""
        self._inside = _inside(self._settings)
        self._turns = sys.getswitchinterval()
        sys.setswitchinterval(min(self._turns, TURN_S))
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End every worker; whoever waits for an answer is told. Twice is once."""
        with self._scheduling:
            inside, self._inside = self._inside, None
        if inside is None:
            return
        sys.setswitchinterval(self._turns)
        asyncio.run_coroutine_threadsafe(_ended(inside.service), inside.loop).result()
        inside.loop.call_soon_threadsafe(inside.loop.stop)
        inside.thread.join()
        inside.loop.close()

    @property
    def pids(self) -> list[int]:
        """The processes of the workers that are there."""
        return self._inside.service.pool.pids() if self._inside else []

    @property
    def running(self) -> int:
        """How many workers are at a query."""
        return self._inside.service.pool.running if self._inside else 0

    def execute(self, query: Query) -> Answer:
        """The answer to one query. Raises as ``batch`` does."""
        return next(self._asked(query, (query.sql,)))

    def batch(self, batch: Batch) -> Iterator[Answer]:
        """The answers to the batch's queries, in order and one each, as they come.

        Raises NoSuchDatabase, BadTree for a database that is not fit to be asked, Refused for terms
        that no executor takes, Overloaded and Unreachable.
        """
        for chunk in chunks(batch.queries):
            yield from self._asked(batch, chunk)

    def _asked(self, terms: Terms, queries: tuple[str, ...]) -> Iterator[Answer]:
        job, found = self._done(lambda inside: _begun(inside, terms, queries))
        answered = 0
        try:
            while found:
                for line in b"\n".join([some.lines for some in found]).decode().split("\n"):
                    answered += 1
                    yield answer_from_json(_decode(line)[0])
                if answered == len(queries):
                    return
                found = self._done(lambda inside: _more(inside.service, job))
        finally:
            job.closed = True  # nobody waits for more
        raise BadTree(job.broken) if job.broken else Unreachable(STOPPED)

    def _done(self, work: Callable[[_Inside], Coroutine[Any, Any, T]]) -> T:
        """What ``work`` comes to, done by the thread that the workers belong to."""
        try:
            return self._scheduled(work).result()
        except (CancelledError, Draining):
            raise Unreachable(STOPPED) from None
        except Full:
            raise Overloaded("too much is waiting already") from None
        except BadRequest as error:
            raise Refused(str(error)) from None

    def _scheduled(self, work: Callable[[_Inside], Coroutine[Any, Any, T]]) -> Future[T]:
        with self._scheduling:  # what is scheduled before the end is also ended
            if self._inside is None:
                raise Unreachable(STOPPED)
            return asyncio.run_coroutine_threadsafe(work(self._inside), self._inside.loop)


def _inside(settings: Settings) -> _Inside:
    """A service, and the thread in which it goes about its work."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    service = Service(settings, begun(settings))
    thread.start()
    starting = asyncio.run_coroutine_threadsafe(service.pool.start(), loop)
    return _Inside(service, starting, loop, thread)


async def _begun(
    inside: _Inside, terms: Terms, queries: tuple[str, ...]
) -> tuple[Job, list[Answers]]:
    """The queries as a job, on terms that a service would take as well, and its first answers."""
    asked = batch_from_json(terms_to_json(terms) | {"queries": list(queries)})
    job = await inside.service.submit(asked, asked.queries, "line")
    if not inside.starting.done():
        await _started(inside, job)
    return job, await _more(inside.service, job)


async def _started(inside: _Inside, job: Job) -> None:
    try:
        await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(inside.starting)), START_S)
    except TimeoutError:
        job.close()
        raise Unreachable("the workers of this process's executor did not start") from None


async def _more(service: Service, job: Job) -> list[Answers]:
    """The next answers, an empty list when there will be no more."""
    await job.gather()
    found = await job.take()
    service.pool.resume(job)
    return found


async def _ended(service: Service) -> None:
    await service.pool.stop()
    waiting = asyncio.all_tasks() - {asyncio.current_task()}
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
