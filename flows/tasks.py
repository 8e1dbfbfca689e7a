"""A job's groups as Prefect's tasks: in threads of ours, or wherever the runner takes them."""

from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from typing import Any

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.futures import PrefectFuture, as_completed

from flows.apart import Errand, run_errand
from flows.engine import stopping
from flows.errors import WorkerDied
from flows.jobs import Job
from flows.pool import deaf_to_interrupts
from flows.runners import reachable
from flows.ticket import Ticket
from pairset.build import Unit

KILLED = ("KilledWorker", "WorkerCrashedError", "CrashedRun")
"""What Dask, Ray and Prefect call a worker that is gone, by name: not all of them are installed."""


def in_threads(job: Job, runner: Any) -> None:
    """Run the groups in threads; each asks a worker process of ours for its pieces."""

    @task(name=_name(job), task_run_name="group {group}", cache_policy=NO_CACHE)
    def make_group(group: int, pieces: list[str]) -> str:
        return job.do(group)

    with stopping(job):
        futures = [
            runner.submit(make_group, {"group": group, "pieces": _pieces(units)})
            for group, units in enumerate(job.groups)
        ]
        for future in futures:
            future.wait()


@task(task_run_name="group {group}", cache_policy=NO_CACHE)
def make_group_apart(group: int, pieces: list[str], errand: bytes) -> str:
    """Make a group where this is run; the digest of what was made."""
    return run_errand(errand, get_run_logger().warning)


def elsewhere(job: Job, runner: Any) -> None:
    """Run the groups where the runner takes them. After a failure the others stop soon."""
    ticket, build = Ticket.issue(job.build), reachable(job.build)
    make_group = make_group_apart.with_options(name=_name(job))
    try:
        futures: dict[PrefectFuture[Any], Sequence[Unit]] = {}
        for group, units in enumerate(job.groups):
            errand = Errand(job.stage, build, units, ticket, job.patience)
            given = {"group": group, "pieces": _pieces(units), "errand": errand.packed()}
            with deaf_to_interrupts():
                futures[runner.submit(make_group, given)] = units
        for future in as_completed(list(futures)):
            _note(job, future, futures[future], ticket)
    finally:
        ticket.withdraw()


def _note(job: Job, future: PrefectFuture[Any], units: Sequence[Unit], ticket: Ticket) -> None:
    """Count what a group made, or keep its failure and stop the others."""
    try:
        future.result()
    except Exception as error:
        ticket.withdraw()
        job.fail(_died(job) if _is_death(error) else error)
    else:
        for _ in units:
            job.advance()


def _is_death(error: Exception) -> bool:
    return isinstance(error, BrokenExecutor) or type(error).__name__ in KILLED


def _died(job: Job) -> WorkerDied:
    return WorkerDied(
        f"a worker was killed while it made {job.stage.name} (out of memory?); what was made is "
        "kept: run the same command again, on larger workers if need be"
    )


def _name(job: Job) -> str:
    return f"make {job.stage.name}"


def _pieces(units: Sequence[Unit]) -> list[str]:
    return [f"{unit.dataset}/{unit.db_id}" for unit in units]
