"""The sample corpus built once for all tests that look at a finished build."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import polars as pl

from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from flows.parts import of_pairset
from pairset.build import Build
from pairset.config import load_config
from pairset.manifest import write_manifest
from pairset.trees import tree_specs
from pairset.work import make


@contextmanager
def built(root: Path, config: Path | None = None) -> Iterator[Build]:
    """A finished build under ``root``, with its executor still there to ask."""
    build = Build(load_config(config, {}), root)
    first, *others = of_pairset().stages
    make(first, build, first.units(build))
    with Embedded(tree_specs(build.config, root), workers=2, log=root / "log") as service:
        trees = ("original", "schema")
        asking = replace(build, endpoints=tuple(Endpoint(service.url, tree) for tree in trees))
        for stage in others:
            make(stage, asking, stage.units(asking))
        write_manifest(asking)
        yield asking


def frame(build: Build, table: str) -> pl.DataFrame:
    """All rows of a table."""
    shards = (pl.DataFrame(build.store.read(*place)) for place in build.store.places(table))
    return pl.concat(list(shards))
