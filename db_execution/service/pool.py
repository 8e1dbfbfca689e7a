"""The workers: each takes the job whose turn it is, for one slice of time."""

import asyncio
import logging
from collections.abc import Coroutine
from time import monotonic
from typing import Any

from db_execution.frames import Kind, unpacked_answers
from db_execution.service.fair import WaitingRoom
from db_execution.service.jobs import Job
from db_execution.service.metrics import Metrics
from db_execution.service.nursing import Nursery
from db_execution.service.process import WorkerGone, WorkerProcess
from db_execution.service.settings import Settings

log = logging.getLogger("db_execution")

GRACE_S = 0.4
"""How long past its limit a query may run before its worker is ended."""

HELD_S = 0.1
"""A worker that has been at one query for so long is held: a spare may be started."""

LONG_S = 0.5
"""A query that has taken so long lets the others go first, if there are any."""

WATCH_S = 0.05

SPARE_IDLE_S = 10.0

TURN_S = 0.05
"""So long a database has a worker before another that waits has its turn."""

UNSENT_BYTES = 1024 * 1024
"""A job whose client has so much still to read gets no more worker time until it has read."""


class Draining(Exception):
    """The service is stopping and takes nothing on."""


class Pool:
    """A fixed number of workers, and some spares for when all are held by long queries."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.room = WaitingRoom(settings.waiting)
        self.draining = False
        self._settings = settings
        self._metrics = metrics
        self._came = asyncio.Condition()
        self._nursery = Nursery(settings)
        self._tasks: set[asyncio.Task[None]] = set()
        self._jobs: dict[WorkerProcess, Job | None] = {}
        self._spares = 0

    async def start(self) -> None:
        """Start the workers; returns once each is ready."""
        ready = [asyncio.Event() for _ in range(self._settings.workers)]
        for event in ready:
            self._spawn(self._attend(event))
        self._spawn(self._watch())
        await asyncio.gather(*(event.wait() for event in ready))

    async def submit(self, job: Job) -> None:
        """Let ``job`` wait for its turn; raises Full or Draining."""
        if self.draining:
            raise Draining
        self.room.enter(job)
        await self._announce()

    def resume(self, job: Job) -> None:
        """The client of ``job`` has read what there was; if the job waited for that, it goes on."""
        if job.parked:
            job.parked = False
            self._spawn(self._continue(job))

    def drain(self) -> None:
        """Take nothing on, and hand back what is not being run: its client asks again elsewhere."""
        self.draining = True
        for job in self.room.empty():
            job.close()

    async def stop(self) -> None:
        """End every worker."""
        self.drain()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in list(self._jobs):
            self._end(worker)
        self._nursery.end()

    @property
    def running(self) -> int:
        """How many workers are at a job."""
        return sum(job is not None for job in self._jobs.values())

    def pids(self) -> list[int]:
        """The processes of the workers."""
        return sorted(worker.pid for worker in self._jobs)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _announce(self) -> None:
        async with self._came:
            self._came.notify_all()

    async def _attend(self, ready: asyncio.Event) -> None:
        """A worker's place: whoever ends there is replaced."""
        worker = None
        while True:
            worker = worker or await self._begin()
            if worker is not None:
                ready.set()
                worker = await self._take_turn(worker, await self._next_job(spare=False))

    async def _attend_as_spare(self) -> None:
        worker = await self._begin()
        try:
            while worker is not None:
                job = await asyncio.wait_for(self._next_job(spare=True), SPARE_IDLE_S)
                worker = await self._take_turn(worker, job)
        except TimeoutError:
            pass
        finally:
            self._spares -= 1
            if worker is not None:
                self._end(worker)

    async def _begin(self) -> WorkerProcess | None:
        """A new worker, or None after a while if it would not start."""
        try:
            worker = await self._nursery.worker()
        except (WorkerGone, TimeoutError, OSError) as error:
            log.error("worker did not start", extra={"reason": type(error).__name__})
            await asyncio.sleep(0.5)
            return None
        self._jobs[worker] = None
        self._metrics.workers_started += 1
        return worker

    def _end(self, worker: WorkerProcess) -> None:
        self._jobs.pop(worker, None)
        worker.end()

    async def _next_job(self, *, spare: bool) -> Job:
        async with self._came:
            while True:
                job = self.room.next(self._fits_spare if spare else _any)
                if job is not None:
                    return job
                await self._came.wait()

    def _fits_spare(self, job: Job) -> bool:
        # Never the long runs of a build: crowded, their step budgets would end as wall time.
        return job.timeout_ms <= self._settings.spare_ms

    async def _take_turn(self, worker: WorkerProcess, job: Job) -> WorkerProcess | None:
        """Run one slice of ``job``; the worker it was run on, or None if that is no more."""
        able: WorkerProcess | None = worker
        if job.tries and worker.used:
            self._end(worker)
            able = await self._begin()
        if able is not None and not job.closed and not await self._slice(able, job):
            self._end(able)
            able = None
        if not job.closed:
            await self._continue(job)
        return able

    async def _continue(self, job: Job) -> None:
        if self.draining:
            job.close()
        elif job.unsent < UNSENT_BYTES:
            self.room.come_back(job)
            await self._announce()
        else:
            job.parked = True

    async def _slice(self, worker: WorkerProcess, job: Job) -> bool:
        """Let ``worker`` answer what its turn allows of ``job``; whether it is fit for more."""
        self._jobs[worker] = job
        turn_ends = monotonic() + TURN_S
        try:
            async with asyncio.timeout(None) as patience:
                await worker.send(job.slice())
                while not await _passed_on(worker, job, patience):
                    if self._must_yield(job, turn_ends):
                        await worker.ask_to_yield()
        except TimeoutError:
            self._metrics.workers_killed += 1
            job.timed_out()
            return False
        except WorkerGone:
            self._metrics.workers_lost += 1
            job.lost_worker()
            return False
        self._jobs[worker] = None
        return worker.step_up()

    def _must_yield(self, job: Job, turn_ends: float) -> bool:
        others_wait = len(self.room) > 0 and monotonic() > turn_ends
        return others_wait or job.unsent > UNSENT_BYTES or job.closed or self.draining

    async def _watch(self) -> None:
        """Start a spare when all are held and somebody small waits; end what nobody waits for."""
        while True:
            await asyncio.sleep(WATCH_S)
            self._look_after_the_held()
            if self._needs_spare():
                self._spares += 1
                self._spawn(self._attend_as_spare())

    def _needs_spare(self) -> bool:
        allowed = self._spares < self._settings.spares and self.room.any(self._fits_spare)
        return allowed and all(worker.held_for > HELD_S for worker in self._jobs)

    def _look_after_the_held(self) -> None:
        others_wait = self._spares > 0 or len(self.room) > 0
        for worker, job in self._jobs.items():
            if job is not None and job.closed and worker.held_for > HELD_S:
                worker.terminate()
            elif others_wait and worker.held_for > LONG_S:
                worker.step_back()


def _any(_job: Job) -> bool:
    return True


async def _passed_on(worker: WorkerProcess, job: Job, patience: asyncio.Timeout) -> bool:
    """Hand the next answers on; whether that was the end of the slice."""
    patience.reschedule(asyncio.get_running_loop().time() + job.left_s + GRACE_S)
    frames = await worker.frames()
    for frame in frames:
        if frame.kind is Kind.ANSWERS:
            job.put(unpacked_answers(frame.body))
        elif frame.kind is Kind.BROKEN:
            job.close(broken=frame.body.decode())
    return frames[-1].kind is Kind.END
