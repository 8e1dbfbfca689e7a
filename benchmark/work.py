"""A whole evaluation, and a whole audit: from what a person named to what is found."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmark.asking import ORIGINAL, Asker, Terms, asking, timed
from benchmark.audit import Finding, audited
from benchmark.errors import BenchmarkError
from benchmark.evaluate import Settings, evaluate
from benchmark.loading import Asked, load_definition, load_runs, load_trees
from benchmark.outcome import Evaluation
from benchmark.readings.r_ves import Ves, r_ves
from benchmark.run import Run
from benchmark.sides import gold_key
from benchmark.tasks import Tasks, read_tasks

RESULTS = ("executed", "given")


def _nobody(*_: object) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be done with what was named, and who hears of it.

    ``results`` is ``executed`` or ``given``; empty is the first, where there are databases.
    ``tell`` hears how many queries of how many are done, ``note`` a line at a time.
    """

    task_ids: Sequence[str] = ()
    results: str = ""
    details: bool = True
    audit: bool = False
    directions: bool = False
    timings: int = 0
    timeout: float = 30.0
    workers: int = 2
    tell: Callable[[int, int], None] = _nobody
    note: Callable[[str], None] = _nobody


@dataclass(frozen=True, slots=True)
class Found:
    """The evaluations in the order of their runs; no findings where none were asked for."""

    evaluations: list[Evaluation]
    findings: list[Finding] | None = None
    ves: Mapping[str, Ves] = field(default_factory=dict)


def evaluate_asked(asked: Asked, wanted: Wanted) -> Found:
    """Evaluate every run that was named; BenchmarkError where something cannot be done."""
    definition = load_definition(asked)
    folders = load_trees(asked, definition)
    settings = _settings(wanted, folders)
    with ExitStack() as ends:
        asker = ends.enter_context(_asker(wanted, folders)) if folders else None
        tasks = read_tasks(definition)
        runs = load_runs(asked, tasks)
        _tell_notes(wanted, tasks, runs)
        chosen = tasks.only(wanted.task_ids)
        if asker is None:
            _tell_unjudged(wanted, chosen)
        if not settings.executed:
            _tell_without_results(wanted, runs)
        found = evaluate(chosen, runs, asker, settings)
        findings = audited(chosen.tasks, asker) if wanted.audit and asker else None
        return Found(found, findings, _timings(found, asker, wanted))


def audit_asked(asked: Asked, wanted: Wanted) -> list[Finding]:
    """Audit the golds of the benchmark that was named."""
    definition = load_definition(asked)
    folders = load_trees(asked, definition)
    if not folders:
        raise BenchmarkError("there are no databases to run golds on: name them (--databases)")
    with _asker(wanted, {ORIGINAL: folders[ORIGINAL]}) as asker:
        tasks = read_tasks(definition)
        _tell_notes(wanted, tasks, ())
        chosen = tasks.only(wanted.task_ids)
        return audited(chosen.tasks, asker, directions=wanted.directions)


def _timings(found: Sequence[Evaluation], asker: Asker | None, wanted: Wanted) -> dict[str, Ves]:
    if not wanted.timings or asker is None:
        return {}
    return {one.run.name: r_ves(one, asker, wanted.timings) for one in found}


@contextmanager
def _asker(wanted: Wanted, folders: Mapping[str, Path]) -> Iterator[Asker]:
    terms = timed(Terms(), wanted.timeout)
    with asking(folders, terms, workers=wanted.workers, tell=wanted.tell) as asker:
        yield asker


def _tell_notes(wanted: Wanted, tasks: Tasks, runs: Sequence[Run]) -> None:
    notes = [*tasks.notes, *(note for run in runs for note in run.notes)]
    for note in dict.fromkeys(notes):
        wanted.note(note)


def _tell_unjudged(wanted: Wanted, tasks: Tasks) -> None:
    """Say how many golds have no answer for want of a database."""
    if unjudged := sum(gold_key(task, ORIGINAL) is not None for task in tasks.tasks):
        wanted.note(
            f"there are no databases, and {unjudged} of {len(tasks.tasks)} golds are SQL alone: "
            "nothing can be said of these tasks; name the databases (--databases)"
        )


def _tell_without_results(wanted: Wanted, runs: Sequence[Run]) -> None:
    """Say which runs left no result at all, as a file of predictions never does."""
    for run in runs:
        if run.attempts and not any(one.result is not None for one in run.attempts.values()):
            wanted.note(
                f"{run.name}: none of its {len(run.attempts)} attempts left a result, and their "
                "SQL is not run: with databases, --results executed runs it"
            )


def _settings(wanted: Wanted, folders: Mapping[str, Path]) -> Settings:
    results = wanted.results or RESULTS[not folders]
    if results not in RESULTS:
        raise BenchmarkError(f"--results: {results!r}; it may be executed or given")
    if results == "executed" and not folders:
        raise BenchmarkError("there are no databases to execute on: name them (--databases)")
    trees = tuple(name for name in folders if name != ORIGINAL)
    if trees and results == "given":
        raise BenchmarkError("a result that is given holds on one database alone: leave --tree out")
    if wanted.audit and not folders:
        raise BenchmarkError("an audit runs the golds: name the databases (--databases)")
    return Settings(executed=results == "executed", trees=trees, details=wanted.details)
