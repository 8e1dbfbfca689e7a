"""What a caller reads: counts for a machine, reports in files, whether enough has passed."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmark.errors import BenchmarkError
from benchmark.outcome import Evaluation
from benchmark.report import readings, report
from benchmark.statuses import BUCKETS, STATUSES
from pairset.store import write_atomically


def facts(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Counts over all runs, and under ``systems`` for each; the names are stable."""
    systems = [_facts(one) for one in evaluations]
    sums = {name: sum(one[name] for one in systems) for name in ("total", *BUCKETS)}
    return {**sums, "systems": systems}


def _facts(evaluation: Evaluation) -> dict[str, Any]:
    spurious = sum(bool(one.spurious_on) for one in evaluation.outcomes)
    return {
        "name": evaluation.run.name,
        "total": evaluation.total,
        **evaluation.buckets,
        "statuses": {status: len(evaluation.ids(status)) for status in STATUSES},
        "readings": readings(evaluation),
        "spurious": spurious,
    }


def below(evaluations: Sequence[Evaluation], threshold: float) -> bool:
    """Whether some run passes less than that share of all tasks."""
    return any(one.buckets["passed"] < threshold * one.total for one in evaluations)


def write_reports(evaluations: Sequence[Evaluation], path: Path, seconds: float) -> list[Path]:
    """Write a run's report to the JSON file ``path``, or those of several into that folder."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    if path.suffix == ".json" and len(evaluations) > 1:
        raise BenchmarkError(f"{path} is one file for {len(evaluations)} runs: name a folder")
    found = []
    for one in evaluations:
        place = path if path.suffix == ".json" else path / f"{one.run.name}.json"
        write_json(place, report(one, now, seconds))
        found.append(place)
    return found


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Write one JSON file, all or nothing: UTF-8, two blanks a level."""
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    data = text.encode("utf-8", "surrogatepass")
    try:
        write_atomically(path, lambda partial: _bytes(partial, data))
    except (NotADirectoryError, FileExistsError, IsADirectoryError):
        raise BenchmarkError(f"cannot write {path}: something else is called so") from None


def _bytes(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def append(path: Path, text: str) -> None:
    """Add a text to the end of a file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + "\n")
    except (NotADirectoryError, FileExistsError, IsADirectoryError):
        raise BenchmarkError(f"cannot write {path}: something else is called so") from None
