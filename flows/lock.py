"""One process at a time works in a build."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from flows.errors import BadFolder, Busy
from flows.request import logs
from pairset.build import Build


@contextmanager
def locked(build: Build) -> Iterator[None]:
    """Hold the build's lock; the system lets go of it however the process ends."""
    with _opened(build) as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(_busy(build, handle.read().strip())) from None
        handle.truncate(0)
        handle.write(f"{os.getpid()}\n")
        handle.flush()
        yield


def _opened(build: Build) -> TextIO:
    path = logs(build) / "lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = path.open("a+")
    except OSError as error:
        raise BadFolder(f"cannot write in {build.root.parent}: {error.strerror}") from None
    handle.seek(0)
    return handle


def _busy(build: Build, process: str) -> str:
    who = f"process {process}" if process else "another process"
    return f"{who} is at work in {build.root}; wait for it, or name another folder with --data"
