"""The evaluation as lines of text, for a person and for a summary file."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from benchmark.audit import Finding
from benchmark.ids import natural
from benchmark.outcome import Evaluation
from benchmark.preview import shown
from benchmark.readings.r_ves import Ves
from benchmark.report import readings
from benchmark.slices import slices
from benchmark.statuses import STATUSES

if TYPE_CHECKING:  # numpy and scipy take their time, and a summary needs neither
    from benchmark.versus import Versus

RULE = "─" * 80
Scores = Mapping[str, Mapping[str, float | int]]

MOST_DATABASES = 25
"""Where there are more, the report alone has them."""

LABELS = {
    "passed": "Passed",
    "empty": "No SQL / Empty Result",
    "failed": "Failed",
    "gold_failed": "Gold SQL Failed (not charged)",
    "not_executed": "Not Executed",
}


def summary(evaluation: Evaluation, scores: Scores | None = None, ves: Ves | None = None) -> str:
    """Counts that add up to the total, then which tasks they are, then the readings beside them.

    ``scores`` are those with and without the golds that an audit names, ``ves`` the timings.
    """
    title = f" {evaluation.tasks.definition.name}: {evaluation.run.name}"
    head = f"{title} (Total: {evaluation.total} Queries)"
    lines = [RULE, head, RULE, *_counts(evaluation), RULE, *_statuses(evaluation), RULE]
    lines += ["", *_lists(evaluation), "", RULE]
    lines += list(_readings(evaluation))
    if ves is not None:
        spread = f"+- {ves.deviation:.2f} over {ves.rounds} rounds"
        lines.append(f" {'r_ves:':<20}{ves.score:>9.2f}    ({spread})")
    lines += list(_slices(evaluation))
    lines += list(_audited(scores or {}))
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


def _slices(evaluation: Evaluation) -> Iterator[str]:
    for kind, cuts in slices(evaluation).items():
        if kind == "database" and len(cuts) > MOST_DATABASES:
            continue
        yield f" by {kind}:"
        for name, found in cuts.items():
            yield _part(name or "none", found)


def _audited(scores: Scores) -> Iterator[str]:
    if scores:
        yield " without the golds that the audit doubts:"
        for name, found in scores.items():
            yield _part(name, found)


def _part(name: str, found: Mapping[str, float | int]) -> str:
    return f"     {name:<24}{found['passed']:>6} of {found['total']:<6}({found['rate']:.2f}%)"


def side_by_side(held: "Sequence[Versus]") -> str:
    """A block a pair of systems: how often each is right alone, and whether that may be chance."""
    return "\n".join(f"{line}" for one in held for line in _versus(one)) + "\n"


def _versus(one: "Versus") -> Iterator[str]:
    low, high = one.interval
    yield f"{one.name} and {one.other}, over {one.total} tasks ({one.unjudged} without a gold)"
    yield _line("     both right:", one.both, one.total)
    yield _line(f"     only {one.name}:", len(one.only_first), one.total)
    yield _line(f"     only {one.other}:", len(one.only_second), one.total)
    yield _line("     neither:", one.neither, one.total)
    points = f"{100 * one.difference:+.2f} points, 95% of it {100 * low:+.2f} to {100 * high:+.2f}"
    yield f"     difference {points}"
    yield f"     McNemar's exact test: p = {one.p_value:.4g}"


def findings_text(findings: Sequence[Finding]) -> str:
    """A line a finding, by task; then how many there are of each name."""
    lines = [f"{one.task_id:<16}{one.name:<18}{shown(one.says)}" for one in findings]
    names = Counter(one.name for one in findings)
    tasks = len({one.task_id for one in findings})
    sums = [f"{name:<34}{count:>5}" for name, count in sorted(names.items())]
    return "\n".join([*lines, *sums, f"{'tasks with a finding':<34}{tasks:>5}"]) + "\n"
