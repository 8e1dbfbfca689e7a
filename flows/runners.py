"""Who makes the groups of a stage under Prefect: the task runner that the config names.

In threads, a group asks our own worker processes for one piece after the other. The other runners
make a group where it lands: in a process of Prefect's, or on a worker of a Dask or Ray cluster.
"""

import importlib
import importlib.util
import ipaddress
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from db_execution.endpoints import load_endpoints
from flows.errors import NoPrefect, NoRunner
from flows.jobs import GROUPS, Job
from flows.pool import leash
from flows.prefect_home import has_server
from pairset.build import Build
from pairset.config import Config

Opened = AbstractContextManager[Any]


def threads(config: Config) -> Opened:
    """Threads of the run, which ask its worker processes."""
    from prefect.task_runners import ThreadPoolTaskRunner

    return ThreadPoolTaskRunner(max_workers=GROUPS)


@contextmanager
def processes(config: Config) -> Iterator[Any]:
    """Processes of Prefect's, which end when the run does, however it ends."""
    from prefect.task_runners import ProcessPoolTaskRunner

    with (
        leash() as (be_led, held, ours),
        ProcessPoolTaskRunner(config.workers, initializer=be_led, initargs=(held,)) as runner,
    ):
        try:
            yield runner
        except BaseException:
            ours.close()  # nobody waits for a piece that nobody wants
            raise


def dask(config: Config) -> Opened:
    """The Dask cluster that the config names, or one of our own on this machine."""
    local: dict[str, Any] = {"n_workers": config.workers, "threads_per_worker": 1}
    local |= {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": "CRITICAL"}
    opened = _on_cluster(config, {"cluster_kwargs": local})
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what went wrong is said by us
    return opened


def ray(config: Config) -> Opened:
    """The Ray cluster that the config names, or one of our own on this machine."""
    local = {"num_cpus": config.workers, "include_dashboard": False, "logging_level": "ERROR"}
    return _on_cluster(config, {"init_kwargs": local})


def _on_cluster(config: Config, local: dict[str, Any]) -> Opened:
    package, name = ON_CLUSTERS[config.executor.runner]
    runner: Callable[..., Opened] = getattr(importlib.import_module(package), name)
    address = config.executor.cluster
    return runner(**local) if address is None else runner(address=address)


RUNNERS: dict[str, Callable[[Config], Opened]] = {
    "threads": threads,
    "processes": processes,
    "dask": dask,
    "ray": ray,
}
ON_CLUSTERS = {"dask": ("prefect_dask", "DaskTaskRunner"), "ray": ("prefect_ray", "RayTaskRunner")}


class Tasks:
    """Runs the groups of any number of jobs as Prefect's tasks, on one runner for all of them."""

    def __init__(self, config: Config, opened: ExitStack) -> None:
        self._config = config
        self._opened = opened
        self._runner: Any = None

    def __call__(self, job: Job) -> None:
        """Run the groups; returns when all have ended."""
        from flows import tasks  # imports Prefect

        if self._runner is None:
            self._runner = self._opened.enter_context(RUNNERS[self.name](self._config))
        do = tasks.in_threads if self.name == "threads" else tasks.elsewhere
        do(job, self._runner)

    @property
    def name(self) -> str:
        """The runner's name in the config."""
        return self._config.executor.runner


_AT_HAND: ContextVar[Tasks] = ContextVar("_AT_HAND")


@contextmanager
def tasks_of(build: Build) -> Iterator[Tasks]:
    """The tasks of the run that is at work, else new ones: a chain needs one cluster, not six."""
    at_hand = _AT_HAND.get(None)
    if at_hand is not None:
        yield at_hand
        return
    with ExitStack() as opened:  # ends the runner, and the cluster if it is ours
        tasks = Tasks(build.config, opened)
        mark = _AT_HAND.set(tasks)
        try:
            yield tasks
        finally:
            _AT_HAND.reset(mark)


def demand_runner(config: Config) -> None:
    """Raise `NoRunner`, before anything is made, where the runner cannot do what it has to."""
    name, cluster = config.executor.runner, config.executor.cluster
    if name in ON_CLUSTERS:
        _demand_package(name)
    elif cluster is not None:
        raise NoRunner(
            f"executor.cluster is set to {cluster!r}, but executor.runner is {name!r}; it may be "
            "'dask' or 'ray'"
        )
    if cluster is not None and not is_here(cluster):
        _demand_reach(config, cluster)


def reachable(build: Build) -> Build:
    """The build as a cluster's workers may ask its executors: those on our loopback are ours only.

    A database that no other one serves is then refused by name when a worker wants it.
    """
    cluster = build.config.executor.cluster
    if cluster is None or is_here(cluster):
        return build
    return replace(build, endpoints=tuple(one for one in build.endpoints if not is_here(one.url)))


def is_here(address: str) -> bool:
    """Whether an address is this machine's own.

    >>> is_here("tcp://127.0.0.1:8786"), is_here("tcp://10.0.0.5:8786")
    (True, False)
    """
    host = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _demand_reach(config: Config, cluster: str) -> None:
    """What another machine needs: executors and a Prefect server that it can reach."""
    named = config.executor.endpoints
    if named is None:
        raise NoRunner(
            f"the cluster at {cluster} cannot reach an executor of this machine; name executors "
            "that it can reach in executor.endpoints"
        )
    if here := [one.url for one in load_endpoints(named) if is_here(one.url)]:
        raise NoRunner(
            f"the cluster at {cluster} cannot reach {here[0]}, which {named} names; name an "
            "address of that machine as others see it"
        )
    if not has_server(os.environ) or is_here(os.environ.get("PREFECT_API_URL", "")):
        raise NoPrefect(
            f"the cluster at {cluster} needs a Prefect server that it can reach; start one with "
            "prefect server start --host ADDRESS, and set PREFECT_API_URL"
        )


def has_package(name: str) -> bool:
    """Whether it is installed. Looked for, not imported: Prefect's surroundings come first."""
    return importlib.util.find_spec(name) is not None


def _demand_package(name: str) -> None:
    package, _ = ON_CLUSTERS[name]
    if not has_package(package):
        raise NoRunner(
            f"executor.runner is {name!r}, which needs a package that is not installed: "
            f"pip install {package.replace('_', '-')}"
        )
