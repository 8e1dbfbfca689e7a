"""The examples in the docstrings hold."""

import doctest
import importlib
import re

import pytest

from tests.shared_data import ROOT

PACKAGES = (
    "benchmark",
    "db_execution",
    "flows",
    "investigation",
    "mutants",
    "pairset",
    "provenance",
    "review",
    "sqltext",
)
EXAMPLE = re.compile(r"^\s*>>> ", re.MULTILINE)
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if EXAMPLE.search(path.read_text())
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name.removesuffix(".__init__")))
    assert found.attempted > 0
    assert found.failed == 0


def test_examples_are_found_in_every_layer() -> None:
    assert {name.partition(".")[0] for name in MODULES} >= {"benchmark", "db_execution", "pairset"}
