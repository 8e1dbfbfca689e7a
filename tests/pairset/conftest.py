"""One finished build of the sample for the whole session."""

from collections.abc import Iterator

import pytest

from pairset.build import Build
from tests.pairset.sample_build import built


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    """The sample's build; look, do not change."""
    with built(tmp_path_factory.mktemp("sample") / "sample") as build:
        yield build
