"""Laws over all operators, on our own golds, on texts that printers rewrite, and on real ones."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import apsw
import pytest

from mutants.gold import Gold
from mutants.grammar import GRAMMAR
from mutants.mutate import candidates
from sqltext.forms import forms_of
from tests.mutants.golds import have_real_golds, own_golds, real_golds, small_golds
from tests.mutants.laws import LAWS, Made, made
from tests.mutants.schema import GOLD_DDL
from tests.shared_data import ROOT

_STEP, _PARTS = 20, 8  # every 20th real gold, in as many tests
_MANY = "from tests.mutants.test_laws import all_edits; print(all_edits())"

each_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
each_gold = pytest.mark.parametrize("gold", small_golds(), ids=lambda gold: gold.parsed.sql[:60])


@each_gold
@each_law
def test_law_holds_for_every_mutant_of(gold: Gold, law: Callable[[Made], None]) -> None:
    for mutant in made(gold):
        _hold(law, mutant)


@pytest.mark.skipif(not have_real_golds(), reason="no corpora under PAIRSET_TEST_DATA")
@pytest.mark.parametrize("part", range(_PARTS))
def test_laws_hold_for_real_golds(part: int) -> None:
    for gold in real_golds(_STEP * _PARTS, _STEP * part):
        for mutant in made(gold):
            for law in LAWS:
                _hold(law, mutant)


@each_gold
def test_gold_is_left_alone(gold: Gold) -> None:
    before = forms_of(gold.scopes), [repr(node) for node in gold.parsed.nodes]
    made(gold)
    assert (forms_of(gold.scopes), [repr(node) for node in gold.parsed.nodes]) == before


@each_gold
def test_edits_are_offered_in_one_order(gold: Gold) -> None:
    assert candidates(gold, GRAMMAR) == candidates(Gold(gold.scopes, gold.values), GRAMMAR)


def test_order_does_not_hang_on_the_hash_seed() -> None:
    assert _edits_under("1") == _edits_under("2") == all_edits()


def test_engine_prepares_every_mutant_of_our_own_golds() -> None:
    database = apsw.Connection(":memory:")
    database.execute(GOLD_DDL)
    before = apsw.allow_missing_dict_bindings(True)
    for gold in own_golds():
        for mutant in made(gold):
            database.execute(f"EXPLAIN {mutant.sql}", {})
    apsw.allow_missing_dict_bindings(before)


def test_golds_reach_every_operator() -> None:
    reached = {one.operator.name for gold in small_golds() for one in candidates(gold, GRAMMAR)}
    assert reached == {rule.name for rule in GRAMMAR}


def all_edits() -> str:
    """Every edit of every gold, as text."""
    offered = (one for gold in small_golds() for one in candidates(gold, GRAMMAR))
    return repr([(one.operator.name, one.edit) for one in offered])


def _edits_under(seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _MANY],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def _hold(law: Callable[[Made], None], mutant: Made) -> None:
    """Name the operator and both texts where a law is broken."""
    try:
        law(mutant)
    except Exception as error:
        shown = f"{mutant.rule.code} {mutant.rule.name}\n{mutant.gold.parsed.sql}\n{mutant.sql}"
        raise AssertionError(f"{law.__name__}: {shown}\n{error}") from error
