"""``pairset benchmark``: how good is the SQL that an agent wrote."""

import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.options import JSON, WORKERS, takes
from flows.cli.outcome import WRONG, one_line

if TYPE_CHECKING:  # a help text needs none of these
    from collections.abc import Iterator

    from benchmark.asking import Asker
    from benchmark.audit import Finding
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


@benchmark.command("eval")
@takes(Evaluated)
def evaluate(context: typer.Context, options: Evaluated) -> None:
    """Evaluate runs or predictions against a benchmark's golds.

    Ends with 0 if all was evaluated, with 1 if a run passes less than --threshold.
    """
    with one_line():
        from benchmark.summary import below, write_reports

        began = time.monotonic()
        found, findings = _evaluated(options, bool(options.output))
        seconds = time.monotonic() - began
        if options.output:
            write_reports(found, Path(options.output), seconds, findings)
        _say(found, findings, options, seconds)
    if below(found, options.threshold):
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
        from itertools import combinations

        from benchmark.console import side_by_side
        from benchmark.errors import BenchmarkError
        from benchmark.versus import as_json, ranked, versus
        from flows.cli import report

        found, _ = _evaluated(options, details=False)
        if len(found) < 2:
            raise BenchmarkError("one system is not two: name another (--predictions or --run)")
        held = [
            versus(one, other, options.reading) for one, other in combinations(ranked(found), 2)
        ]
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
        from flows.cli import report

        findings = _findings(options)
        told = {"command": "benchmark audit", **audit_facts(findings)}
        if options.output:
            listed = {"findings": [one.as_json() for one in findings]}
            write_json(Path(options.output), audit_facts(findings) | listed)
        if options.json:
            report.as_json(told)
        else:
            print(findings_text(findings), end="")


def _findings(options: Audited) -> "list[Finding]":
    from benchmark.audit import audited
    from benchmark.errors import BenchmarkError
    from benchmark.loading import Asked, load_definition, load_trees
    from benchmark.tasks import read_tasks

    with TemporaryDirectory() as scratch:
        asked = Asked(**_named(options), scratch=Path(scratch))
        definition = load_definition(asked)
        folders = load_trees(asked, definition)
        if not folders:
            raise BenchmarkError("there are no databases to run golds on: name them (--databases)")
        tasks = read_tasks(definition).only(options.task_ids)
        with _asker(options, folders) as asker:
            return audited(tasks.tasks, asker, directions=options.direction)


@contextmanager
def _asker(options: Chosen, folders: dict[str, Path]) -> "Iterator[Asker]":
    from benchmark.asking import Terms, asking, timed
    from flows.progress import counted
    from pairset.config import cores

    terms, workers = timed(Terms(), options.timeout), options.workers or cores()
    with counted("queries") as tell, asking(folders, terms, workers=workers, tell=tell) as asker:
        yield asker


def _evaluated(
    options: Evaluated, details: bool
) -> "tuple[list[Evaluation], list[Finding] | None]":
    from benchmark.audit import audited
    from benchmark.evaluate import evaluate as evaluation
    from benchmark.loading import load_definition, load_runs, load_trees
    from benchmark.tasks import read_tasks

    with TemporaryDirectory() as scratch, ExitStack() as ends:
        asked = _asked(options, Path(scratch))
        definition = load_definition(asked)
        folders = load_trees(asked, definition)
        settings = _settings(options, folders, details)
        asker = ends.enter_context(_asker(options, folders)) if folders else None
        tasks = read_tasks(definition)
        runs = load_runs(asked, tasks)
        for note in dict.fromkeys([*tasks.notes, *(note for run in runs for note in run.notes)]):
            print(f"pairset: {note}", file=sys.stderr)
        chosen = tasks.only(options.task_ids)
        found = evaluation(chosen, runs, asker, settings)
        return found, audited(chosen.tasks, asker) if options.audit and asker else None


def _settings(options: Evaluated, folders: dict[str, Path], details: bool) -> "Settings":

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
    return Settings(executed=results == "executed", trees=trees, details=details)


def _named(options: Chosen) -> dict[str, Any]:
    return {
        "benchmark": options.benchmark,
        "definition": _path(options.definition),
        "root": _path(options.root),
        "databases": _path(options.databases),
    }


def _asked(options: Evaluated, scratch: Path) -> "Asked":
    from benchmark.loading import Asked

    return Asked(
        **_named(options),
        trees=tuple(options.tree),
        runs=tuple(map(Path, options.run)),
        predictions=tuple(map(Path, options.predictions)),
        namespace=options.namespace,
        run_id=options.run_id,
        scratch=scratch,
    )


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def _say(
    found: "list[Evaluation]",
    findings: "list[Finding] | None",
    options: Evaluated,
    seconds: float,
) -> None:
    from benchmark.console import summary
    from benchmark.summary import append, facts, without
    from flows.cli import report

    scores = [None if findings is None else without(one, findings) for one in found]
    texts = [summary(one, score) for one, score in zip(found, scores, strict=True)]
    if options.summary_report_file:
        append(Path(options.summary_report_file), "\n".join(texts))
    if options.json:
        told: dict[str, Any] = {"command": "benchmark eval", **facts(found, findings)}
        report.as_json(told | {"seconds": round(seconds, 2)})
    else:
        print("\n".join(texts), end="")
