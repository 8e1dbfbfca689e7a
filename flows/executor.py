"""The executors that a build asks: those its config names, and one of its own while it works."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint, load_endpoints, save_endpoints
from flows.request import logs
from pairset.build import Build
from pairset.files import write_atomically
from pairset.trees import tree_specs


@contextmanager
def executors(build: Build, more: Sequence[str] = ()) -> Iterator[tuple[Endpoint, ...]]:
    """The endpoints to ask, for as long as they are needed.

    Our own executor serves what no endpoint of the config does, on a free loopback port. Its log
    and the list of all endpoints go to the build's logs. ``more`` are trees to serve besides.
    """
    named = build.config.executor.endpoints
    specs = [*tree_specs(build.config, build.root), *more]
    folder, workers = logs(build), build.config.executor.workers
    cache, mib = build.config.executor.cache, build.config.executor.cache_mib
    log = folder / "executor.log"
    with Embedded(specs, workers=workers, log=log, cache=cache, cache_mib=mib) as embedded:
        trees = sorted({spec.partition("=")[0].partition(":")[0] for spec in specs})
        endpoints = (
            *(load_endpoints(named) if named is not None else ()),
            *(Endpoint(embedded.url, tree) for tree in trees),
        )
        write_atomically(
            folder / "endpoints.json", lambda partial: save_endpoints(partial, endpoints)
        )
        yield endpoints
