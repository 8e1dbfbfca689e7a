"""The commands, put together."""

import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import typer

from flows.cli import benchmark_run, making
from flows.cli.benchmark import benchmark
from flows.cli.investigation import investigation
from flows.cli.investigation_export import export, ties
from flows.cli.investigation_play import play
from flows.cli.investigation_play import serve as serve_tasks
from flows.cli.outcome import INTERRUPTED, refuse
from flows.cli.provenance import verify_extraction
from flows.cli.publish import publish
from flows.cli.repair import diff, repair
from flows.cli.review import review
from flows.cli.schedule import serve
from flows.cli.scores import scores
from flows.cli.serve import db
from flows.cli.sources import sources
from flows.cli.tree import tree
from flows.cli.verify import verify_comparator

if TYPE_CHECKING:
    from flows.parts import Parts

app = typer.Typer(
    name="pairset",
    help="Pairs from a text-to-SQL training corpus: a gold query, and a near miss beside it.",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("sources")(sources)
making.add_to(app)
app.command("repair")(repair)
app.command("diff")(diff)
app.command("verify-extraction")(verify_extraction)
app.command("scores")(scores)
app.command("publish")(publish)
app.command("serve")(serve)
app.command("verify-comparator")(verify_comparator)
app.command("review")(review)
app.add_typer(tree, name="tree")
app.add_typer(db, name="db")
benchmark_run.add_to(benchmark)
app.add_typer(benchmark, name="benchmark")
investigation.command("export")(export)
investigation.command("ties")(ties)
investigation.command("play")(play)
investigation.command("serve")(serve_tasks)
app.add_typer(investigation, name="investigation")


def main(words: Sequence[str] | None = None, parts: "Parts | None" = None) -> NoReturn:
    """Run a command line and end the process with its exit code."""
    signal.signal(signal.SIGTERM, _end)
    sys.exit(run(words, parts))


def run(words: Sequence[str] | None = None, parts: "Parts | None" = None) -> int:
    """Run a command line; its exit code."""
    try:
        code = app(
            args=words or sys.argv[1:] or ["--help"],
            prog_name="pairset",
            standalone_mode=False,
            obj=parts,
        )
    except typer.TyperException as error:
        refuse(error.format_message())
        return error.exit_code
    except typer.Abort:
        return INTERRUPTED
    return code or 0


def _end(number: int, _: object) -> NoReturn:
    """Being told to end is no crash: workers, executor and lock are let go of on the way out."""
    raise SystemExit(128 + number)
