"""The nursery, seen from the service: workers on request."""

import asyncio
import json
import os
import socket
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from db_execution.nursery import ASKED, PID
from db_execution.service.process import WorkerGone, WorkerProcess
from db_execution.service.settings import Settings

ROOT = Path(__file__).resolve().parent.parent.parent
START_S = 60.0


class Nursery:
    """Starts the process that forks workers, and starts it again if it is gone."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
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
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._control = None

    async def _forked(self, sock: socket.socket) -> int:
        """The number of a new worker that has ``sock``; one failure is forgiven."""
        if self._control is not None:
            try:
                return await _asked(self._control, sock)
            except (OSError, WorkerGone):
                self.end()
        self._control = self._started()
        return await _asked(self._control, sock)

    def _started(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with theirs:
            self._process = subprocess.Popen(
                _command(theirs.fileno(), self._settings),
                pass_fds=(theirs.fileno(),),
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        return ours


async def _asked(control: socket.socket, sock: socket.socket) -> int:
    socket.send_fds(control, [ASKED], [sock.fileno()])
    answer = b""
    while len(answer) < PID.size:
        more = await asyncio.get_running_loop().sock_recv(control, PID.size - len(answer))
        if not more:
            raise WorkerGone
        answer += more
    return int(PID.unpack(answer)[0])


def _command(socket_number: int, settings: Settings) -> list[str]:
    profile = asdict(settings.profile) | {
        "denied_functions": sorted(settings.profile.denied_functions)
    }
    document = {"profile": profile, "worker_bytes": settings.worker_bytes}
    return [sys.executable, "-m", "db_execution.nursery", str(socket_number), json.dumps(document)]


def _environment() -> dict[str, str]:
    """Nothing of the service's own environment, least of all its token; and 'localtime' is UTC."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {"PYTHONPATH": str(ROOT), "TZ": "UTC", "LC_ALL": "C.UTF-8"}
