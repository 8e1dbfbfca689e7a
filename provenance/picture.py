"""How far away the true owners sit, as a picture. The same counts give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pairset.files import write_atomically

PICTURE = "audit.png"
REACH = 20
"""Rows further away than this share one bar on each side."""

_FAR = REACH + 4  # where the bar of all that is further away stands
_INK, _LATER, _EARLIER, _GRID = "#22303c", "#2f6f9f", "#c9803d", "#d9dee2"


def draw_distances(by_distance: Iterable[Mapping[str, int]], path: Path) -> bool:
    """Draw how many pairs have their owner so many rows away; whether there was any to draw.

    A picture of counts that are gone would be wrong, so where there are none it is taken away.
    """
    counts = {row["owner_distance"]: row["rows"] for row in by_distance}
    if not counts:
        path.unlink(missing_ok=True)
        return False
    write_atomically(path, lambda partial: _draw(counts, partial))
    return True


def _draw(counts: dict[int, int], path: Path) -> None:
    # A figure without pyplot: no window system is looked for, and nothing global is left behind.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.2), dpi=110, layout="constrained")
    axes = figure.subplots()
    places, heights = _bars(counts)
    colors = [_LATER if at > 0 else _EARLIER for at in places]
    axes.bar(places, heights, color=colors, width=0.82, zorder=2)
    _name(axes, counts)
    figure.savefig(path, format="png", metadata={"Software": None})


def _bars(counts: dict[int, int]) -> tuple[list[int], list[int]]:
    """The bars: one a distance, and one on each side for all that is further away."""
    found: dict[int, int] = {}
    for distance, rows in counts.items():
        at = distance if abs(distance) <= REACH else (_FAR if distance > 0 else -_FAR)
        found[at] = found.get(at, 0) + rows
    return sorted(found), [found[at] for at in sorted(found)]


def _name(axes: Any, counts: dict[int, int]) -> None:
    """Title, ends, ticks and grid."""
    total = sum(counts.values())
    near = sum(rows for distance, rows in counts.items() if 1 <= distance <= 10)
    axes.set_title(
        f"Where the owners of {total:,} misaligned references sit: "
        f"{100 * near / total:.0f} % one to ten rows later",
        loc="left", color=_INK, fontsize=11,
    )  # fmt: skip
    axes.set_xlabel("rows of the corpus from the sample that lists it to its owner", color=_INK)
    axes.set_ylabel("references", color=_INK)
    ticks = [*range(-REACH, REACH + 1, 5)]
    axes.set_xticks([-_FAR, *ticks, _FAR])
    axes.set_xticklabels(["further", *(f"{at:+d}" if at else "0" for at in ticks), "further"])
    axes.set_xlim(-_FAR - 1.5, _FAR + 1.5)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y", color=_GRID, linewidth=0.8, zorder=0)
    axes.tick_params(colors=_INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
