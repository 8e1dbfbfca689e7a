"""Operators' examples hold, and a small database tells each of them from its mutant."""

from __future__ import annotations

import apsw
import pytest

from mutants.grammar import GRAMMAR
from mutants.mutate import candidates
from mutants.operator import Operator
from sqltext.facts import analyse
from tests.mutants.golds import gold_of
from tests.mutants.schema import EXAMPLE_DDL, EXAMPLE_ROWS, VALUES, example_schema

_PARAMETERS = {"low": 3, "high": 6}

each_example = pytest.mark.parametrize(
    ("rule", "gold", "mutant"),
    [(rule, *example) for rule in GRAMMAR for example in rule.examples],
    ids=lambda part: part.name if isinstance(part, Operator) else "",
)


@pytest.fixture(scope="module")
def database() -> apsw.Connection:
    database = apsw.Connection(":memory:")
    database.execute(EXAMPLE_DDL + EXAMPLE_ROWS)
    return database


@each_example
def test_example_holds(rule: Operator, gold: str, mutant: str) -> None:
    seen = gold_of(gold, example_schema(), VALUES)
    assert mutant in [seen.splice(found.edit) for found in candidates(seen, [rule])]


@each_example
def test_example_gives_another_answer(
    database: apsw.Connection, rule: Operator, gold: str, mutant: str
) -> None:
    one, other = (database.execute(sql, _PARAMETERS).fetchall() for sql in (gold, mutant))
    assert one, f"the example of {rule.name} has no answer to differ from"
    if not analyse(gold).ordered:
        one, other = sorted(one, key=repr), sorted(other, key=repr)
    assert one != other
