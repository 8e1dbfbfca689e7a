"""A worker process: owns connections, answers queries of one database at a time, may be killed."""

import gc
import json
import os
import resource
import socket
import threading
from collections import OrderedDict
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from db_execution.frames import Frame, Kind, Unpacker, outcome_number, packed
from db_execution.outbox import Outbox
from db_execution.protocol import Answer, Mode, statement_type
from db_execution.sandbox import (
    SQLITE_VERSION,
    Ask,
    CannotOpen,
    LimitError,
    Profile,
    Sandbox,
    limit_heap,
    memory_used,
    open_copy,
    open_file,
)
from db_execution.shapes import Shape, shaped

OPEN_DATABASES = 64
CACHED_SHARE = 4
"""Databases stay open while their caches take no more than this part of the heap: a fourth."""

CANNOT_OPEN = b"the database cannot be opened: it is not a database, or it is damaged"


class Worker:
    """Answers what comes in on ``sock``."""

    def __init__(self, sock: socket.socket, profile: Profile) -> None:
        self._sock = sock
        self._out = Outbox(sock)
        self._profile = profile
        self._asked_to_yield = threading.Event()
        self._inbox: SimpleQueue[Frame] = SimpleQueue()
        self._open: OrderedDict[tuple[str, ...], Sandbox] = OrderedDict()

    def serve(self) -> None:
        """Answer for as long as the service is there."""
        threading.Thread(target=self._listen, daemon=True).start()
        self._out.say(packed(Kind.READY))
        while True:
            try:
                self._answer_slice(json.loads(self._inbox.get().body))
            except CannotOpen:
                self._out.say(packed(Kind.BROKEN, CANNOT_OPEN) + packed(Kind.END))

    def _answer_slice(self, work: dict[str, Any]) -> None:
        ask = Ask(**work["ask"], careful=work["last_try"])
        queries: list[str] = work["queries"]
        shape: Shape = work["shape"]
        mode: Mode = work["mode"]
        self._asked_to_yield.clear()
        answer_to = self._runner(work)
        for position, sql in enumerate(queries, start=1):
            answer, once = answer_to(sql, ask)
            if answer.error_class == "memory" and not work["last_try"]:
                self._out.say(packed(Kind.MEMORY))
                os._exit(0)
            self._out.put(outcome_number(answer), shaped(answer, shape, mode), once=once)
            if position == len(queries) or self._asked_to_yield.is_set():
                self._out.say(packed(Kind.END))
                return

    def _runner(self, work: dict[str, Any]) -> Callable[[str, Ask], tuple[Answer, bool]]:
        """What answers the queries of ``work``: one opened database, or a copy for each of them.

        It says beside each answer whether chance or the time of day had a part in it.
        """
        if work["mode"] == "read_only":
            sandbox = self._opened(work)
            return lambda sql, ask: (sandbox.run(sql, ask), sandbox.by_chance)
        path, sha256 = work["path"], work["sha256"]
        return lambda sql, ask: (self._run_on_copy(sql, ask, path, sha256), True)

    def _run_on_copy(self, sql: str, ask: Ask, path: str, sha256: str) -> Answer:
        try:
            sandbox = open_copy(path, profile=self._profile, sha256=sha256)
        except LimitError as error:
            return _unopened(error, sql, sha256)
        try:
            sandbox.on_second_pass = self._alive
            return sandbox.run(sql, ask)
        finally:
            sandbox.close()

    def _alive(self) -> None:
        self._out.say(packed(Kind.ALIVE))

    def _opened(self, work: dict[str, Any]) -> Sandbox:
        """The database of ``work``, opened anew unless it is the very file that is open."""
        key = (work["path"], work["sha256"], *map(str, work["stamp"]))
        if key not in self._open:
            self._make_room()
            path, sha256 = work["path"], work["sha256"]
            sandbox = open_file(path, profile=self._profile, sha256=sha256)
            sandbox.on_second_pass = self._alive
            self._open[key] = sandbox
        self._open.move_to_end(key)
        return self._open[key]

    def _make_room(self) -> None:
        """Close what was not asked for longest, where there are many or their caches are large."""
        most = self._profile.heap_bytes // CACHED_SHARE
        while len(self._open) >= OPEN_DATABASES or (self._open and memory_used() > most):
            _, oldest = self._open.popitem(last=False)
            oldest.close()

    def _listen(self) -> None:
        """Take in what comes. When the service is gone, so is this process, whatever it is doing.

        SQLite runs without the interpreter's lock, so this thread is heard even during a query. A
        service that went in the middle of an answer is an error here, and ends the process as well.
        """
        unpacker = Unpacker()
        try:
            while data := self._sock.recv(65_536):
                for frame in unpacker.feed(data):
                    self._take(frame)
        finally:
            os._exit(0)

    def _take(self, frame: Frame) -> None:
        if frame.kind is Kind.YIELD:
            self._asked_to_yield.set()
        else:
            self._inbox.put(frame)


def _unopened(error: LimitError, sql: str, sha256: str) -> Answer:
    return Answer(
        status=error.verdict.status,
        error_class=error.verdict.error_class,
        error=error.verdict.error,
        statement_type=statement_type(sql),
        sqlite_version=SQLITE_VERSION,
        database_sha256=sha256,
    )


def _confine(worker_bytes: int, heap_bytes: int) -> None:
    """The outer wall: no file can be written, and memory ends before the machine's does."""
    limit_heap(heap_bytes)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (worker_bytes, worker_bytes))


def work(sock: socket.socket, profile: Profile, *, worker_bytes: int) -> None:
    """Be a worker, confined, for the service at the other end of ``sock``; returns never."""
    _confine(worker_bytes, profile.heap_bytes)
    gc.set_threshold(50_000)  # rows are no garbage: looking for cycles among them takes a tenth
    Worker(sock, profile).serve()
