"""Faults for `bench.faults`: a service that is asked while its workers, it or its disk fail."""

import contextlib
import os
import resource
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import httpx

from db_execution.embed import Embedded
from db_execution.limits import MIB

SEED = 20_260
WORKER_PAUSE_S = 0.4
SERVICE_PAUSE_S = 2.5
SERVICE_KILLS = 20


class Supervised:
    """A service on a fixed port that is started again whenever it is killed."""

    def __init__(self, tree: Path, workers: int, cache: Path | None = None) -> None:
        self._tree, self._workers, self._cache = tree, workers, cache
        self._service = self._started(0)
        self.url = self._service.url
        self.restarts = 0

    def _started(self, port: int) -> Embedded:
        specs = [f"original={self._tree}"]
        return Embedded(
            specs, workers=self._workers, port=port, cache=self._cache, cache_mib=1
        ).__enter__()

    @property
    def pid(self) -> int:
        """The service's process."""
        return self._service.pid

    def kill_and_restart(self) -> None:
        """SIGKILL, and then what a supervisor does."""
        os.kill(self._service.pid, signal.SIGKILL)
        self._service.stop()
        self._service = self._started(urlsplit(self.url).port or 0)
        self.restarts += 1

    def workers(self) -> list[int]:
        """Its worker processes."""
        pids: list[int] = httpx.get(f"{self.url}/healthz/ready").json()["workers"]
        return pids

    def stop(self) -> None:
        """Stop it for good."""
        self._service.stop()


Disturbed = Iterator[tuple[Supervised, dict[str, Any]]]


@contextmanager
def _in_peace(tree: Path, workers: int, folder: Path) -> Disturbed:
    service = Supervised(tree, workers)
    try:
        yield service, {}
    finally:
        service.stop()


@contextmanager
def _workers_killed(tree: Path, workers: int, folder: Path) -> Disturbed:
    facts, random = {"killed": 0}, Random(SEED)

    def kill_one() -> None:
        with contextlib.suppress(httpx.HTTPError, ProcessLookupError, IndexError):
            os.kill(random.choice(service.workers()), signal.SIGKILL)
            facts["killed"] += 1

    with (
        _in_peace(tree, workers, folder) as (service, _),
        _again_and_again(kill_one, pause=WORKER_PAUSE_S),
    ):
        yield service, facts


@contextmanager
def _service_killed(tree: Path, workers: int, folder: Path) -> Disturbed:
    facts = {"killed": 0}

    def kill() -> None:
        if service.restarts < SERVICE_KILLS:
            service.kill_and_restart()
        facts["killed"] = service.restarts

    with (
        _in_peace(tree, workers, folder) as (service, _),
        _again_and_again(kill, pause=SERVICE_PAUSE_S),
    ):
        yield service, facts


@contextmanager
def _again_and_again(what: Callable[[], None], *, pause: float) -> Iterator[None]:
    """Do ``what`` at once and then every so many seconds, beside what is done inside."""
    over = threading.Event()

    def repeat() -> None:
        while not over.wait(pause):
            what()

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def _full_disk(tree: Path, workers: int, folder: Path) -> Disturbed:
    """The folder of kept answers, and of temporary files, is on a disk that is full."""
    facts: dict[str, Any] = {}
    with _small_disk(folder / "disk", facts) as disk, _variable("TMPDIR", str(disk)):
        service = Supervised(tree, workers, cache=disk)
        filling = threading.Timer(1.0, _fill, [disk])
        filling.start()
        try:
            yield service, facts
            facts["failed_writes"] = _failed_writes(service.url)
        finally:
            filling.join()
            service.stop()


@contextmanager
def _small_disk(disk: Path, facts: dict[str, Any]) -> Iterator[Path]:
    """A disk of one MiB; where none can be mounted, files of a tenth of that, the service's too."""
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode == 0:
        facts["disk"] = "tmpfs"
        try:
            yield disk
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=False)
        return
    facts["disk"] = "RLIMIT_FSIZE"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MIB // 10, limits[1]))
    try:
        yield disk
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@contextmanager
def _variable(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


def _fill(disk: Path) -> None:
    with contextlib.suppress(OSError), (disk / "filler").open("wb", buffering=0) as file:
        while file.write(b"\0" * 4096):
            pass


def _failed_writes(url: str) -> int:
    lines = httpx.get(f"{url}/metrics").text.splitlines()
    [line] = [line for line in lines if line.startswith("db_execution_cache_failures_total ")]
    return int(line.split()[1])


FAULTS: dict[str, Callable[[Path, int, Path], Any]] = {
    "none": _in_peace,
    "worker_killed": _workers_killed,
    "service_killed": _service_killed,
    "disk_full": _full_disk,
}
