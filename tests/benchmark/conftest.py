"""A small database to ask, started once for all tests of this package."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmark.asking import Asker, asking
from db_execution.writer import write_database
from tests.benchmark.judging import OTHER, SHOP


@pytest.fixture(scope="session")
def trees(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two trees: what is chance on the first is told apart on the second."""
    root = tmp_path_factory.mktemp("trees")
    for name, script in (("original", SHOP), ("other", OTHER)):
        write_database(root / name / "shop" / "shop.sqlite", script)
    return {name: root / name for name in ("original", "other")}


@pytest.fixture(scope="session")
def asker(trees: dict[str, Path]) -> Iterator[Asker]:
    """Someone to ask."""
    with asking(trees) as found:
        yield found
