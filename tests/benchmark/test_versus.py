"""Two systems over the same tasks: who is right alone, and whether that may be chance."""

import numpy as np
import pytest

from benchmark.asking import Asker
from benchmark.errors import BenchmarkError
from benchmark.outcome import Evaluation
from benchmark.slices import clauses, hardness, slices
from benchmark.versus import bootstrap, mcnemar, versus
from tests.benchmark.judging import attempt, evaluated, task

RIGHT = "SELECT name FROM shop"


def system(asker: Asker, right: str, size: int = 8) -> Evaluation:
    """A system that is right on the tasks marked 1; the last task's gold fails."""
    tasks = [task(str(at)) for at in range(size)] + [task("gone", "SELECT x FROM nowhere")]
    attempts = [
        attempt(str(at), RIGHT if mark == "1" else "SELECT 1") for at, mark in enumerate(right)
    ]
    return evaluated(asker, tasks, [*attempts, attempt("gone", RIGHT)])


def test_each_task_is_right_for_one_for_both_or_for_neither(asker: Asker) -> None:
    found = versus(system(asker, "11110000"), system(asker, "10001000"))
    assert (found.both, found.only_first, found.only_second, found.neither) == (
        1,
        ("1", "2", "3"),
        ("4",),
        3,
    )
    assert (found.total, found.unjudged, found.difference) == (9, 1, 0.25)
    assert found.p_value == pytest.approx(0.625)
    assert found.interval[0] <= found.difference <= found.interval[1]


def test_a_reading_can_be_compared_by(asker: Asker) -> None:
    one, other = system(asker, "11110000"), system(asker, "00000000")
    assert versus(one, other, "bird").only_first == ("0", "1", "2", "3")
    with pytest.raises(BenchmarkError, match="no reading 'nothing'"):
        versus(one, other, "nothing")


def test_systems_over_other_tasks_are_not_compared(asker: Asker) -> None:
    with pytest.raises(BenchmarkError, match="not about the same tasks"):
        versus(system(asker, "1", 1), system(asker, "11", 2))


def test_mcnemars_test_is_the_exact_one() -> None:
    assert mcnemar(1, 9) == pytest.approx(2 * (1 + 10) / 2**10)
    assert mcnemar(0, 0) == 1.0


def test_the_interval_is_that_of_drawing_tasks_again() -> None:
    values = np.array([1.0] * 30 + [0.0] * 60 + [-1.0] * 10)
    low, high = bootstrap(values)
    spread = 1.96 * values.std() / 10
    assert low == pytest.approx(0.2 - spread, abs=0.02)
    assert high == pytest.approx(0.2 + spread, abs=0.02)
    assert bootstrap(values) == (low, high)


def test_the_slices_of_one_kind_add_up(asker: Asker) -> None:
    found = slices(system(asker, "11110000"))
    for kind in ("difficulty", "database"):
        assert sum(one["total"] for one in found[kind].values()) == 9
        assert sum(one["passed"] for one in found[kind].values()) == 4


def test_a_gold_is_as_hard_as_it_has_parts() -> None:
    assert hardness("SELECT count(*) FROM t") == "easy"
    assert (
        hardness("SELECT a, count(*) FROM t JOIN u ON t.i = u.i WHERE b = 1 GROUP BY a") == "hard"
    )
    assert (
        hardness(
            "SELECT a FROM t WHERE b IN (SELECT b FROM u WHERE c = 1) UNION SELECT a FROM v ORDER BY a LIMIT 3"
        )
        == "extra"
    )
    assert hardness("SELECT FROM") == hardness(None) == "unknown"
    assert clauses("SELECT a FROM t WHERE b = 1 ORDER BY c") == ("where", "order")
    assert clauses("SELECT a FROM t") == ("plain",)
