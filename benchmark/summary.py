"""What a caller reads: counts for a machine, reports in files, whether enough has passed."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmark.audit import Finding
from benchmark.console import summary
from benchmark.errors import BenchmarkError
from benchmark.outcome import Evaluation
from benchmark.report import readings, report
from benchmark.slices import slices
from benchmark.statuses import BUCKETS, STATUSES
from benchmark.work import Found
from pairset.files import write_bytes


def facts(found: Found) -> dict[str, Any]:
    """Counts over all runs, and under ``systems`` for each; the names are stable."""
    systems = [_facts(one) | _more(one, found) for one in found.evaluations]
    sums = {name: sum(one[name] for one in systems) for name in ("total", *BUCKETS)}
    return {**sums, "systems": systems}


def _more(evaluation: Evaluation, found: Found) -> dict[str, Any]:
    """What was asked for besides."""
    more: dict[str, Any] = {}
    if found.findings is not None:
        more["audit"] = without(evaluation, found.findings)
    if ves := found.ves.get(evaluation.run.name):
        more["r_ves"] = ves.as_json()
    return more


def texts(found: Found) -> str:
    """The summaries of all runs, for a person."""
    return "\n".join(_text(one, found) for one in found.evaluations)


def _text(evaluation: Evaluation, found: Found) -> str:
    scores = None if found.findings is None else without(evaluation, found.findings)
    return summary(evaluation, scores, found.ves.get(evaluation.run.name))


def _facts(evaluation: Evaluation) -> dict[str, Any]:
    spurious = sum(bool(one.spurious_on) for one in evaluation.outcomes)
    return {
        "name": evaluation.run.name,
        "total": evaluation.total,
        **evaluation.buckets,
        "statuses": {status: len(evaluation.ids(status)) for status in STATUSES},
        "readings": readings(evaluation),
        "spurious": spurious,
        "slices": slices(evaluation),
    }


def audit_facts(findings: Sequence[Finding]) -> dict[str, Any]:
    """How many tasks each name of finding names, and how many are named at all."""
    named = {name: len(ids) for name, ids in _by_name(findings).items()}
    return {"tasks": len({one.task_id for one in findings}), "findings": named}


def _by_name(findings: Sequence[Finding]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in findings:
        found.setdefault(one.name, set()).add(one.task_id)
    return dict(sorted(found.items()))


def without(evaluation: Evaluation, findings: Sequence[Finding]) -> dict[str, dict[str, Any]]:
    """The score with all golds, without those of each name of finding, and without any of them."""
    by_name = _by_name(findings)
    left_out = {"with_all": set[str](), **by_name, "without_any": set().union(*by_name.values())}
    return {name: _score(evaluation, ids) for name, ids in left_out.items()}


def _score(evaluation: Evaluation, left_out: set[str]) -> dict[str, Any]:
    kept = [one for one in evaluation.outcomes if one.task.task_id not in left_out]
    passed = sum(one.bucket == "passed" for one in kept)
    rate = round(100 * passed / len(kept), 2) if kept else 0.0
    return {"total": len(kept), "passed": passed, "rate": rate}


def below(evaluations: Sequence[Evaluation], threshold: float) -> bool:
    """Whether some run passes less than that share of all tasks."""
    return any(one.buckets["passed"] < threshold * one.total for one in evaluations)


def write_reports(found: Found, path: Path, seconds: float) -> list[Path]:
    """Write a run's report to the JSON file ``path``, or those of several into that folder."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    evaluations = found.evaluations
    if path.suffix == ".json" and len(evaluations) > 1:
        raise BenchmarkError(f"{path} is one file for {len(evaluations)} runs: name a folder")
    places = []
    for one in evaluations:
        place = path if path.suffix == ".json" else path / f"{one.run.name}.json"
        more = _more(one, found)
        if found.findings is not None:
            listed = [finding.as_json() for finding in found.findings]
            more["audit"] = {"scores": more["audit"], "findings": listed}
        write_json(place, report(one, now, seconds) | more)
        places.append(place)
    return places


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Write one JSON file, all or nothing: UTF-8, two blanks a level."""
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    data = text.encode("utf-8", "surrogatepass")
    try:
        write_bytes(path, data)
    except (NotADirectoryError, FileExistsError, IsADirectoryError):
        raise BenchmarkError(f"cannot write {path}: something else is called so") from None


def append(path: Path, text: str) -> None:
    """Add a text to the end of a file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + "\n")
    except (NotADirectoryError, FileExistsError, IsADirectoryError):
        raise BenchmarkError(f"cannot write {path}: something else is called so") from None
