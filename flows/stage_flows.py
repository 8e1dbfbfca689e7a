"""The Prefect flows: one a stage, and one for the chain. Each says what to make, no more.

Prefect's own tools start them as well as the command line does. What crosses Prefect is a path,
a count or a digest, never a row.
"""

from collections.abc import Callable
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.futures import wait
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from flows.engine import at_work, stopping
from flows.jobs import GROUPS, Job
from flows.planning import MANIFEST
from flows.request import Request
from flows.scoring import asked_trees, score_trees

_RUNNER: TaskRunner[Any] = ThreadPoolTaskRunner(max_workers=GROUPS)


@flow(task_runner=_RUNNER)
def samples(config: str | None = None, data: str | None = None, workers: int | None = None) -> int:
    """Read the corpora into samples."""
    return _make("samples", Request(config, data, workers))


@flow(task_runner=_RUNNER)
def schemas(config: str | None = None, data: str | None = None, workers: int | None = None) -> int:
    """Read every database's tables and keys, through the executor."""
    return _make("schemas", Request(config, data, workers))


@flow(task_runner=_RUNNER)
def golds(config: str | None = None, data: str | None = None, workers: int | None = None) -> int:
    """Parse every gold, and note what is true of it."""
    return _make("golds", Request(config, data, workers))


@flow(task_runner=_RUNNER)
def pairs(config: str | None = None, data: str | None = None, workers: int | None = None) -> int:
    """Put a neighbour beside every gold: its references, and its mutants."""
    return _make("pairs", Request(config, data, workers))


@flow(task_runner=_RUNNER)
def audit(config: str | None = None, data: str | None = None, workers: int | None = None) -> int:
    """Mark the references that answer another question."""
    return _make("audit", Request(config, data, workers))


@flow(task_runner=_RUNNER)
def runs(config: str | None = None, data: str | None = None, workers: int | None = None) -> int:
    """Run every query once, through the executor."""
    return _make("runs", Request(config, data, workers))


@flow(task_runner=_RUNNER)
def labels(config: str | None = None, data: str | None = None, workers: int | None = None) -> int:
    """Label every pair by what its two queries gave."""
    return _make("labels", Request(config, data, workers))


@flow(task_runner=_RUNNER)
def references(
    config: str | None = None, data: str | None = None, workers: int | None = None
) -> int:
    """Sort every reference: kept, taken to its owner, or removed."""
    return _make("references", Request(config, data, workers))


@flow(task_runner=_RUNNER)
def tied(config: str | None = None, data: str | None = None, workers: int | None = None) -> int:
    """Fix the tied set: the pairs that trees are scored on."""
    return _make("tied", Request(config, data, workers))


@flow(task_runner=_RUNNER)
def scores(
    config: str | None = None,
    data: str | None = None,
    workers: int | None = None,
    trees: tuple[str, ...] = (),
    lost: bool = True,
) -> int:
    """Score trees of databases, given as NAME=DIR, on the tied set."""
    request = Request(config, data, workers)
    with at_work(request) as engine:
        score_trees(engine, asked_trees(engine.build, trees), by_tasks, lost=lost)
        return engine.made


@flow
def manifest(config: str | None = None, data: str | None = None, workers: int | None = None) -> int:
    """Write the manifest of what is made."""
    return _make(MANIFEST, Request(config, data, workers))


@flow
def run(config: str | None = None, data: str | None = None, workers: int | None = None) -> int:
    """The whole chain: every stage in order, then the manifest."""
    with at_work(Request(config, data, workers)) as engine:
        for name in (*(stage.name for stage in engine.parts.stages), MANIFEST):
            FLOWS[name](config, data, workers)
        return engine.made


FLOWS: dict[str, Callable[..., Any]] = {
    one.name: one
    for one in (
        samples, schemas, golds, pairs, audit, runs, labels, references, tied, scores, manifest,
        run,
    )
}  # fmt: skip


def _make(name: str, request: Request) -> int:
    """Make what is named; how many pieces have been made so far."""
    with at_work(request) as engine:
        return engine.make(name, by_tasks)


def by_tasks(job: Job) -> None:
    """Run the groups as Prefect's tasks."""

    @task(name=f"make {job.stage.name}", task_run_name="group {group}", cache_policy=NO_CACHE)
    def make_group(group: int, pieces: list[str]) -> str:
        return job.do(group)

    with stopping(job):
        wait(
            [
                make_group.submit(group, [f"{unit.dataset}/{unit.db_id}" for unit in units])
                for group, units in enumerate(job.groups)
            ]
        )
