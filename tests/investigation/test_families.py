"""The ten families: the laws that every instance keeps, and what a draw that breaks one comes to."""

import ast
import inspect
import re
import sys
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from db_execution.sandbox import EPISODE
from investigation.drawing import Unfit, tables
from investigation.families import FAMILIES, SEEDS, BadDraw, Draft, Family, NoInstance, draw
from investigation.families.base import ON_TRIAL, TRIES, BrokenQuery, refusal
from investigation.golden import golden, is_golden
from investigation.verify import judge
from tests.shared_data import ROOT

IN_ORDER = """
    sales_net_revenue inventory_shortages service_failure_rates overdue_invoices treatment_effects
    signup_cohorts missing_inspections latency_regressions delivery_streaks currency_conversion
"""
each_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)


def test_there_are_ten_in_their_order() -> None:
    assert list(FAMILIES) == IN_ORDER.split()
    assert [family.name for family in FAMILIES.values()] == list(FAMILIES)


@each_family
def test_every_law_holds_for_the_first_seeds(family: Family) -> None:
    broken = {seed: judge(family.name, seed).broken for seed in range(25)}
    assert {seed: laws for seed, laws in broken.items() if laws} == {}


@settings(max_examples=40, deadline=None)
@given(family=st.sampled_from(list(FAMILIES)), seed=st.integers(0, SEEDS - 1))
@example(family="delivery_streaks", seed=SEEDS - 1)
@example(family="currency_conversion", seed=2**62)
@example(family="treatment_effects", seed=2**53 + 1)
def test_every_law_holds_for_any_seed(family: str, seed: int) -> None:
    assert judge(family, seed).broken == ()


@each_family
def test_the_first_hundred_instances_are_the_golden_ones(family: Family) -> None:
    assert len(golden()[family.name][str(family.version)]) == 100
    assert [seed for seed in range(100) if not is_golden(family.draw(seed))] == []


def test_another_instance_is_not_golden() -> None:
    instance = draw("sales_net_revenue", 7)
    for other in (
        replace(instance, instruction=instance.instruction + " "),
        replace(instance, expected=instance.expected[1:]),
        replace(instance, traps=instance.traps[1:]),
        replace(instance, oracle_sql=instance.oracle_sql + " "),
        replace(instance, seed=8),
        replace(instance, seed=100),
    ):
        assert not is_golden(other)


@pytest.mark.parametrize("seed", [-1, 2**63, 2**64, True, False, 1.0, "1", None])
def test_what_is_no_seed_is_refused(seed: object) -> None:
    with pytest.raises(BadDraw, match=re.escape("from 0 to 2**63 - 1")):
        draw("sales_net_revenue", seed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "family", ["", "sales", "Sales_Net_Revenue", None, 3, ["sales_net_revenue"]]
)
def test_what_is_no_family_is_refused(family: object) -> None:
    with pytest.raises(BadDraw, match="there are: sales_net_revenue, inventory_shortages"):
        draw(family, 1)  # type: ignore[arg-type]


def test_a_refusal_is_one_short_line_whatever_is_asked_for() -> None:
    with pytest.raises(BadDraw) as refused:
        draw("x\n" * 1000, 1)
    assert len(str(refused.value).splitlines()) == 1
    assert len(str(refused.value)) < 400
    assert isinstance(refused.value, ValueError)


@each_family
def test_words_days_and_sizes_vary_with_the_seed(family: Family) -> None:
    drawn = [family.draw(seed) for seed in range(30)]
    if "'" in drawn[0].instruction:  # one family has no status to name
        assert len({one.instruction for one in drawn}) >= 8
    assert len({tuple(len(table.rows) for table in one.tables) for one in drawn}) >= 10
    assert len({one.tables for one in drawn}) == len({one.expected for one in drawn}) == 30
    assert len({len(one.expected) for one in drawn}) >= 2


@each_family
def test_a_status_that_counts_is_told_from_the_others(family: Family) -> None:
    """No word of a draw stands for two things, so that the instruction can be read one way."""
    for seed in range(30):
        instance = family.draw(seed)
        stored = {cell for t in instance.tables for row in t.rows for cell in row}
        quoted = re.findall(r"'(\w+)'", instance.instruction)
        assert set(quoted) <= stored, "a word is said that no row has"


@each_family
def test_ids_and_rows_do_not_give_an_order_away(family: Family) -> None:
    dense = [
        [row[0] for row in table.rows] == list(range(1, len(table.rows) + 1))
        for seed in range(10)
        for table in family.draw(seed).tables
    ]
    assert not any(dense)


@each_family
def test_python_answers_without_sql(family: Family) -> None:
    module = sys.modules[family.draft.__module__]
    source = inspect.getsource(module)
    imported = [
        node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)
    ]
    assert not [name for name in imported if name and name.startswith("db_execution")]
    assert callable(module.solve)


@each_family
def test_a_twin_is_named_with_its_reason(family: Family) -> None:
    instance = family.draw(0)
    assert [name for name, _ in family.untold] == [twin.name for twin in instance.twins]
    assert all(len(why) > 40 for _, why in family.untold)
    names = [one.name for one in (*instance.traps, *instance.twins)]
    assert len(set(names)) == len(names)


@each_family
def test_a_twin_can_give_the_right_table(family: Family) -> None:
    tied = {twin for seed in range(8) for twin in judge(family.name, seed).tied_twins}
    assert tied == {name for name, _ in family.untold}


@each_family
def test_the_page_names_every_trap_and_twin(family: Family) -> None:
    page = (ROOT / "investigation" / "README.md").read_text()
    row = next(line for line in page.splitlines() if line.startswith(f"| `{family.name}`"))
    instance = family.draw(0)
    told = set(re.findall(r"`(\w+)`", row))
    assert told == {family.name, *(one.name for one in (*instance.traps, *instance.twins))}


# Draws that are no fair task.

DDL = "CREATE TABLE t(a INTEGER)"
FAIR = Draft(
    instruction="Add up a.",
    tables=tables(DDL, [(1,), (2,), (2,)]),
    columns=("total",),
    expected=((5,),),
    oracle_sql="SELECT SUM(a) FROM t",
    traps={"distinct": "SELECT SUM(DISTINCT a) FROM t"},
)


def test_a_fair_draw_is_kept() -> None:
    assert refusal(FAIR) is None


@pytest.mark.parametrize(
    ("unfair", "reason"),
    [
        (replace(FAIR, expected=()), "empty_answer"),
        (replace(FAIR, expected=((6,),)), "oracles_differ"),
        (replace(FAIR, oracle_sql="SELECT SUM(a), 1 FROM t"), "oracles_differ"),
        (replace(FAIR, traps={"same": "SELECT SUM(a) + 0.00001 FROM t"}), "tied same"),
        (replace(FAIR, tables=tables(DDL, [(2,), (3,)])), "tied distinct"),
    ],
)
def test_an_unfair_draw_is_put_aside_with_its_reason(unfair: Draft, reason: str) -> None:
    assert refusal(unfair) == reason


def test_a_query_of_ours_that_fails_is_a_bug() -> None:
    with pytest.raises(BrokenQuery, match="no_such_column"):
        refusal(replace(FAIR, traps={"broken": "SELECT b FROM t"}))


def test_no_clock_decides_what_is_drawn() -> None:
    assert ON_TRIAL.vm_steps == EPISODE.vm_steps
    assert ON_TRIAL.wall_ms > 60 * EPISODE.wall_ms


def test_a_family_that_never_draws_a_fair_task_fails_loudly() -> None:
    calls = []

    def never(rng: Random) -> Draft:
        calls.append(rng.random())
        if len(calls) % 2:
            raise Unfit("near_tie")
        return replace(FAIR, expected=((6,),))

    with pytest.raises(NoInstance, match="toy, seed 3: no fair task in 50 draws") as failed:
        Family("toy", 1, never).draw(3)
    assert str(failed.value).endswith("25 near_tie, 25 oracles_differ")
    assert len(calls) == len(set(calls)) == TRIES


def test_a_family_draws_on_until_it_is_fair() -> None:
    def third(rng: Random) -> Draft:
        total = rng.choice((5, 6))
        return replace(FAIR, expected=((total,),))

    tries = [len(Family("toy", 1, third).drawn(seed).refused) for seed in range(30)]
    assert min(tries) == 0
    assert max(tries) >= 2


def test_the_version_is_part_of_the_draw() -> None:
    family = FAMILIES["sales_net_revenue"]
    assert replace(family, version=99).draw(1) != family.draw(1)
    assert family.draw(1) == family.draw(1)


@each_family
def test_no_word_can_mean_two_things(family: Family) -> None:
    module = vars(sys.modules[family.draft.__module__])
    pools = [
        value.split()
        for name, value in module.items()
        if name.isupper() and isinstance(value, str) and re.fullmatch(r"\w+( \w+){4,}", value)
    ]
    # A status is looked up in its own column; the words of two columns may be the same.
    counts, others = pools[::2], pools[1::2]
    for one, other in zip(counts, others, strict=False):
        assert not set(one) & set(other)
