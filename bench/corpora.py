"""The real training corpus, for benches: Spider and BIRD, laid out as they are released."""

from dataclasses import replace
from pathlib import Path

from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from pairset.build import Build
from pairset.config import load_config
from pairset.stages.samples import SamplesStage
from pairset.stages.schemas import SchemasStage
from pairset.trees import ORIGINAL, SCHEMA, tree_specs
from pairset.work import make

_CONFIG = """
[[corpora]]
name = "spider"
layout = "spider"
path = "{spider}"
on_missing = "skip"

[[corpora]]
name = "bird"
layout = "bird"
path = "{bird}"
schemas = "{bird}/train_ddl.json"
on_missing = "skip"
"""


def training_build(corpora: Path, folder: Path, *, more: str = "") -> Build:
    """A build of both corpora under ``folder``, with nothing made yet; ``more`` is more config."""
    config = folder / "config.toml"
    paths = {"spider": corpora.resolve() / "spider", "bird": corpora.resolve() / "bird" / "train"}
    config.write_text(_CONFIG.format(**paths) + more)
    return Build(load_config(config, {}), folder / "build")


def schemas_made(build: Build) -> None:
    """Make the samples and the schemas, by an executor that is gone afterwards."""
    samples, schemas = SamplesStage(), SchemasStage()
    make(samples, build, samples.units(build))
    specs = tree_specs(build.config, build.root)
    with Embedded(specs, workers=1, log=build.root / "executor.log") as service:
        endpoints = tuple(Endpoint(service.url, tree) for tree in (ORIGINAL, SCHEMA))
        asking = replace(build, endpoints=endpoints)
        make(schemas, asking, schemas.units(asking))
