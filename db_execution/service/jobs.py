"""One request's queries on their way through the workers, and its answers on their way out."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from db_execution.frames import Answers, outcome_number
from db_execution.protocol import WALL_TIME, Answer, Mode, Status, statement_type
from db_execution.sandbox.running import SQLITE_VERSION
from db_execution.shapes import Shape, shaped

Key = tuple[str, str, str]
"""Tree, dataset and db_id: what the workers are shared fairly between."""

TRIES = 3
"""So often is a query begun whose worker is lost, before it is answered as ``worker_lost``."""

GATHER_S = 0.05
"""So long answers are gathered before they are handed on, unless there are no more to come."""

SHORTEST_S = 0.05
"""What a query has at least, however much of its time is gone."""

FORGIVEN_S = 0.3
"""Waiting for a turn that is not taken off a query's time."""


@dataclass(slots=True, eq=False, kw_only=True)
class Job:
    """Queries of one database, answered in order; ``done`` of them so far.

    ``tries`` counts the workers that the next query has cost, ``unsent`` the bytes of answers that
    its client has still to take. A job is ``parked`` while that is too much, and ``closed`` when
    there will be no more answers; ``broken`` then says why, if the database is to blame. ``weave``
    is what its client gets for the answers of workers: see ``Recall``.
    """

    key: Key
    work: dict[str, Any]
    queries: tuple[str, ...]
    shape: Shape
    mode: Mode
    timeout_ms: int
    done: int = 0
    tries: int = 0
    unsent: int = 0
    parked: bool = False
    closed: bool = False
    broken: str | None = None
    weave: Callable[[Answers], Answers] = lambda answers: answers
    _since: float = 0.0
    _came: float = field(default_factory=monotonic)
    _out: list[Answers] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _end: asyncio.Event = field(default_factory=asyncio.Event)

    def slice(self) -> dict[str, Any]:
        """What a worker is sent: all that is unanswered, or the one query that cost a worker.

        A query that is tried again has what is left of its time, not all of it anew.
        """
        if not self.tries:
            self._since = monotonic()
        waiting = self.queries[self.done :]
        return self.work | {
            "ask": self.work["ask"] | {"wall_ms": max(1, round(self.left_s * 1000))},
            "queries": waiting[:1] if self.tries else waiting,
            "last_try": self.tries > 0,
            "shape": self.shape,
            "mode": self.mode,
        }

    @property
    def left_s(self) -> float:
        """Seconds of wall time that the next query has, from now."""
        spent = 0.0
        if self.tries:
            spent = monotonic() - self._since
        elif self.shape != "line":
            # Somebody waits for this one answer, so waiting long for a turn is taken off its time.
            spent = max(0.0, monotonic() - self._came - FORGIVEN_S)
        return max(SHORTEST_S, self.timeout_ms / 1000 - spent)

    def put(self, answers: Answers) -> None:
        """The answers to the next queries; dropped if nobody waits for them any more."""
        if self.closed:
            return
        self.done += len(answers.outcomes)
        self.tries = 0
        self._since = monotonic()
        self._send(self.weave(answers))
        if self.done >= len(self.queries):
            self.close()

    def begin_with(self, answers: Answers) -> None:
        """Send answers that no worker had to make."""
        if answers.outcomes:
            self._send(answers)

    def _send(self, answers: Answers) -> None:
        self.unsent += len(answers.lines)
        self._out.append(answers)
        self._news.set()

    def timed_out(self) -> None:
        """The next query was ended from outside."""
        self._fail("timeout", WALL_TIME, "stopped: its worker did not yield and was ended")

    def lost_worker(self) -> None:
        """The worker went away during the next query, which is tried again, but not for ever."""
        self.tries += 1
        if self.tries >= TRIES:
            self._fail("too_large", "worker_lost", f"{TRIES} workers were lost running it")

    def close(self, *, broken: str | None = None) -> None:
        """There will be no more answers."""
        self.closed, self.broken = True, self.broken or broken
        self._news.set()
        self._end.set()

    async def gather(self) -> None:
        """Let more answers come for a moment, or until there will be no more."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GATHER_S):
                await self._end.wait()

    async def take(self) -> list[Answers]:
        """The answers that are there, at least one; an empty list when there will be no more."""
        await self._news.wait()
        return self.taken()

    def taken(self) -> list[Answers]:
        """The answers that are there, if any."""
        answers, self._out = self._out, []
        self.unsent = 0
        if not self.closed:
            self._news.clear()
        return answers

    def _fail(self, status: Status, error_class: str, error: str) -> None:
        if self.closed:
            return
        answer = Answer(
            status=status,
            error_class=error_class,
            error=error,
            flags=(WALL_TIME,) if error_class == WALL_TIME else (),
            statement_type=statement_type(self.queries[self.done]),
            elapsed_ms=float(self.timeout_ms),
            sqlite_version=SQLITE_VERSION,
            database_sha256=self.work["sha256"],
        )
        body = shaped(answer, self.shape, self.mode)
        self.put(Answers(bytes([outcome_number(answer)]), body, once=b"\1"))
