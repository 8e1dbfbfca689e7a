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
WORKER_KILLS = 40
SERVICE_KILLS = 20


class Supervised:
    """A service on a fixed port that is started again whenever it is killed."""

    def __init__(self, tree: Path, workers: int, cache: Path | None = None) -> None:
        self._tree, self._workers, self._cache = tree, workers, cache
        self._service = self._started(0)
        self.url = self._service.url

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

    def workers(self) -> list[int]:
        """Its worker processes."""
        pids: list[int] = httpx.get(f"{self.url}/healthz/ready").json()["workers"]
        return pids

    def stop(self) -> None:
        """Stop it for good."""
        self._service.stop()


class Strikes:
    """Does ``what`` so many times, evenly spread over the answers of a run, as they arrive."""

    def __init__(self, what: Callable[[], None], times: int, answers: int) -> None:
        self._what, self._lock, self._answered = what, threading.Lock(), 0
        self._marks = [answers * (number + 1) // (times + 1) for number in range(times)]

    def answered(self) -> None:
        """One more answer has arrived, in whichever thread."""
        with self._lock:
            self._answered += 1
            while self._marks and self._marks[0] <= self._answered:
                del self._marks[0]
                self._what()


Disturbed = Iterator[tuple[Supervised, dict[str, Any], Strikes]]


def _nothing() -> None:
    """What an undisturbed run suffers."""


@contextmanager
def _in_peace(tree: Path, folder: Path, workers: int, answers: int) -> Disturbed:
    service = Supervised(tree, workers)
    try:
        yield service, {}, Strikes(_nothing, 0, answers)
    finally:
        service.stop()


@contextmanager
def _workers_killed(tree: Path, folder: Path, workers: int, answers: int) -> Disturbed:
    facts, random = {"killed": 0}, Random(SEED)

    def kill_one() -> None:
        with contextlib.suppress(ProcessLookupError, IndexError):
            os.kill(random.choice(service.workers()), signal.SIGKILL)
            facts["killed"] += 1

    with _in_peace(tree, folder, workers, answers) as (service, _, _):
        yield service, facts, Strikes(kill_one, WORKER_KILLS, answers)


@contextmanager
def _service_killed(tree: Path, folder: Path, workers: int, answers: int) -> Disturbed:
    facts = {"killed": 0}

    def kill() -> None:
        service.kill_and_restart()
        facts["killed"] += 1

    with _in_peace(tree, folder, workers, answers) as (service, _, _):
        yield service, facts, Strikes(kill, SERVICE_KILLS, answers)


@contextmanager
def _full_disk(tree: Path, folder: Path, workers: int, answers: int) -> Disturbed:
    """The folder of kept answers, and of temporary files, is on a disk that fills up."""
    facts: dict[str, Any] = {}
    with _small_disk(folder / "disk", facts) as disk, _variable("TMPDIR", str(disk)):
        service = Supervised(tree, workers, cache=disk)
        try:
            yield service, facts, Strikes(lambda: _fill(disk), 1, answers)
            facts["failed_writes"] = _failed_writes(service.url)
        finally:
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


FAULTS: dict[str, Callable[[Path, Path, int, int], Any]] = {
    "none": _in_peace,
    "worker_killed": _workers_killed,
    "service_killed": _service_killed,
    "disk_full": _full_disk,
}
