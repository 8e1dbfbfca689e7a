"""Builds that several tests look at."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pairset.build import Build
from tests.provenance.small import made, write_config, write_corpus
from tests.shared_data import shared

FINER = """
[[corpora]]
name = "finer"
layout = "finer"
path = "{corpora}/finer_sample/dataset"
split = "dev"
databases = "{corpora}/spider/database"
allow_evaluation_data = true

[generators.mutants]
enabled = false

[output]
data = "data"
"""


@pytest.fixture(scope="session")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    """The build of our own small corpus; look, do not change."""
    folder = tmp_path_factory.mktemp("harbour")
    write_corpus(folder)
    with made(write_config(folder), folder / "data" / "main") as build:
        yield build


@pytest.fixture(scope="session")
def finer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    """The build of the sample in the FINER layout, without mutants; look, do not change."""
    corpora = shared("corpora", "finer_sample").parent
    folder = tmp_path_factory.mktemp("finer")
    config = folder / "config.toml"
    config.write_text(FINER.format(corpora=corpora))
    with made(config, folder / "data" / "main") as build:
        yield build


def data_of(build: Build) -> Path:
    """The folder that ``--data`` names for that build."""
    return build.root.parent
