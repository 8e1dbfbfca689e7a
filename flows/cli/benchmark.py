"""``pairset benchmark``: how good is the SQL that an agent wrote."""

import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.options import JSON, WORKERS, takes
from flows.cli.outcome import WRONG, one_line

if TYPE_CHECKING:  # a help text needs none of these
    from benchmark.evaluate import Settings
    from benchmark.loading import Asked
    from benchmark.outcome import Evaluation

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
RUN_ID = typer.Option(metavar="NAME", help="Of a home of runs. (default: the latest)")
TASK_IDS = typer.Option(metavar="IDS", help="Only these tasks: ids with blanks or commas between.")
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


@benchmark.command("eval")
@takes(Evaluated)
def evaluate(context: typer.Context, options: Evaluated) -> None:
    """Evaluate runs or predictions against a benchmark's golds.

    Ends with 0 if all was evaluated, with 1 if a run passes less than --threshold.
    """
    with one_line():
        from benchmark.summary import below, write_reports

        began = time.monotonic()
        with TemporaryDirectory() as scratch:
            found = _evaluations(options, Path(scratch))
        seconds = time.monotonic() - began
        if options.output:
            write_reports(found, Path(options.output), seconds)
        _say(found, options, seconds)
    if below(found, options.threshold):
        raise typer.Exit(WRONG)


def _evaluations(options: Evaluated, scratch: Path) -> "list[Evaluation]":
    from benchmark.asking import Terms, asking, timed
    from benchmark.evaluate import evaluate as evaluated
    from benchmark.loading import load_definition, load_runs, load_trees
    from benchmark.tasks import read_tasks
    from flows.progress import counted
    from pairset.config import cores

    asked = _asked(options, scratch)
    definition = load_definition(asked)
    folders = load_trees(asked, definition)
    settings = _settings(options, folders)
    terms, workers = timed(Terms(), options.timeout), options.workers or cores()
    with ExitStack() as ends:
        tell = ends.enter_context(counted("queries"))
        asker = None
        if folders:
            asker = ends.enter_context(asking(folders, terms, workers=workers, tell=tell))
        tasks = read_tasks(definition)
        runs = load_runs(asked, tasks)
        for note in dict.fromkeys([*tasks.notes, *(note for run in runs for note in run.notes)]):
            print(f"pairset: {note}", file=sys.stderr)
        return evaluated(tasks.only(options.task_ids), runs, asker, settings)


def _settings(options: Evaluated, folders: dict[str, Path]) -> "Settings":
    from benchmark.errors import BenchmarkError
    from benchmark.evaluate import Settings

    results = options.results or ("executed" if folders else "given")
    if results not in ("executed", "given"):
        raise BenchmarkError(f"--results: {results!r}; it may be executed or given")
    if results == "executed" and not folders:
        raise BenchmarkError("there are no databases to execute on: name them (--databases)")
    trees = tuple(name for name in folders if name != "original")
    if trees and results == "given":
        raise BenchmarkError("a result that is given holds on one database alone: leave --tree out")
    return Settings(executed=results == "executed", trees=trees, details=bool(options.output))


def _asked(options: Evaluated, scratch: Path) -> "Asked":
    from benchmark.loading import Asked

    return Asked(
        benchmark=options.benchmark,
        definition=_path(options.definition),
        root=_path(options.root),
        databases=_path(options.databases),
        trees=tuple(options.tree),
        runs=tuple(map(Path, options.run)),
        predictions=tuple(map(Path, options.predictions)),
        namespace=options.namespace,
        run_id=options.run_id,
        scratch=scratch,
    )


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def _say(found: "list[Evaluation]", options: Evaluated, seconds: float) -> None:
    from benchmark.console import summary
    from benchmark.summary import append, facts
    from flows.cli import report

    texts = [summary(one) for one in found]
    if options.summary_report_file:
        append(Path(options.summary_report_file), "\n".join(texts))
    if options.json:
        told: dict[str, Any] = {"command": "benchmark eval", **facts(found)}
        report.as_json(told | {"seconds": round(seconds, 2)})
    else:
        print("\n".join(texts), end="")
