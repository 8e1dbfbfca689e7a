"""The nursery, seen from the service: workers on request."""

import asyncio
import socket

from db_execution.nursery import ASKED, PID
from db_execution.service.cradle import Cradle, begun
from db_execution.service.process import WorkerGone, WorkerProcess
from db_execution.service.settings import Settings

START_S = 60.0


class Nursery:
    """Starts the process that forks workers, unless one is begun, and again if it is gone."""

    def __init__(self, settings: Settings, cradle: Cradle | None = None) -> None:
        self._settings = settings
        self._cradle = cradle
        self._turn = asyncio.Lock()

    async def worker(self) -> WorkerProcess:
        """A process that is ready for work; WorkerGone or TimeoutError if none will start."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with theirs:
            try:
                async with self._turn:
                    pid = await asyncio.wait_for(self._forked(theirs), START_S)
                worker = WorkerProcess(pid, ours)
                await asyncio.wait_for(worker.frames(), START_S)
            except BaseException:
                ours.close()
                raise
        return worker

    def end(self) -> None:
        """End the process. Workers that it forked live on, as long as the service does."""
        cradle, self._cradle = self._cradle, None
        if cradle is not None:
            cradle.end()

    async def _forked(self, sock: socket.socket) -> int:
        """The number of a new worker that has ``sock``; one failure is forgiven."""
        if self._cradle is not None:
            try:
                return await _asked(self._cradle.control, sock)
            except (OSError, WorkerGone):
                self.end()
        self._cradle = begun(self._settings)
        return await _asked(self._cradle.control, sock)


async def _asked(control: socket.socket, sock: socket.socket) -> int:
    socket.send_fds(control, [ASKED], [sock.fileno()])
    answer = b""
    while len(answer) < PID.size:
        more = await asyncio.get_running_loop().sock_recv(control, PID.size - len(answer))
        if not more:
            raise WorkerGone
        answer += more
    return int(PID.unpack(answer)[0])
