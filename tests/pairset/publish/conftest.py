"""A double of the Hub for a test, a build for the session, and no network beyond loopback."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import huggingface_hub.utils._http as http
import pytest
from huggingface_hub import constants

from pairset.build import Build
from pairset.config import Publication
from pairset.publish import Bundle, Preparing, prepare_build
from pairset.publish.hub import Hub
from tests.pairset.publish.builds import REPO, built
from tests.pairset.publish.double import WRITER, Door, Double, door

HELD = 60_000
TERMS = Publication(license="cc-by-sa-4.0")


# The Hub's library says of its own upload to a store of files that it calls httpx2 in an old way.
LIBRARY = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")


class Waited:
    """Stands for the module ``time`` in the library: what it waits is noted and not waited."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> Waited:
    """What anybody waited."""
    found = Waited()
    monkeypatch.setattr(http, "time", found)
    return found


@pytest.fixture(scope="session")
def the_door() -> Iterator[Door]:
    """One server for all tests, since it takes a while to start and to end."""
    with door() as found:
        yield found


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch, waited: Waited, the_door: Door) -> Iterator[Double]:
    """A double with nothing in it, spoken to without Xet."""
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    found = the_door.opened()
    yield found
    assert found.exposed == [], "data could be seen that is not gated"


def asking(double: Double, waited: Waited, token: str = WRITER, repo: str = REPO) -> Hub:
    """A client with that token."""
    return Hub(repo, endpoint=double.url, token=token, sleep=waited.sleep)


@pytest.fixture
def client(double: Double, waited: Waited) -> Hub:
    """The client of who may write."""
    return asking(double, waited)


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Build, Bundle]:
    """A build and what is published of it; look, do not change."""
    root = tmp_path_factory.mktemp("published")
    build = built(root / "main")
    return build, prepare_build(build, Preparing(root / "out", HELD))


@pytest.fixture
def bundle(once: tuple[Build, Bundle]) -> Bundle:
    """What is published of the build."""
    return once[1]


@pytest.fixture
def build(once: tuple[Build, Bundle], tmp_path: Path) -> Any:
    """A copy of the build, to change."""
    root = tmp_path / "main"
    shutil.copytree(once[0].root, root)
    return Build(once[0].config, root)
