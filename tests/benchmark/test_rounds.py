"""Several rounds: which files they are of, and what is said of them."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from benchmark.errors import BenchmarkError
from benchmark.rounds import Rounds, stability
from benchmark.rounds.report import summary, text, write_rounds
from benchmark.rounds.stability import all_at_k, bootstrap, flips, pass_at_k, wilson
from benchmark.rounds.words import duration
from benchmark.statuses import BUCKETS
from tests.benchmark.played import GOLDS, ROUNDS, STATUSES, played, written


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> Rounds:
    home = tmp_path_factory.mktemp("rounds")
    return played(home, written(home))


@pytest.fixture(scope="module")
def files(rounds: Rounds, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_rounds(rounds, tmp_path_factory.mktemp("written"))


def test_every_round_has_the_statuses_of_its_own_files(rounds: Rounds) -> None:
    found = {name: rounds.statuses(at) for at, name in enumerate(rounds.task_ids)}
    assert found == STATUSES


def test_every_rate_is_one_of_all_tasks(rounds: Rounds) -> None:
    told = summary(rounds)
    assert told["total"] == len(GOLDS)
    assert told["rates"] == [round(count / 7, 6) for count in (3, 2, 2)]
    for one in told["by_round"]:
        assert sum(one[bucket] for bucket in BUCKETS) == one["total"] == 7
        assert sum(one["statuses"].values()) == 7


def test_every_task_is_steady_in_one_way(rounds: Rounds) -> None:
    same = stability(rounds)["unanimity"]
    assert same == {
        "right": ["always"],
        "wrong": ["never"],
        "unstable": ["=cmd", "flips", "once"],
        "unjudged": ["gold", "skipped"],
    }
    assert sum(map(len, same.values())) == rounds.total


def test_flips_are_counted_from_one_round_to_the_next(rounds: Rounds) -> None:
    assert stability(rounds)["flips"] == {
        "gained": 2,
        "lost": 3,
        "total": 5,
        "task_ids": ["=cmd", "flips", "once"],
    }
    assert flips(["a"], [[True]])["total"] == 0


def test_pass_at_k_is_over_all_tasks_and_grows(rounds: Rounds) -> None:
    told = stability(rounds)
    assert told["pass_at_k"] == {"1": round(7 / 21, 6), "2": 0.47619, "3": round(4 / 7, 6)}
    assert told["all_at_k"]["3"] == round(1 / 7, 6)


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.data())
def test_pass_at_k_is_the_share_of_draws_with_a_right_round(
    right: list[bool], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(right)))
    draws = list(combinations(right, k))
    some, every = (Fraction(sum(map(how, draws)), len(draws)) for how in (any, all))
    assert pass_at_k(len(right), sum(right), k) == pytest.approx(float(some))
    assert all_at_k(len(right), sum(right), k) == pytest.approx(float(every))


@given(st.integers(0, 60), st.integers(1, 60))
def test_wilsons_interval_is_the_textbooks(passed: int, more: int) -> None:
    sure = binomtest(passed, passed + more, 0.5).proportion_ci(method="wilson")
    assert wilson(passed, passed + more) == pytest.approx([sure.low, sure.high], abs=1e-6)


def test_the_interval_is_the_same_every_time_and_is_about_tasks() -> None:
    shares = [1.0] * 30 + [0.0] * 30 + [0.5] * 40
    low, high = bootstrap(shares)
    assert (low, high) == bootstrap(list(reversed(shares)))
    spread = (sum((share - 0.5) ** 2 for share in shares) / 100 / 100) ** 0.5
    assert low == pytest.approx(0.5 - 1.96 * spread, abs=0.01)
    assert high == pytest.approx(0.5 + 1.96 * spread, abs=0.01)
    assert bootstrap([1.0] * 9) == (1.0, 1.0)


def test_rounds_that_are_done_are_not_asked_again(tmp_path: Path) -> None:
    asked = written(tmp_path)
    first = played(tmp_path, asked, rounds=2)
    more = played(tmp_path, asked)
    assert [one.asked_now for one in first.ran] == [7, 7]
    assert [one.asked_now for one in more.ran] == [1, 1, 7]  # what the file leaves out is left
    assert [one.total for one in more.evaluations] == [7, 7, 7]
    afresh = played(tmp_path, asked, afresh=True)
    assert [one.asked_now for one in afresh.ran] == [7, 7, 7]


def test_a_round_is_never_evaluated_from_anothers_files(tmp_path: Path) -> None:
    asked = written(tmp_path, [ROUNDS[0]] * 3)
    played(tmp_path, asked, group="g")
    first, second, third = (tmp_path / "out" / f"g_{at}" for at in range(3))
    first.rename(third.with_name("aside"))
    second.rename(first)
    with pytest.raises(BenchmarkError, match="holds a run with another round"):
        played(tmp_path, asked, group="g")


def test_a_file_that_was_changed_is_another_agents(tmp_path: Path) -> None:
    asked = written(tmp_path)
    played(tmp_path, asked)
    (tmp_path / "said1.jsonl").write_text('{"task_id": "always", "sql": "SELECT 1"}')
    with pytest.raises(BenchmarkError, match="said_1 holds a run with another agent"):
        played(tmp_path, asked)


def test_a_folder_that_is_not_a_round_is_never_taken_away(tmp_path: Path) -> None:
    asked = written(tmp_path)
    (tmp_path / "out" / "said_0").mkdir(parents=True)
    (tmp_path / "out" / "said_0" / "thesis.txt").write_text("years of work")
    with pytest.raises(BenchmarkError, match=r"files of something else \(thesis.txt\)"):
        played(tmp_path, asked, afresh=True)
    assert (tmp_path / "out" / "said_0" / "thesis.txt").exists()


def test_the_same_rounds_leave_the_same_bytes_but_for_the_time(
    rounds: Rounds, files: dict[str, Path], tmp_path: Path
) -> None:
    one, two = files, write_rounds(rounds, tmp_path)
    for name in ("workbook", "summary", "plot", "plot to scale"):
        assert one[name].read_bytes() == two[name].read_bytes(), name
    assert one["plot"].read_bytes().startswith(b"\x89PNG")
    assert b"Date" not in one["plot to scale"].read_bytes()


def test_reports_summary_and_text_say_the_same(files: dict[str, Path]) -> None:
    told = json.loads(files["summary"].read_text())
    for at, one in enumerate(told["by_round"]):
        report = json.loads(files[f"round {at}"].read_text())
        assert report["summary"]["statuses"] == one["statuses"]
        assert report["run"] == f"said_{at}"
    said = text(told)
    assert "round 0:   42.86% (95% 15.82% to 74.95%): 3 passed, 0 empty, 2 failed" in said
    assert "tasks    1 right, 1 wrong, 3 unstable, 2 unjudged" in said


def test_durations_are_words() -> None:
    assert [duration(one) for one in (0, 59.6, 330, 7322)] == ["0s", "1m 0s", "5m 30s", "2h 2m 2s"]


def test_a_benchmark_without_tasks_divides_by_nothing() -> None:
    none = SimpleNamespace(outcomes=(), total=0, buckets=dict.fromkeys(BUCKETS, 0))
    told = stability(Rounds(benchmark="b", group="g", evaluations=(none,), ran=()))  # type: ignore[arg-type]
    assert (told["mean_rate"], told["pass_at_k"]) == (0.0, {})
