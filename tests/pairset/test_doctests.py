"""The examples in docstrings say what the code does."""

import doctest
import importlib

import pytest

NAMES = (
    "scores.constraints", "scores.duels", "scores.scored", "scores.views", "fuzz.checks",
    "fuzz.values",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_hold(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"pairset.{name}"))
    assert found.failed == 0
    assert found.attempted > 0
