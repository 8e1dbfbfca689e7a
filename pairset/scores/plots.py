"""Plots of the report as SVG to stand in a page: the same numbers give the same bytes."""

import io
import warnings
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from pairset.scores.rates import TOTAL
from pairset.scores.text import printable
from pairset.scores.views import Report, names, select

_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999")
"""Okabe and Ito's, which colour-blind readers can tell apart; they stand on light and on dark."""

_INK = "#808080"  # stands for the page's own ink, light or dark
_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "pairset",
    "svg.fonttype": "none",
    "text.parse_math": False,  # a dollar sign in a name begins no formula
    "font.family": "sans-serif",
    "font.size": 11,
    **dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), _INK
    ),
}


def totals(found: Report) -> str:
    """Each tree's catch rate with its interval."""
    rows = select(found, grouping=TOTAL)
    with mpl.rc_context(_SETTINGS):
        figure, axes = _axes(0.5 * len(rows) + 0.9)
        for at, row in enumerate(rows):
            rate = 100 * (row["catch_rate"] or 0.0)
            axes.barh(at, rate, color=_COLOURS[at % len(_COLOURS)], height=0.6)
            if row["low"] is not None:
                span = [[rate - 100 * row["low"]], [100 * row["high"] - rate]]
                axes.errorbar(
                    rate, at, xerr=[[max(0.0, s[0])] for s in span], color=_INK, capsize=4
                )
            end = max(rate, 100 * (row["high"] or 0.0))
            axes.text(end + 1.5, at, f"{rate:.1f} %", va="center")
        _label(axes, [row["tree"] for row in rows])
        return _svg(figure, "Catch rate of each tree, with its interval")


def classes(found: Report) -> str:
    """Catch rates by kind of difference, a bar a tree."""
    trees = names(found)
    rates = {
        (row["member"], row["tree"]): 100 * (row["catch_rate"] or 0.0)
        for row in select(found, grouping="mutation_class")
        if row["pairs"]
    }
    members = sorted({member for member, _ in rates}, reverse=True)
    with mpl.rc_context(_SETTINGS):
        height = 0.8 / max(1, len(trees))
        figure, axes = _axes(len(members) * (0.16 * len(trees) + 0.22) + 1.0)
        for at, tree in enumerate(trees):
            places = [row + 0.4 - height * (at + 0.5) for row in range(len(members))]
            widths = [rates.get((member, tree), 0.0) for member in members]
            colour = _COLOURS[at % len(_COLOURS)]
            axes.barh(places, widths, height=height, color=colour, label=_plain(tree))
        _label(axes, [member.replace("_", " ") for member in members], invert=False)
        if trees:
            axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4)
        return _svg(figure, "Catch rates by kind of difference")


def _axes(height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(7.0, height), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.add_subplot()
    axes.set_facecolor("none")
    figure.patch.set_alpha(0.0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of the tied pairs separated")
    return figure, axes


def _label(axes: Any, texts: Sequence[str], *, invert: bool = True) -> None:
    axes.set_yticks(range(len(texts)), [_plain(text) for text in texts])
    if invert:
        axes.invert_yaxis()


def _plain(text: str) -> str:
    """An underscore would hide a bar from the legend; what is no letter is no name."""
    return printable(text).lstrip("_")[:40] or "-"


def _svg(figure: Figure, title: str) -> str:
    """The figure as one element, without the head that a file of its own would need."""
    out = io.StringIO()
    with warnings.catch_warnings():
        # Texts stay texts, shown in the reader's own fonts: ours may lack a letter.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        metadata = {"Date": None, "Creator": None, "Title": title}
        figure.savefig(out, format="svg", metadata=metadata)
    text = out.getvalue()
    return text[text.index("<svg") :].replace(_INK, "currentColor")
