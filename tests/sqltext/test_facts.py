"""All that is known of a query, in one record."""

import dataclasses
import os
import subprocess
import sys

import pytest

from sqltext.errors import NotAQuery
from sqltext.facts import analyse, analyse_parsed
from sqltext.features import features
from sqltext.footprint import footprint
from sqltext.forms import forms
from sqltext.nondeterminism import nondeterministic
from sqltext.parse import parse, refusal
from sqltext.scope import resolve
from tests.shared_data import ROOT
from tests.sqltext import corpus
from tests.sqltext.queries import SMALL
from tests.sqltext.test_grammar import READ


@pytest.mark.parametrize("sql", READ)
def test_the_record_says_what_each_part_says(sql: str) -> None:
    facts, scopes = analyse(sql, SMALL), resolve(parse(sql), SMALL)
    assert (facts.exact, facts.structural) == dataclasses.astuple(forms(sql, SMALL))
    assert facts.features == features(scopes)
    assert facts.footprint == footprint(scopes)
    assert facts.nondeterministic == nondeterministic(scopes)
    assert facts.ordered == (scopes.parsed.query.order is not None)


def test_a_parsed_query_need_not_be_parsed_again() -> None:
    sql = "SELECT a FROM t WHERE b = 'x'"
    assert analyse_parsed(parse(sql), SMALL).features == analyse(sql, SMALL).features


def test_a_text_that_is_no_query_has_no_facts() -> None:
    with pytest.raises(NotAQuery, match="expected a query, found hello"):
        analyse("hello")


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        analyse("SELECT 1").family = "where"  # type: ignore[misc]


def test_analysing_does_not_change_the_query() -> None:
    parsed = parse("SELECT a FROM t WHERE NOT (a = 1 OR b = 'x') ORDER BY 1")
    assert analyse_parsed(parsed, SMALL).features == analyse_parsed(parsed, SMALL).features


PRINT_FACTS = """
import sys
from sqltext.facts import analyse
from sqltext.keys import gold_flags
for sql in sys.stdin.read().split("\\0"):
    facts = analyse(sql)
    items = [facts.features, sorted(facts.footprint), facts.family, gold_flags(facts.scopes)]
    print(facts.exact, facts.structural, [str(item).replace(str(facts.features.tables), "") for item in items], sorted(facts.features.tables))
"""


def test_facts_do_not_depend_on_the_hash_seed() -> None:
    texts = READ + [sql for _, sql in corpus.queries()[::400] if refusal(sql) is None]
    found = {
        subprocess.run(
            [sys.executable, "-c", PRINT_FACTS],
            input="\0".join(texts),
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(found) == 1
