"""The evaluation as lines of text, for a person and for a summary file."""

from collections.abc import Iterator, Sequence

from benchmark.ids import natural
from benchmark.outcome import Evaluation
from benchmark.report import readings
from benchmark.statuses import STATUSES

RULE = "─" * 80
LABELS = {
    "passed": "Passed",
    "empty": "No SQL / Empty Result",
    "failed": "Failed",
    "gold_failed": "Gold SQL Failed (not charged)",
    "not_executed": "Not Executed",
}


def summary(evaluation: Evaluation) -> str:
    """Counts that add up to the total, then which tasks they are, then the readings beside them."""
    title = f" {evaluation.tasks.definition.name}: {evaluation.run.name}"
    head = f"{title} (Total: {evaluation.total} Queries)"
    lines = [RULE, head, RULE, *_counts(evaluation), RULE, *_statuses(evaluation), RULE]
    lines += ["", *_lists(evaluation), "", RULE]
    lines += list(_readings(evaluation))
    return "\n".join(lines) + "\n"


def _counts(evaluation: Evaluation) -> Iterator[str]:
    """Every task in one of five lines."""
    for bucket, label in LABELS.items():
        yield _line(f" {label}:", evaluation.buckets[bucket], evaluation.total)


def _statuses(evaluation: Evaluation) -> Iterator[str]:
    """Every task in one of eight lines."""
    for status in STATUSES:
        yield _line(f" {status}:", len(evaluation.ids(status)), evaluation.total)


def _line(label: str, count: int, total: int) -> str:
    share = round(100 * count / total) if total else 0
    return f"{label:<40}{count:>5}    ({share}%)"


def _lists(evaluation: Evaluation) -> Iterator[str]:
    for status in STATUSES:
        yield _ids(f" {status}:", evaluation.ids(status))
    outcomes = evaluation.outcomes
    empty = [one.task.task_id for one in outcomes if one.bucket == "empty"]
    yield _ids(f" {LABELS['empty']}:", empty)
    if any(one.unjudged_on or one.spurious_on for one in outcomes):
        yield _ids(" Matched by chance:", [one.task.task_id for one in outcomes if one.spurious_on])


def _ids(label: str, ids: Sequence[str]) -> str:
    return f"{label:<40}{', '.join(sorted(ids, key=natural)) or 'None'}"


def _readings(evaluation: Evaluation) -> Iterator[str]:
    for name, found in readings(evaluation).items():
        unknown = f", {found['unknown']} cannot be said" if found["unknown"] else ""
        yield f" {name + ':':<20}{found['score']:>9.2f}    ({found['rate']:.2f}%{unknown})"
