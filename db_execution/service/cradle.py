"""The process that forks workers, begun: what loads it needs nothing of what serves HTTP."""

import json
import os
import socket
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from db_execution.interrupts import not_heard_by_children
from db_execution.service.settings import Settings

ROOT = Path(__file__).resolve().parent.parent.parent


class Cradle(NamedTuple):
    """A nursery that has been started, and the socket on which it is asked for workers.

    It ends when the socket is closed, so also with the process that began it.
    """

    process: subprocess.Popen[bytes]
    control: socket.socket

    def end(self) -> None:
        """End the process. Workers that it forked live on, as long as the service does."""
        self.control.close()
        self.process.kill()
        self.process.wait()


def begun(settings: Settings) -> Cradle:
    """Start a nursery; it loads while the caller goes on."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with theirs, not_heard_by_children():
        process = subprocess.Popen(
            _command(theirs.fileno(), settings),
            pass_fds=(theirs.fileno(),),
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL if settings.quiet else None,
        )
    return Cradle(process, ours)


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
