"""The grammar holds every operator there is, each under a code of the catalogue."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import mutants.operators
from mutants.grammar import DEFAULT, GRAMMAR
from mutants.operator import Operator
from mutants.weights import WEIGHTS

_CODES = {
    "SC": "SEL JOI SUB GRU AGR UNI ORD LIM HAV WHR PRJ",
    "OR": "ROR LCR UOI ABS AOR BTW LKE",
    "NL": "NLF NLS NLI NLO",
    "IR": "IRC IRH IRT IRP",
    "X": "VAL ONC JTD JTA TBS CST CAS DTF",
}
_CATALOGUE = {f"{kind}.{name}" for kind, names in _CODES.items() for name in names.split()}

each_operator = pytest.mark.parametrize("rule", GRAMMAR, ids=lambda rule: rule.name)


def operators() -> Iterator[Operator]:
    """Every operator that a module of operators defines, found by looking."""
    path, prefix = mutants.operators.__path__, "mutants.operators."
    for module in pkgutil.walk_packages(path, prefix):
        for found in vars(importlib.import_module(module.name)).values():
            if isinstance(found, Operator) and found.edits.__module__ == module.name:
                yield found


def test_every_operator_stands_in_the_grammar_once() -> None:
    assert sorted(rule.name for rule in operators()) == sorted(rule.name for rule in GRAMMAR)
    assert len({rule.name for rule in GRAMMAR}) == len(GRAMMAR)


def test_every_code_of_the_catalogue_has_an_operator() -> None:
    assert {rule.code for rule in GRAMMAR} == _CATALOGUE


def test_every_code_has_a_weight() -> None:
    assert set(WEIGHTS) == _CATALOGUE
    assert all(weight > 0 for weight in WEIGHTS.values())


def test_absolute_values_are_off_by_default() -> None:
    assert {rule.code for rule in GRAMMAR} - {rule.code for rule in DEFAULT} == {"OR.ABS"}


@each_operator
def test_operator_says_what_it_catches(rule: Operator) -> None:
    assert "Catches databases" in rule.catches
    assert rule.catches.split("\n")[0].endswith(".")


@each_operator
def test_operator_has_an_example(rule: Operator) -> None:
    assert rule.examples
    assert all(gold != mutant for gold, mutant in rule.examples)


@each_operator
def test_codes_of_models_errors_stand_apart(rule: Operator) -> None:
    assert rule.code.startswith("X.") == (".model_errors." in rule.edits.__module__)
