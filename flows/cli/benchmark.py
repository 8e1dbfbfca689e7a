"""``pairset benchmark``: how good is the SQL that an agent wrote."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.options import JSON, WORKERS, takes
from flows.cli.outcome import WRONG, one_line

if TYPE_CHECKING:  # a help text needs none of these
    from benchmark.loading import Asked
    from benchmark.work import Found, Wanted

BENCHMARK = typer.Option(
    metavar="NAME", help="sample, bird_dev, spider_dev, spider2, or one that --definition defines."
)
DEFINITION = typer.Option(metavar="FILE", help="TOML with [benchmark.NAME], or an agent.yml.")
ROOT = typer.Option(metavar="DIR", help="Where a built-in benchmark lies.")
DATABASES = typer.Option(metavar="DIR", help="Its databases: DIR/<db_id>/<db_id>.sqlite.")
TREE = typer.Option(
    metavar="NAME=DIR", help="More databases, on which a match must hold. May be given repeatedly."
)
RUN = typer.Option(metavar="DIR", help="A run folder, or a home of them. May be given repeatedly.")
PREDICTIONS = typer.Option(metavar="FILE", help="Ids and SQL. May be given repeatedly.")
NAMESPACE = typer.Option(metavar="NAME", help="Of a home of runs. (default: the only one)")
RUN_ID = typer.Option(
    "--run-id", "--run_id", metavar="NAME", help="Of a home of runs. (default: the latest)"
)
TASK_IDS = typer.Option(
    "--task-ids", "--task_ids",
    metavar="IDS", help="Only these tasks: ids with blanks or commas between.",
)  # fmt: skip
RESULTS = typer.Option(
    metavar="WORD", help="executed: run the agent's SQL; given: take the results that it left. "
    "(default: executed where there are databases)",
)  # fmt: skip
OUTPUT = typer.Option(
    "--output", "--output-file", "--output_file",
    metavar="PATH", help="Write the report: a JSON file, or for several runs a folder.",
)  # fmt: skip
SUMMARY = typer.Option(
    "--summary-report-file", "--summary_report_file",
    metavar="FILE", help="Append the printed summary to this file.",
)  # fmt: skip
THRESHOLD = typer.Option(
    min=0.0, max=1.0, metavar="SHARE", help="End with 1 if a run passes less than this share."
)
TIMEOUT = typer.Option(min=0.001, max=600, metavar="SECONDS", help="How long a query may take.")
AUDIT = typer.Option("--audit", help="Show the scores without the golds that the audit doubts.")
TIMINGS = typer.Option(min=0, max=100, metavar="N", help="Read R-VES from so many timings a task.")
READING = typer.Option(metavar="NAME", help="Compare by a reading instead of by the verdict.")
DIRECTION = typer.Option("--direction", help="Hold the order against the question's words, too.")
FINDINGS = typer.Option("--output", metavar="FILE", help="Write all findings, with their evidence.")

benchmark = typer.Typer(help="How good the SQL is that an agent wrote.", rich_markup_mode=None)


@benchmark.callback()
def group() -> None:
    """How good the SQL is that an agent wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Which benchmark, which databases, which tasks."""

    benchmark: Annotated[str, BENCHMARK] = "sample"
    definition: Annotated[str | None, DEFINITION] = None
    root: Annotated[str | None, ROOT] = None
    databases: Annotated[str | None, DATABASES] = None
    task_ids: Annotated[list[str], TASK_IDS] = ()  # type: ignore[assignment]
    timeout: Annotated[float, TIMEOUT] = 30.0
    workers: Annotated[int | None, WORKERS] = None
    json: Annotated[bool, JSON] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated(Chosen):
    """What is evaluated, and how."""

    run: Annotated[list[str], RUN] = ()  # type: ignore[assignment]
    predictions: Annotated[list[str], PREDICTIONS] = ()  # type: ignore[assignment]
    namespace: Annotated[str, NAMESPACE] = ""
    run_id: Annotated[str, RUN_ID] = ""
    tree: Annotated[list[str], TREE] = ()  # type: ignore[assignment]
    results: Annotated[str, RESULTS] = ""
    output: Annotated[str | None, OUTPUT] = None
    summary_report_file: Annotated[str | None, SUMMARY] = None
    threshold: Annotated[float, THRESHOLD] = 0.0
    audit: Annotated[bool, AUDIT] = False
    timings: Annotated[int, TIMINGS] = 0


@benchmark.command("eval")
@takes(Evaluated)
def evaluate(context: typer.Context, options: Evaluated) -> None:
    """Evaluate runs or predictions against a benchmark's golds.

    Ends with 0 if all was evaluated, with 1 if a run passes less than --threshold.
    """
    with one_line():
        from benchmark.summary import below, write_reports

        began = time.monotonic()
        found = _found(options, details=bool(options.output))
        seconds = time.monotonic() - began
        if options.output:
            write_reports(found, Path(options.output), seconds)
        _say(found, options, seconds)
    if below(found.evaluations, options.threshold):
        raise typer.Exit(WRONG)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared(Evaluated):
    """Two systems, or more, and by what they are compared."""

    reading: Annotated[str, READING] = ""


@benchmark.command("compare")
@takes(Compared)
def compare(context: typer.Context, options: Compared) -> None:
    """Compare systems task by task: McNemar's exact test, and a bootstrap interval."""
    with one_line():
        from benchmark.console import side_by_side
        from benchmark.versus import as_json, every_pair
        from flows.cli import report

        held = every_pair(_found(options, details=False).evaluations, options.reading)
        if options.json:
            told = {"command": "benchmark compare", "reading": options.reading or "verdict"}
            report.as_json(told | {"pairs": [as_json(one) for one in held]})
        else:
            print(side_by_side(held), end="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited(Chosen):
    """Which golds are audited, and what of it is kept."""

    direction: Annotated[bool, DIRECTION] = False
    output: Annotated[str | None, FINDINGS] = None


@benchmark.command("audit")
@takes(Audited)
def audit(context: typer.Context, options: Audited) -> None:
    """Look for golds that cannot be trusted, each finding with two queries that show it.

    It never changes a verdict. Ends with 0 whatever it finds.
    """
    with one_line():
        from benchmark.console import findings_text
        from benchmark.summary import audit_facts, write_json
        from benchmark.work import audit_asked
        from flows.cli import report

        with TemporaryDirectory() as scratch, _wanted(options) as wanted:
            findings = audit_asked(_asked(options, Path(scratch)), wanted)
        if options.output:
            listed = {"findings": [one.as_json() for one in findings]}
            write_json(Path(options.output), audit_facts(findings) | listed)
        if options.json:
            report.as_json({"command": "benchmark audit", **audit_facts(findings)})
        else:
            print(findings_text(findings), end="")


def _found(options: Evaluated, *, details: bool) -> "Found":
    from benchmark.work import evaluate_asked

    with TemporaryDirectory() as scratch, _wanted(options, details=details) as wanted:
        return evaluate_asked(_asked(options, Path(scratch)), wanted)


@contextmanager
def _wanted(options: Chosen, *, details: bool = False) -> "Iterator[Wanted]":
    """What to do, and a bar for it."""
    from benchmark.work import Wanted
    from flows.progress import counted
    from pairset.config import cores

    names = ("results", "audit", "timings")
    more = {name: getattr(options, name) for name in names if hasattr(options, name)}
    with counted("queries") as tell:
        yield Wanted(
            task_ids=options.task_ids,
            details=details,
            directions=getattr(options, "direction", False),
            timeout=options.timeout,
            workers=options.workers or cores(),
            tell=tell,
            note=lambda line: print(f"pairset: {line}", file=sys.stderr),
            **more,
        )


def _asked(options: Chosen, scratch: Path) -> "Asked":
    from benchmark.loading import Asked

    more: dict[str, Any] = {}
    if isinstance(options, Evaluated):
        more = {
            "trees": tuple(options.tree),
            "runs": tuple(map(Path, options.run)),
            "predictions": tuple(map(Path, options.predictions)),
            "namespace": options.namespace,
            "run_id": options.run_id,
        }
    return Asked(
        benchmark=options.benchmark,
        definition=_path(options.definition),
        root=_path(options.root),
        databases=_path(options.databases),
        scratch=scratch,
        **more,
    )


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def _say(found: "Found", options: Evaluated, seconds: float) -> None:
    from benchmark.summary import append, facts, texts
    from flows.cli import report

    if options.summary_report_file:
        append(Path(options.summary_report_file), texts(found))
    if options.json:
        told: dict[str, Any] = {"command": "benchmark eval", **facts(found)}
        report.as_json(told | {"seconds": round(seconds, 2)})
    else:
        print(texts(found), end="")
