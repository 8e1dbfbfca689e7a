"""``pairset repair`` and ``pairset diff``: a corrected corpus, and proof of what did not change."""

import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.options import JSON, WORKERS, Common, takes
from flows.cli.outcome import WRONG, one_line

if TYPE_CHECKING:  # a help text needs none of these
    from provenance.difference import Difference
    from provenance.repair import Repaired

OUT = typer.Option(metavar="DIR", help="A new folder for the corrected corpus and its report.")
OLD = typer.Argument(metavar="OLD", help="The folder of a dataset saved to disk.")
NEW = typer.Argument(metavar="NEW", help="The folder of the same dataset, corrected.")
STAGE = "references"
WRITING = "writing the corrected corpus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repairing(Common):
    """What a repair takes."""

    out: Annotated[str, OUT]
    workers: Annotated[int | None, WORKERS] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparing:
    """What a comparison of two corpora takes."""

    old: Annotated[str, OLD]
    new: Annotated[str, NEW]
    json: Annotated[bool, JSON] = False


@takes(Repairing)
def repair(context: typer.Context, options: Repairing) -> None:
    """Write the corpus anew with every reference at its own question.

    Each passes four gates against its gold, or is taken to the sample it belongs to, or is removed.
    Makes what is not made yet. The corpus itself is only read.
    """
    began = time.monotonic()
    with one_line():
        found = _repair(context, options)
        _report_repair(found, options, time.monotonic() - began)


def _repair(context: typer.Context, options: Repairing) -> "Repaired":
    from flows.engine import at_work, directly
    from flows.parts import of_pairset
    from flows.progress import Teller
    from flows.request import Request
    from provenance.repair import repair as write
    from provenance.repair import the_corpus
    from provenance.repair.write import check_out

    request = Request(options.config, options.data, options.workers)
    build, parts = request.build(), context.obj or of_pairset()
    out = Path(options.out)
    check_out(out, the_corpus(build.config))  # before an hour's work, not after it
    teller = Teller()
    with at_work(request, parts, teller, build) as engine:
        for stage in (*parts.before(STAGE), parts.stage(STAGE)):
            engine.make(stage.name, directly)
        with teller.waiting(WRITING):
            return write(build, out)


def _report_repair(found: "Repaired", options: Repairing, seconds: float) -> None:
    from flows.cli import report
    from provenance.repair.write import PAGE

    facts = asdict(found)
    if options.json:
        report.as_json({"command": "repair", **facts, "seconds": round(seconds, 2)})
        return
    gates = facts.pop("removed_by_gate")
    report.as_lines({name.replace("_", " "): count for name, count in facts.items()})
    report.gap()
    report.as_columns(["gate", "removed"], list(gates.items()))
    report.where(Path(options.out) / PAGE)


@takes(Comparing)
def diff(context: typer.Context, options: Comparing) -> None:
    """Prove that two corpora differ in their references alone.

    The rows, their order, every other column and every gold are the same to the byte. Ends with 1
    and names the first difference otherwise.
    """
    with one_line():
        from provenance.difference import difference

        found = difference(Path(options.old), Path(options.new))
        _report_difference(found, options)
    if not found.holds:
        raise typer.Exit(WRONG)


def _report_difference(found: "Difference", options: Comparing) -> None:
    from flows.cli import report

    facts = asdict(found)
    first = facts.pop("first")
    if options.json:
        report.as_json({"command": "diff", **facts, "same": found.holds, "difference": first})
    elif found.holds:
        report.as_lines({name.replace("_", " "): count for name, count in facts.items()})
    if first is not None:
        print(first, file=sys.stderr)
