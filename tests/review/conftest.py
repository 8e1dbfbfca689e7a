"""A finished build of the sample to look at, with hostile texts among its pairs, and its page."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pairset.build import Build
from tests.pairset.sample_build import built
from tests.review.serve import Served, hostile, served


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    """The sample's build with an executor to ask; look, do not change."""
    with built(tmp_path_factory.mktemp("made") / "sample") as build:
        yield build


@pytest.fixture(scope="session")
def page(made: Build, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page over a copy of the build in which one pair's texts are hostile."""
    with served(hostile(made, tmp_path_factory.mktemp("hostile") / "sample")) as found:
        yield found


@pytest.fixture
def own(made: Build, tmp_path: Path) -> Iterator[Served]:
    """The page over a copy of its own, whose verdicts nobody else sees."""
    shutil.copytree(made.root, tmp_path / "sample")
    with served(Build(made.config, tmp_path / "sample", made.endpoints)) as found:
        yield found
