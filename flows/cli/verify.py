"""``pairset verify-comparator``: the labels held against the rows themselves."""

import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from flows.cli.options import Common, takes
from flows.cli.outcome import WRONG, one_line

if TYPE_CHECKING:  # a help text needs none of these
    from pairset.verify import Verification

SHOWN = 20
WHAT = "running the golds once more, and comparing pairs row by row"


@takes(Common)
def verify_comparator(context: typer.Context, options: Common) -> None:
    """Hold the labels against the rows themselves.

    Every gold is run once more and must agree with itself; a sample of pairs is fetched again, and
    compared row by row. Ends with 1 if a label was wrong.
    """
    began = time.monotonic()
    with one_line():
        found = _verify(context, options)
    _report(found, options, time.monotonic() - began)
    if not found.holds:
        raise typer.Exit(WRONG)


def _verify(context: typer.Context, options: Common) -> "Verification":
    from flows.engine import at_work
    from flows.parts import of_pairset
    from flows.planning import MANIFEST, demand
    from flows.progress import Teller
    from flows.request import Request
    from pairset.verify import verify_comparator as verify

    request = Request(options.config, options.data)
    build, parts = request.build(), context.obj or of_pairset()
    demand(parts.before(MANIFEST), "verify-comparator", build, request)
    teller = Teller()
    with at_work(request, parts, teller, build) as engine, teller.waiting(WHAT):
        return verify(engine.asking())


def _report(found: "Verification", options: Common, seconds: float) -> None:
    from flows.cli import report

    facts = asdict(found)
    differing = facts.pop("disagreements")
    if options.json:
        judged = {"total": found.golds + found.pairs, "failed": len(differing)}
        judged["passed"] = judged["total"] - judged["failed"]
        report.as_json(
            {"command": "verify-comparator", **facts, **judged, "seconds": round(seconds, 2)}
        )
    else:
        report.as_lines({name.replace("_", " "): count for name, count in facts.items()})
    for line in differing[:SHOWN]:
        print(line, file=sys.stderr)
    if len(differing) > SHOWN:
        print(f"... and {len(differing) - SHOWN} more", file=sys.stderr)
