"""Worker processes that end when we do, however we end."""

import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from typing import TypeVar

from db_execution.interrupts import not_heard_by_children
from flows.errors import WorkerDied
from pairset.build import Build, Stage, Unit
from pairset.store import Shard
from pairset.work import make

T = TypeVar("T")
U = TypeVar("U")


class Pool:
    """The worker processes of one build; they are started as they are needed.

    Each holds one end of a pipe, the leash. It breaks when we close the other end, and when we are
    killed, so that no worker goes on alone.
    """

    def __init__(self, workers: int) -> None:
        self.slot = threading.Semaphore(workers)
        """To be held while a piece is made, so that no piece waits inside the pool."""
        context = get_context("spawn")  # the same on every system, and safe beside threads
        self._held_by_workers, self._leash = context.Pipe(duplex=False)
        self._processes = ProcessPoolExecutor(
            workers, context, initializer=_be_led, initargs=(self._held_by_workers,)
        )

    def make(self, stage: Stage, build: Build, unit: Unit) -> list[Shard]:
        """Make one piece in a worker, and wait for it."""
        try:
            with deaf_to_interrupts():
                asked = self._processes.submit(_make, stage, pickle.dumps(build), unit)
            return asked.result()
        except BrokenExecutor:
            raise WorkerDied(
                f"a worker process was killed while it made {stage.name} (out of memory?); what "
                "was made is kept: run the same command again, with fewer --workers if need be"
            ) from None

    def abandon(self) -> None:
        """End the workers now, in the middle of what they do."""
        self._leash.close()

    def close(self) -> None:
        """Let the workers finish, and end them."""
        self._processes.shutdown(cancel_futures=True)
        self._leash.close()
        self._held_by_workers.close()


def in_workers(function: Callable[[T], U], items: Sequence[T], workers: int) -> Iterator[U]:
    """``function`` of each of ``items``, in their order; one worker is this process itself."""
    if min(workers, len(items)) <= 1:
        yield from map(function, items)
        return
    with leash() as (be_led, held, ours):
        processes = ProcessPoolExecutor(
            min(workers, len(items)), get_context("spawn"), initializer=be_led, initargs=(held,)
        )
        try:
            with deaf_to_interrupts():
                found = processes.map(function, items)
            yield from found
            processes.shutdown()
        except BrokenExecutor:
            raise WorkerDied(
                "a worker process was killed (out of memory?); run the same command again, with "
                "fewer --workers if need be"
            ) from None
        finally:
            ours.close()  # whoever is still at work ends in the middle of it
            processes.shutdown(cancel_futures=True)


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Workers that are started in here do not hear Ctrl-C: we tell them."""
    resource_tracker.ensure_running()  # when it starts, it lets the signal through again
    with not_heard_by_children():
        yield


@contextmanager
def leash() -> Iterator[tuple[Callable[[Connection], None], Connection, Connection]]:
    """For a pool of processes: what each worker does first, with its end; and our end.

    The workers end when ours is closed, and when we are killed.
    """
    held_by_workers, ours = get_context("spawn").Pipe(duplex=False)
    try:
        yield _be_led, held_by_workers, ours
    finally:
        ours.close()
        held_by_workers.close()


def _make(stage: Stage, build: bytes, unit: Unit) -> list[Shard]:
    return make(stage, _unpacked(build), [unit])


@lru_cache(maxsize=2)
def _unpacked(build: bytes) -> Build:
    """The build, kept between pieces, with what was worked out for the ones before."""
    unpacked: Build = pickle.loads(build)
    return unpacked


def _be_led(leash: Connection) -> None:
    """What a worker does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for good, whatever it starts
    threading.Thread(target=_end_with, args=(leash,), daemon=True).start()


def _end_with(leash: Connection) -> None:
    try:
        leash.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)
