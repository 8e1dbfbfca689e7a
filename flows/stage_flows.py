"""The Prefect flows: one a stage, and one for the chain. Each says what to make, no more.

Prefect's own tools start them as well as the command line does. What crosses Prefect is a path,
a count or a digest, never a row.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from prefect import Flow, flow
from pydantic import AfterValidator, Field

from flows.artifacts import show
from flows.engine import Engine, at_work
from flows.planning import MANIFEST
from flows.request import Request
from flows.retrying import outages_retried
from flows.runners import Tasks, demand_runner, tasks_of
from flows.scoring import asked_trees, report_trees, score_trees
from pairset.config import MAX_WORKERS


def _is_there(path: str) -> str:
    if not Path(path).is_file():
        raise ValueError(f"no config file {path!r}")
    return path


ConfigFile = Annotated[str, AfterValidator(_is_there)]
Workers = Annotated[int, Field(strict=True, ge=1, le=MAX_WORKERS)]
PARAMETERS = f"""

Args:
    config: The build's config, a TOML file. Without one: the sample corpus.
    data: Where the tables go, as a folder; else where the config says.
    workers: Processes, from 1 to {MAX_WORKERS}; else what the config says.
"""

FLOWS: dict[str, Flow[..., int]] = {}


def _flow(name: str, about: str) -> Flow[..., int]:
    """The flow of that name, which takes a config, a folder and a number of workers."""

    def make(
        config: ConfigFile | None = None, data: str | None = None, workers: Workers | None = None
    ) -> int:
        return _make(name, Request(config, data, workers))

    make.__name__ = make.__qualname__ = name  # by which Prefect finds it in this module
    make.__doc__ = about + PARAMETERS  # of which Prefect's page makes a form
    FLOWS[name] = flow(description=about)(make)
    return FLOWS[name]


samples = _flow("samples", "Read the corpora into samples.")
schemas = _flow("schemas", "Read every database's tables and keys, through the executor.")
golds = _flow("golds", "Parse every gold, and note what is true of it.")
pairs = _flow("pairs", "Put a neighbour beside every gold: its references, and its mutants.")
audit = _flow("audit", "Mark the references that answer another question.")
runs = _flow("runs", "Run every query once, through the executor.")
labels = _flow("labels", "Label every pair by what its two queries gave.")
references = _flow("references", "Sort every reference: kept, taken to its owner, or removed.")
tied = _flow("tied", "Fix the tied set: the pairs that trees are scored on.")


@flow
def scores(
    config: ConfigFile | None = None,
    data: str | None = None,
    workers: Workers | None = None,
    trees: tuple[str, ...] = (),
    lost: bool = True,
) -> int:
    """Score trees of databases, given as NAME=DIR, on the tied set, and write the report."""
    with _at_work(Request(config, data, workers)) as (engine, tasks):
        asked = asked_trees(engine.build, trees)
        score_trees(engine, asked, tasks, lost=lost)
        report_trees(engine, asked, lost=lost)
        return engine.made


FLOWS[scores.name] = scores
manifest = _flow("manifest", "Write the manifest of what is made.")
run = _flow("run", "The whole chain: every stage in order, then the manifest.")


@contextmanager
def _at_work(request: Request) -> Iterator[tuple[Engine, Tasks]]:
    """The build at work, and the runner that its tasks go to."""
    build = request.build()
    demand_runner(build.config)
    with (
        outages_retried(build.config.schedule),
        at_work(request, build=build) as engine,
        tasks_of(build) as tasks,
    ):
        yield engine, tasks


def _make(name: str, request: Request) -> int:
    """Make what is named; how many pieces have been made so far."""
    with _at_work(request) as (engine, tasks):
        if name != run.name:
            engine.make(name, tasks)
        else:
            for part in (*(stage.name for stage in engine.parts.stages), MANIFEST):
                _run_part(part, request)
        show(name, engine)
        return engine.made


def _run_part(name: str, request: Request) -> Any:
    """Run a stage as a flow within the chain's."""
    return FLOWS[name](request.config, request.data, request.workers)
