"""The examples in the docstrings hold."""

import doctest
import importlib
import pkgutil
import re

import pytest

import benchmark
from tests.shared_data import ROOT

MODULES = sorted(one.name for one in pkgutil.walk_packages(benchmark.__path__, "benchmark."))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_rule_names_a_test_that_is_there() -> None:
    page = (ROOT / "benchmark" / "README.md").read_text().partition("## Rules")[2]
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    named = [name for name in re.findall(r"`(test_\w+)`", page) if name != "test_suite"]
    assert len(named) > 15
    assert [name for name in named if f"def {name}(" not in tests] == []


def test_there_are_examples() -> None:
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES) > 10
