"""The verifier itself: each law is broken once, and is named."""

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import pytest

from db_execution.sandbox import open_script
from investigation import verify
from investigation.drawing import Unfit
from investigation.families import FAMILIES, Draft, Family, draw
from investigation.instance import Instance, Trap
from investigation.scripts import script
from investigation.verify import LAWS, Judged, Specimen, gathered, judge, judge_all, pieces

GOOD = draw("overdue_invoices", 3)
RIGHT = Trap("right", GOOD.oracle_sql)
FAILING = Trap("failing", "SELECT nothing FROM nowhere")


def broken(instance: Instance, *, again: Instance | None = None, cpu_ms: float = 5.0) -> list[str]:
    """The laws that a specimen breaks."""
    with closing(open_script(script(GOOD.tables))) as database:
        one = Specimen(instance, again or instance, cpu_ms, database)
        return [law.__name__ for law in LAWS if not law(one)]


def changed(**fields: object) -> Instance:
    """The good instance of a seed that is not golden, with some fields of another kind."""
    return replace(GOOD, seed=1000, **fields)  # type: ignore[arg-type]


FIRST, *REST = GOOD.expected
CASES: list[tuple[str, Callable[[], list[str]]]] = [
    ("is_the_same_again", lambda: broken(changed(), again=GOOD)),
    ("is_golden_where_fixed", lambda: broken(replace(GOOD, seed=4))),
    ("has_an_answer", lambda: broken(changed(columns=(*GOOD.columns, "invoice")))),
    ("oracles_agree", lambda: broken(changed(expected=((*FIRST[:2], -1), *REST)))),
    ("oracles_agree", lambda: broken(changed(expected=(FIRST, *GOOD.expected)))),
    ("oracles_agree", lambda: broken(changed(expected=((*FIRST[:2], float(FIRST[2] or 0) + 1e-5), *REST)))),
    ("every_trap_differs", lambda: broken(changed(traps=(*GOOD.traps, RIGHT)))),
    ("every_trap_differs", lambda: broken(changed(traps=(FAILING,)))),
    ("every_twin_runs", lambda: broken(changed(twins=(FAILING,)))),
    ("says_all_that_counts", lambda: broken(changed(instruction="Find them."))),
    ("fits_an_episode", lambda: broken(changed(oracle_sql=GOOD.oracle_sql + " " * 4000))),
    ("is_drawn_in_time", lambda: broken(changed(), cpu_ms=50.1)),
]  # fmt: skip


def test_a_good_instance_breaks_no_law() -> None:
    assert broken(GOOD) == []
    assert broken(changed()) == []


@pytest.mark.parametrize(("law", "case"), CASES)
def test_a_law_is_broken_alone(law: str, case: Callable[[], list[str]]) -> None:
    assert case() == [law]


def test_every_law_is_broken_by_some_case() -> None:
    assert {law for law, _ in CASES} == {law.__name__ for law in LAWS}


def test_every_word_that_counts_must_be_said() -> None:
    said = set(re.findall(r"'(\w+)'|As of (\S+),", GOOD.instruction))
    assert len(said) == 4  # three statuses and a day
    for word in ("".join(found) for found in said):
        silent = GOOD.instruction.replace(word, "")
        assert broken(changed(instruction=silent)) == ["says_all_that_counts"]


def test_the_work_is_every_seed_of_every_family_once() -> None:
    work = pieces(["a", "b"], 120)
    assert [(name, seed) for name, seeds in work for seed in seeds] == [
        (name, seed) for name in "ab" for seed in range(120)
    ]


def test_an_instance_that_comes_twice_is_found() -> None:
    one, other = Judged("f", 0, (), digest="d"), Judged("f", 1, (), digest="e")
    found = gathered([[one, other], [replace(one, seed=2)]])
    assert [judged.broken for judged in found.judged] == [(), (), ("is_no_repetition",)]
    assert [judged.seed for judged in found.failed] == [2]
    assert found.broken == {"is_no_repetition": 1}


def test_a_family_that_cannot_draw_is_a_broken_law(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(rng: object) -> Draft:
        raise Unfit("never")

    family = FAMILIES["sales_net_revenue"]
    monkeypatch.setitem(FAMILIES, family.name, Family(family.name, 1, never))
    assert judge(family.name, 5).broken == ("is_drawn_at_all",)


def test_what_is_found_is_summed_up_by_family() -> None:
    found = gathered([judge_all(piece) for piece in pieces(["signup_cohorts"], 3)])
    held = found.of("signup_cohorts")
    assert (held.instances, held.failed, held.traps) == (3, 0, 12)
    assert 0 < held.median_ms <= held.max_ms <= verify.MOST_MS
    assert held.tied_twins == {"rows_counted": 3}
    assert found.families == ("signup_cohorts",)
