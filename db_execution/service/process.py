"""One worker process, seen from the service."""

import asyncio
import contextlib
import os
import signal
import socket
from time import monotonic

from db_execution.frames import Frame, Kind, Unpacker, packed, packed_json

LAST_NICE = 10


class WorkerGone(Exception):
    """The process ended without being asked to."""


class WorkerProcess:
    """``send`` it work and read its ``frames``, of which the first says that it is ready."""

    def __init__(self, pid: int, sock: socket.socket) -> None:
        self.pid = pid
        self._handle = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
        self._sock = sock
        self._unpacker = Unpacker()
        self._at_it_since: float | None = None
        self._stepped_back = False
        self._asked_to_yield = False
        self.used = False

    @property
    def held_for(self) -> float:
        """For how many seconds it has been at one query; 0 when it is free."""
        return 0.0 if self._at_it_since is None else monotonic() - self._at_it_since

    async def send(self, work: object) -> None:
        """Hand over work; raises WorkerGone."""
        self._at_it_since = monotonic()
        self.used = True
        self._asked_to_yield = False
        await self._sent(packed_json(Kind.WORK, work))

    async def frames(self) -> list[Frame]:
        """What has come from the worker, at least one frame; raises WorkerGone."""
        frames: list[Frame] = []
        while not frames:
            frames = self._unpacker.feed(await self._received())
        ended = frames[-1].kind in (Kind.READY, Kind.END)
        self._at_it_since = None if ended else monotonic()
        return frames

    async def _sent(self, data: bytes) -> None:
        try:
            await asyncio.get_running_loop().sock_sendall(self._sock, data)
        except OSError:
            raise WorkerGone from None

    async def _received(self) -> bytes:
        try:
            data = await asyncio.get_running_loop().sock_recv(self._sock, 65_536)
        except OSError:
            raise WorkerGone from None
        if not data:
            raise WorkerGone
        return data

    async def ask_to_yield(self) -> None:
        """Have it hand back what it has not begun; says so once a slice. Raises WorkerGone."""
        if not self._asked_to_yield:
            self._asked_to_yield = True
            await self._sent(packed(Kind.YIELD))

    def step_back(self) -> None:
        """Let every other process go first: what it runs takes long, and others wait."""
        if not self._stepped_back:
            self._stepped_back = True
            os.setpriority(os.PRIO_PROCESS, self.pid, LAST_NICE)

    def step_up(self) -> bool:
        """Be as important as the others again; whether that was allowed (it is not to everyone)."""
        if self._stepped_back:
            try:
                os.setpriority(os.PRIO_PROCESS, self.pid, 0)
            except OSError:
                return False
            self._stepped_back = False
        return True

    def terminate(self) -> None:
        """End the process; whoever reads its frames is told."""
        with contextlib.suppress(ProcessLookupError):
            if self._handle is None:
                os.kill(self.pid, signal.SIGKILL)
            else:  # a number may have come to name another process by now, a handle never does
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def end(self) -> None:
        """End the process and forget it."""
        self.terminate()
        self._sock.close()
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
