"""Run folders: what is in one, and how one is found and read.

A task leaves ``{id}.json``, ``{id}.sql`` and ``{id}.csv`` in the run's folder, and a trajectory
``{id}_{epoch}.yaml`` in ``trajectory/`` below it. A folder that holds ``save/{namespace}/{run}/``
and ``trajectory/{namespace}/{run}/`` is read as it is.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.errors import BenchmarkError, several, shown
from benchmark.files import parsed, read_text
from benchmark.ids import natural
from benchmark.run import Attempt, Run
from benchmark.trajectory import Trajectory, read_trajectory

SUFFIXES = (".json", ".sql", ".csv")
RUN_NAME = re.compile(r"\d{8}_\d{4}(\d{2})?")
_TRAJECTORY = re.compile(r"(.+)_(\d+(?:\.\d+)?)\.ya?ml")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where one run lies: its files, and its trajectories where it has some."""

    save: Path
    trajectories: Path | None = None

    @property
    def name(self) -> str:
        """What the run is called."""
        return self.save.name

    def path(self, task_id: str, suffix: str) -> Path:
        """The file of a task."""
        return self.save / f"{task_id}{suffix}"


def find_run(folder: Path, *, namespace: str = "", run_id: str = "") -> RunFolder:
    """The run that ``folder`` is, or the one asked for below it.

    Files, SQL and trajectories are always of one and the same run. Without ``run_id`` it is the
    latest of those named by date and time; other folders are never taken for a run in silence.
    """
    if not folder.is_dir():
        raise BenchmarkError(f"no run folder {folder}")
    if not (folder / "save").is_dir():
        return RunFolder(folder, _beside(folder))
    space = _namespace(folder, namespace)
    save, trajectory = folder / "save" / space, folder / "trajectory" / space
    runs = sorted({*_folders(save), *_folders(trajectory)})
    if not runs and not run_id:
        return RunFolder(save, trajectory if trajectory.is_dir() else None)
    run = _chosen(runs, run_id, folder)
    there = trajectory / run
    return RunFolder(save / run, there if there.is_dir() else None)


def _namespace(folder: Path, asked: str) -> str:
    spaces = sorted({*_folders(folder / "save"), *_folders(folder / "trajectory")})
    if asked:
        if asked not in spaces:
            raise BenchmarkError(f"{folder}: no namespace {asked!r}; there are: {several(spaces)}")
        return asked
    if len(spaces) != 1:
        names = several(spaces) or "none"
        raise BenchmarkError(f"{folder}: choose one namespace; there are: {names}")
    return spaces[0]


def _chosen(runs: list[str], asked: str, folder: Path) -> str:
    if asked:
        if asked not in runs:
            raise BenchmarkError(f"{folder}: no run {asked!r}; there are: {several(runs)}")
        return asked
    dated = [name for name in runs if RUN_NAME.fullmatch(name)]
    if not dated and len(runs) > 1:
        raise BenchmarkError(f"{folder}: choose one run; there are: {several(runs)}")
    return dated[-1] if dated else runs[0]


def _folders(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir() if one.is_dir()) if folder.is_dir() else []


def _beside(folder: Path) -> Path | None:
    """The trajectories of a run folder: below it, in it, or where its layout keeps them."""
    if (folder / "trajectory").is_dir():
        return folder / "trajectory"
    if any(_TRAJECTORY.fullmatch(one.name) for one in folder.iterdir()):
        return folder
    real = folder.resolve()
    if real.parent.parent.name == "save":
        apart = real.parent.parent.parent / "trajectory" / real.parent.name / real.name
        return apart if apart.is_dir() else None
    return None


def read_run(folder: RunFolder, task_ids: Iterable[str], *, name: str = "") -> Run:
    """The attempts at those tasks that the folder holds.

    Where a run has trajectories, a task without one was not executed: files of its name may be
    left over from another day. Otherwise any file of its name shows that it was.
    """
    trajectories = latest_trajectories(folder.trajectories) if folder.trajectories else None
    attempts: dict[str, Attempt] = {}
    ids = sorted(task_ids, key=natural)
    for task_id in ids:
        if trajectories is None:
            found = any(folder.path(task_id, suffix).is_file() for suffix in SUFFIXES)
        else:
            found = task_id in trajectories
        if found:
            path = trajectories[task_id] if trajectories else None
            attempts[task_id] = read_attempt(folder, task_id, path)
    notes = _strangers(folder, set(ids), trajectories)
    return Run(name or folder.name, attempts, notes)


def latest_trajectories(folder: Path) -> dict[str, Path]:
    """The newest trajectory file of each task: the id is what stands before the last underscore."""
    found: dict[str, tuple[float, Path]] = {}
    for path in sorted(folder.iterdir()):
        if (match := _TRAJECTORY.fullmatch(path.name)) and path.is_file():
            task_id, epoch = match[1], float(match[2])
            if task_id not in found or found[task_id][0] <= epoch:
                found[task_id] = epoch, path
    return {task_id: path for task_id, (_, path) in found.items()}


def read_attempt(folder: RunFolder, task_id: str, trajectory: Path | None) -> Attempt:
    """What the folder holds of one task."""
    record = _record(folder, task_id)
    told = read_trajectory(_safe(trajectory, folder)) if trajectory else None
    result = _text(folder, task_id, ".csv")
    return Attempt(
        task_id=task_id,
        sql=_sql(folder, task_id, record),
        result=result,
        failure=_failure(record, told),
        trajectory=told,
        result_path=str(folder.path(task_id, ".csv")),
        record=record,
    )


def _sql(folder: RunFolder, task_id: str, record: Mapping[str, Any]) -> str | None:
    """The file ``{id}.sql``, else what the record says is the final SQL, else the first."""
    if (text := _text(folder, task_id, ".sql")) is not None:
        return text
    found = (record.get(key) for key in ("gen_sql_final", "gen_sql"))
    return next((text for text in found if isinstance(text, str) and text.strip()), None)


def _failure(record: Mapping[str, Any], told: Trajectory | None) -> str | None:
    if told is not None and told.failed:
        return told.errors[0]
    if record.get("finished") is False:
        return str(record.get("error") or "the agent did not finish")
    return None


def _record(folder: RunFolder, task_id: str) -> Mapping[str, Any]:
    text = _text(folder, task_id, ".json")
    if text is None or not text.strip():
        return {}
    found = parsed(text, folder.path(task_id, ".json"))
    return found if isinstance(found, dict) else {}


def _text(folder: RunFolder, task_id: str, suffix: str) -> str | None:
    path = folder.path(task_id, suffix)
    return read_text(_safe(path, folder)).text if path.is_file() else None


def _safe(path: Path, folder: RunFolder) -> Path:
    """``path``, if it truly lies in the run's folders: a link may not lead out of them."""
    homes = [folder.save, *([folder.trajectories] if folder.trajectories else [])]
    if not any(path.resolve().is_relative_to(home.resolve()) for home in homes):
        raise BenchmarkError(f"{path}: it leads out of the run's folder")
    return path


def _strangers(
    folder: RunFolder, ids: set[str], trajectories: Mapping[str, Path] | None
) -> tuple[str, ...]:
    """What the folder holds of ids that were not asked for."""
    files = folder.save.iterdir() if folder.save.is_dir() else ()
    found = {path.stem for path in files if path.suffix in (".sql", ".csv")} | set(
        trajectories or ()
    )
    others = [shown(one) for one in sorted(found - ids, key=natural)]
    return (
        (f"{folder.name}: passed over files of other tasks: {several(others)}",) if others else ()
    )
