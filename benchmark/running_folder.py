"""The folder of a run that we make: whose it is, what is done in it, and nobody else at work in it.

``.run.json`` says which questions, which agent and which round the files are of. No task can be
called so, as no id starts with a point. A folder with another marker, or with files and none, is
never taken for this run's.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmark.errors import BenchmarkError
from benchmark.run import Run
from benchmark.runfolder import SUFFIXES, RunFolder, latest_trajectories, read_run
from benchmark.summary import write_json
from benchmark.tasks import Tasks
from pairset.ids import canonical_json

MARKER = ".run.json"
LOCK = ".lock"
CLOCK = ".seconds.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Identity:
    """What the files of a folder are of."""

    benchmark: str
    questions: str
    agent: Mapping[str, Any]
    round: int = 0

    def as_json(self) -> dict[str, Any]:
        """The marker."""
        return {
            "version": VERSION,
            "benchmark": self.benchmark,
            "questions_sha256": self.questions,
            "agent": dict(self.agent),
            "round": self.round,
        }


def identity_of(tasks: Tasks, agent: Mapping[str, Any], round_number: int = 0) -> Identity:
    """The identity of a run of that agent over all these questions.

    Golds are not in it: a gold that is mended makes no answer another one.
    """
    asked = [
        [one.task_id, one.question, one.db_id, one.knowledge, list(one.tables)]
        for one in tasks.tasks
    ]
    digest = sha256(canonical_json(asked)).hexdigest()
    return Identity(tasks.definition.name, digest, agent, round_number)


class OwnFolder:
    """One run's folder, once it is known to be that run's."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files = RunFolder(path, path / "trajectory")

    @property
    def trajectories(self) -> Path:
        """Where the trajectories lie; a task's is written last of its files."""
        return self.path / "trajectory"

    def done(self) -> dict[str, dict[str, Any]]:
        """The records of the tasks that are done: all their files are there and whole."""
        told = latest_trajectories(self.trajectories)
        found = {task_id: self._record(task_id) for task_id in sorted(told)}
        return {task_id: record for task_id, record in found.items() if record is not None}

    def _record(self, task_id: str) -> dict[str, Any] | None:
        try:
            record = json.loads((self.path / f"{task_id}.json").read_bytes())
        except (OSError, ValueError):
            return None
        if not isinstance(record, dict) or record.get("instance_id") != task_id:
            return None
        files = record.get("files")
        there = isinstance(files, list) and all((self.path / str(name)).is_file() for name in files)
        return record if there and isinstance(record.get("finished"), bool) else None

    def begun(self) -> set[str]:
        """The tasks of which anything is there, done or not."""
        names = [one for one in self.path.iterdir() if not one.name.startswith(".")]
        files = {one.stem for one in names if one.suffix in SUFFIXES}
        return files | set(latest_trajectories(self.trajectories))

    def clear(self, task_id: str) -> None:
        """Take away what is there of a task that will be asked again; the trajectory goes first."""
        told = latest_trajectories(self.trajectories)
        while task_id in told:
            told[task_id].unlink()
            told = latest_trajectories(self.trajectories)
        for suffix in SUFFIXES:
            (self.path / f"{task_id}{suffix}").unlink(missing_ok=True)

    def read(self, tasks: Tasks, name: str) -> Run:
        """The run, to be evaluated: only what is done counts, half a task was never executed."""
        done = self.done()
        kept = [one.task_id for one in tasks.tasks if one.task_id in done]
        return Run(name, read_run(self.files, kept).attempts)

    @property
    def seconds(self) -> float:
        """How long the agent was at work here, over all sittings."""
        try:
            told = json.loads((self.path / CLOCK).read_bytes())
            return float(told["seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            return 0.0

    def keep_seconds(self, seconds: float) -> None:
        """Write down how long it took so far."""
        write_json(self.path / CLOCK, {"seconds": round(seconds, 3)})


@contextmanager
def opened(path: Path, identity: Identity) -> Iterator[OwnFolder]:
    """The folder of that run, made where there is none, with nobody else at work in it."""
    try:
        (path / "trajectory").mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise BenchmarkError(f"cannot make the folder {path}: a file is called so") from None
    with _locked(path):
        _leftovers(path)
        if not (path / MARKER).is_file():
            _demand_empty(path)
            write_json(path / MARKER, identity.as_json())
        check(path, identity)
        yield OwnFolder(path)


def check(path: Path, identity: Identity) -> OwnFolder:
    """The folder, if it is that run's; BenchmarkError says what differs."""
    found, wanted = marker(path), identity.as_json()
    if found is None:
        raise BenchmarkError(f"{path} is no run of ours: it has no {MARKER}")
    names = {"benchmark": "benchmark", "questions_sha256": "questions", "agent": "agent"}
    names |= {"round": "round", "version": "version"}
    if other := [word for key, word in names.items() if found.get(key) != wanted[key]]:
        raise BenchmarkError(
            f"{path} holds a run with another {' and another '.join(other)}: name another folder, "
            "or take it away"
        )
    return OwnFolder(path)


def marker(path: Path) -> dict[str, Any] | None:
    """What a folder says it is of; None where it says nothing."""
    try:
        found = json.loads((path / MARKER).read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def remove(path: Path) -> bool:
    """Take a run of ours away, and nothing else; whether there was one."""
    if marker(path) is None:
        return False
    with _locked(path):
        shutil.rmtree(path)
    return True


def _demand_empty(path: Path) -> None:
    strange = [one.name for one in path.iterdir() if one.name not in (LOCK, "trajectory")]
    strange += [one.name for one in (path / "trajectory").iterdir()]
    if strange:
        raise BenchmarkError(
            f"{path} holds files of something else ({min(strange)}): name an empty folder"
        )


def _leftovers(path: Path) -> None:
    """What a killed writer left: files that never got their name."""
    for folder in (path, path / "trajectory"):
        for one in folder.glob(".*.partial"):
            one.unlink(missing_ok=True)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """The system lets go of the lock however the process ends."""
    with (path / LOCK).open("a+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            handle.seek(0)
            who = handle.read().strip()
            raise BenchmarkError(
                f"process {who or 'another'} is at work in {path}; wait for it"
            ) from None
        handle.truncate(0)
        handle.write(f"{os.getpid()}\n")
        handle.flush()
        yield
