"""The rounds as a picture: what became of the tasks in each, and pass@k beside it."""

from pathlib import Path
from typing import Any

from benchmark.rounds.rounds import Rounds
from benchmark.statuses import STATUSES
from pairset.files import write_atomically

COLOURS = {
    "Not Executed": "#bbbbbb",
    "Matched": "#4477aa",
    "Gen SQL Failed": "#aa3377",
    "Gold SQL Failed": "#777777",
    "Match Failed": "#555555",
    "Table Mismatch": "#ee6677",
    "Result Mismatch": "#ccbb44",
    "Column Mismatch": "#66ccee",
}
"""Colours that people with a colour weakness can tell apart (after Paul Tol)."""

_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "pairset",  # the names of parts are drawn from it
    "font.family": "DejaVu Sans",  # comes with the library
    "font.size": 9.0,
    "text.parse_math": False,  # a dollar sign in a name starts no formula
}
_NO_DATE = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}


def draw(rounds: Rounds, told: dict[str, Any], path: Path) -> None:
    """Write the picture as PNG or SVG, by the suffix; the same rounds give the same bytes."""
    import matplotlib
    from matplotlib.figure import Figure

    kind = path.suffix.removeprefix(".")
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        figure = Figure(figsize=(10, 4.2), layout="constrained")
        left, right = figure.subplots(1, 2)
        _statuses(left, rounds, told)
        _chances(right, told)
        figure.suptitle(f"{told['benchmark']}: {told['group']}, {told['total']} tasks")
        write_atomically(
            path,
            lambda partial: figure.savefig(partial, format=kind, dpi=120, metadata=_NO_DATE[kind]),
        )


def _statuses(axes: Any, rounds: Rounds, told: dict[str, Any]) -> None:
    """A bar a round, cut by status, the right ones at the foot with Wilson's interval."""
    places = range(len(rounds.evaluations))
    floor = [0.0] * len(places)
    for status in sorted(STATUSES, key=lambda one: one != "Matched"):
        heights = [100 * len(one.ids(status)) / (one.total or 1) for one in rounds.evaluations]
        if any(heights):
            axes.bar(places, heights, 0.7, bottom=floor, color=COLOURS[status], label=status)
        floor = [low + height for low, height in zip(floor, heights, strict=True)]
    rates = [100 * rate for rate in told["rates"]]
    below = [rate - 100 * low for rate, (low, _) in zip(rates, told["wilson"], strict=True)]
    above = [100 * high - rate for rate, (_, high) in zip(rates, told["wilson"], strict=True)]
    axes.errorbar(places, rates, [below, above], fmt="none", ecolor="black", capsize=3)
    axes.set_xticks(list(places) if len(places) <= 20 else [])
    axes.set(xlabel="round", ylabel="% of all tasks", ylim=(0, 100))
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.15), ncols=3, frameon=False)


def _chances(axes: Any, told: dict[str, Any]) -> None:
    """pass@k rising, all of k falling: the further apart, the less steady."""
    for name, label, colour in (
        ("pass_at_k", "one of k rounds is right", COLOURS["Matched"]),
        ("all_at_k", "all of k rounds are right", COLOURS["Table Mismatch"]),
    ):
        shares = [100 * share for share in told[name].values()]
        axes.plot(range(1, len(shares) + 1), shares, marker="o", color=colour, label=label)
    axes.set(xlabel="k", ylabel="% of all tasks", ylim=(0, 100))
    axes.locator_params(axis="x", integer=True)
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.15), frameon=False)
