"""All mutants of a gold: quotas, pairs of edits, and the same ones every time."""

import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutants.mutate import (
    KEPT,
    OVER_CAP,
    SAME,
    Making,
    Settings,
    candidates,
    drawn_pairs,
    mutate,
    water_fill,
)
from mutants.weights import NAMED, UNIFORM, WEIGHTS
from sqltext.facts import analyse
from sqltext.parse import refusal
from tests.mutants.golds import gold_of, own_golds
from tests.mutants.schema import gold_schema

GOLD = (
    "SELECT a, b FROM t JOIN u ON t.id = u.t_id WHERE c > 1 AND e = 'x' OR y < 5 ORDER BY a LIMIT 3"
)
SEED = "5" * 64


def made(sql: str = GOLD, **settings: object) -> Making:
    facts = analyse(sql, gold_schema())
    return mutate(facts, {facts.exact: SAME}, SEED, Settings(**settings))  # type: ignore[arg-type]


def test_every_mutant_is_another_query_than_the_gold_and_its_siblings() -> None:
    for gold in own_golds()[:30]:
        found = made(gold.parsed.sql)
        exact = [analyse(mutant.sql, gold_schema()).exact for mutant in found.kept]
        assert len(set(exact)) == len(exact)
        assert analyse(gold.parsed.sql, gold_schema()).exact not in exact
        assert exact == [mutant.facts.exact for mutant in found.kept]


def test_the_cap_holds_and_what_it_left_out_is_counted() -> None:
    found = made(cap=20)
    assert len(found.kept) == 20
    assert (
        sum(count for (_, _, outcome), count in found.outcomes.items() if outcome == OVER_CAP) > 0
    )
    assert sum(count for (_, _, outcome), count in found.outcomes.items() if outcome == KEPT) == 20


def test_no_class_eats_the_cap_of_the_others() -> None:
    codes = {mutant.operator for mutant in made(cap=30).kept}
    offered = {candidate.operator.code for candidate in candidates(gold_of(GOLD, gold_schema()))}
    assert codes == offered


def test_without_the_second_order_there_is_none() -> None:
    assert {mutant.order for mutant in made(second_order=False).kept} == {1}


def test_a_second_edit_is_made_to_the_query_that_the_first_one_made() -> None:
    doubles = [mutant for mutant in made(cap=200).kept if mutant.order == 2]
    singles = {mutant.sql: mutant.operator for mutant in made(cap=200).kept if mutant.order == 1}
    assert len(doubles) > 50
    for mutant in doubles:
        one, other = mutant.operator.split("+")
        assert one != other
        assert singles[mutant.parent_sql] == one


def test_pairs_of_edits_are_drawn_without_replacement_and_never_nest() -> None:
    offered = candidates(gold_of(GOLD, gold_schema()))
    pairs = drawn_pairs(offered, random.Random(1), WEIGHTS)
    assert len({(id(one), id(other)) for one, other in pairs}) == len(pairs)
    assert not any(one.edit.nests_with(other.edit) for one, other in pairs)


def test_weights_move_the_draw_and_uniform_is_a_setting() -> None:
    weighted, uniform = made(), made(weights=UNIFORM)
    assert [mutant.sql for mutant in weighted.kept] != [mutant.sql for mutant in uniform.kept]
    assert set(UNIFORM.values()) == {1.0}


def test_every_named_weighing_gives_the_same_draw_each_time_and_another_than_the_other() -> None:
    draws = {
        name: [[mutant.sql for mutant in made(weights=weights).kept] for _ in range(2)]
        for name, weights in NAMED.items()
    }
    assert list(draws) == ["observed", "uniform"]
    assert all(one == again for one, again in draws.values())
    assert draws["observed"] != draws["uniform"]


def test_under_uniform_weights_the_rarest_error_is_drawn_more_often() -> None:
    offered = candidates(gold_of(GOLD, gold_schema()))
    drawn = dict.fromkeys(NAMED, 0)
    for name, weights in NAMED.items():
        for seed in range(200):
            one, other = drawn_pairs(offered, random.Random(seed), weights)[0]
            drawn[name] += "SC.JOI" in (one.operator.code, other.operator.code)
    assert drawn["uniform"] > 10
    assert drawn["uniform"] > 5 * drawn["observed"]


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT a FROM t WHERE a > {'9' * 5000} AND c < 0x{'f' * 5000}",
        "SELECT a FROM t WHERE a > 1e999999999 OR c IN (1e-999999999, 1e99999999999999999999)",
        f"SELECT a FROM t ORDER BY c LIMIT {'9' * 5000}",
    ],
)
def test_a_number_that_no_database_can_hold_is_no_constant_to_shift(sql: str) -> None:
    found = made(sql)
    assert found.kept
    codes = {code for mutant in found.kept for code in mutant.operator.split("+")}
    assert not {"OR.UOI", "IR.IRT"} & codes


NUMBERS = (
    "0x10", "1_000", "1e+5", ".5", "5.", "0.0e0", "9223372036854775808", "1e400", "1e-400",
    "1e401", "1e00000000000000000001", "1e-99999999999", "9" * 401, "0" * 500 + "1",
    "0x" + "f" * 400,
)  # fmt: skip
PLACES = (
    "SELECT a FROM t WHERE c BETWEEN {0} AND -{0} ORDER BY {0}",
    "SELECT {0} + a, round(c, {0}) FROM t GROUP BY {0} LIMIT 1 OFFSET {0}",
    "SELECT CAST(a AS NUMERIC({0})), sum(a) OVER (ORDER BY a ROWS {0} PRECEDING) FROM t",
    "SELECT DISTINCT CASE a WHEN {0} THEN {0} END AS x FROM t ORDER BY x LIMIT {0}",
)


@pytest.mark.parametrize("place", PLACES)
def test_no_number_is_too_odd_for_the_grammar(place: str) -> None:
    """Where it is a query at all, it has mutants, and they parse to queries of their own."""
    for number in NUMBERS:
        sql = place.format(number)
        if refusal(sql) is None:
            for mutant in made(sql, second_order=False).kept:
                assert refusal(mutant.sql) is None
                assert mutant.facts.exact == analyse(mutant.sql, gold_schema()).exact


def test_the_larger_a_gold_the_fewer_of_its_edits_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To read one costs as much as the gold is large: so all of them cost no more than so much."""
    most = 20_000
    monkeypatch.setattr("mutants.mutate._READ", most)
    counts = []
    for terms in (8, 24):
        where = " OR ".join(f"(a = {n} AND c < {n})" for n in range(terms))
        facts = analyse(f"SELECT a FROM t WHERE {where}", gold_schema())
        offered = Making(facts, {facts.exact: SAME}, Settings()).offer()
        counts.append((len(offered), len(offered) * len(facts.scopes.parsed.nodes)))
    assert counts[0][0] > counts[1][0] > 72
    assert max(cost for _, cost in counts) <= most


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 60)), st.integers(0, 100))
def test_a_quota_fills_the_cap_and_no_class_gets_more_than_it_has(
    wanted: dict[str, int], cap: int
) -> None:
    quota = water_fill(wanted, cap)
    assert sum(quota.values()) == min(cap, sum(wanted.values()))
    assert all(quota[code] <= wanted[code] for code in wanted)
    level = max((quota[code] for code in wanted if quota[code] < wanted[code]), default=None)
    if level is not None:
        assert all(quota[c] in (wanted[c], level, level - 1) for c in wanted)


SCRIPT = """
from tests.mutants.test_mutate import made
print([(m.sql, m.operator) for m in made().kept])
"""


def test_the_same_mutants_whatever_the_hash_seed() -> None:
    runs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
