"""What rounds leave: a report a round, one of all for machines, and text for people."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmark.report import report
from benchmark.rounds.plot import draw
from benchmark.rounds.rounds import Rounds
from benchmark.rounds.stability import stability
from benchmark.rounds.words import duration, percent
from benchmark.statuses import BUCKETS, STATUSES
from benchmark.summary import write_json
from benchmark.workbook import write_workbook


def summary(rounds: Rounds) -> dict[str, Any]:
    """All that is to be said of the rounds, as a JSON object. Only ``seconds`` is of the day."""
    return {
        "benchmark": rounds.benchmark,
        "group": rounds.group,
        "rounds": len(rounds.evaluations),
        "total": rounds.total,
        "by_round": [_of_round(rounds, at) for at in range(len(rounds.evaluations))],
        **stability(rounds),
        "seconds": [round(one, 1) for one in rounds.seconds],
    }


def _of_round(rounds: Rounds, at: int) -> dict[str, Any]:
    found, ran = rounds.evaluations[at], rounds.ran[at]
    return {
        "name": found.run.name,
        "total": found.total,
        **found.buckets,
        "statuses": {status: len(found.ids(status)) for status in STATUSES},
        "answered": ran.answered,
        "failures": dict(ran.reasons),
        "usage": dict(ran.usage),
    }


def write_rounds(rounds: Rounds, home: Path) -> dict[str, Path]:
    """Write everything beside the rounds' folders; where each thing is, by its name."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    files = {
        f"round {at}": home / f"{rounds.group}_evaluation_round_{at}.json"
        for at in range(len(rounds.evaluations))
    }
    for path, found, seconds in zip(
        files.values(), rounds.evaluations, rounds.seconds, strict=True
    ):
        write_json(path, report(found, now, seconds))
    told = summary(rounds)
    names = {"workbook": "xlsx", "summary": "json", "plot": "png", "plot to scale": "svg"}
    files |= {name: home / f"{rounds.group}_summary.{kind}" for name, kind in names.items()}
    write_workbook(rounds, told, files["workbook"])
    write_json(files["summary"], told)
    draw(rounds, told, files["plot"])
    draw(rounds, told, files["plot to scale"])
    return files


def text(told: dict[str, Any]) -> str:
    """The summary for a person."""
    return "".join(f"{line}\n" for line in _lines(told))


def _lines(told: dict[str, Any]) -> Iterator[str]:
    total = told["total"]
    yield f"{told['benchmark']}: {told['group']}, {told['rounds']} rounds over {total} tasks"
    for at, one in enumerate(told["by_round"]):
        low, high = told["wilson"][at]
        counts = ", ".join(f"{one[name]} {name.replace('_', ' ')}" for name in BUCKETS)
        sure = f"95% {percent(low)} to {percent(high)}"
        yield f"  round {at}: {percent(told['rates'][at]):>8} ({sure}): {counts}"
        yield f"           {duration(told['seconds'][at])}"
    sure = told["interval"]
    between = f"95% {percent(sure['low'])} to {percent(sure['high'])} over tasks"
    yield f"  mean    {percent(told['mean_rate']):>8} ({between})"
    for name, label in (("pass_at_k", "pass@k"), ("all_at_k", "all of k")):
        shares = ", ".join(f"{k}: {percent(share)}" for k, share in told[name].items())
        yield f"  {label:<9}{shares}"
    flips, same = told["flips"], told["unanimity"]
    yield f"  flips    {flips['total']} ({flips['gained']} to right, {flips['lost']} to wrong)"
    counts = ", ".join(f"{len(ids)} {name}" for name, ids in same.items())
    yield f"  tasks    {counts}"
