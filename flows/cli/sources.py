"""``pairset sources``: what the corpora hold, before anything is made of them."""

from dataclasses import asdict, fields
from typing import TYPE_CHECKING

import typer

from flows.cli.options import Common, takes
from flows.cli.outcome import one_line

if TYPE_CHECKING:  # a help text needs none of these
    from pairset.corpus import SourceCount

SUMS = ("samples", "databases", "golds", "references")


@takes(Common)
def sources(context: typer.Context, options: Common) -> None:
    """Count what the corpora hold. Opens no database."""
    with one_line():
        from flows.cli import report
        from flows.request import Request
        from pairset.corpus import count_sources

        counted = count_sources(Request(options.config, options.data).build().config)
        sums = {name: sum(getattr(one, name) for one in counted) for name in SUMS}
        if options.json:
            facts = [asdict(one) for one in counted]
            report.as_json({"command": "sources", **sums, "sources": facts})
        else:
            heads = [field.name.replace("_", " ") for field in fields(counted[0])]
            report.as_columns(heads, [_cells(one) for one in counted])
            report.gap()
            report.as_lines(sums)


def _cells(counted: "SourceCount") -> list[object]:
    *cells, refused = asdict(counted).values()
    return [*cells, ", ".join(f"{reason} {count}" for reason, count in refused.items())]
