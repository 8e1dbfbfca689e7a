"""The status of a task in every situation that the benchmark's public page describes."""

from itertools import product

import pytest

from benchmark.asking import Asker
from benchmark.statuses import BUCKETS, STATUSES, Facts, bucket_of, status_of
from benchmark.trajectory import Trajectory
from tests.benchmark.judging import attempt, by_csv, evaluated, task, verdict

NAMES = "SELECT name FROM shop"
IN_KIEL = "SELECT name FROM shop WHERE town = 'Kiel'"


def test_the_first_status_that_holds_is_the_tasks() -> None:
    flags = ("executed", "matched", "has_answer", "has_gold", "compared", "has_tables", "has_rows")
    for values in product((True, False), repeat=len(flags)):
        said = dict(zip(flags, values, strict=True))
        holds = [
            not said["executed"], said["matched"], not said["has_answer"], not said["has_gold"],
            not said["compared"], not said["has_tables"], not said["has_rows"], True,
        ]  # fmt: skip
        assert status_of(Facts(**said)) == STATUSES[holds.index(True)]


def test_every_status_has_one_bucket() -> None:
    found = {bucket_of(status, is_empty=empty) for status in STATUSES for empty in (True, False)}
    assert found == set(BUCKETS)


def test_right_rows_from_a_view_are_matched(asker: Asker) -> None:
    found = verdict(asker, IN_KIEL, "SELECT name FROM kiel")
    assert (found.status, found.bucket) == ("Matched", "passed")


def test_right_rows_with_a_table_too_many_are_matched(asker: Asker) -> None:
    sql = "SELECT DISTINCT s.name FROM shop AS s LEFT JOIN sale ON sale.shop_id = s.id"
    assert verdict(asker, NAMES, sql).status == "Matched"


@pytest.mark.parametrize(("sql", "bucket"), [(None, "empty"), ("SELECT name FROM shop", "failed")])
def test_no_result_is_a_failure_of_the_agents(sql: str | None, bucket: str) -> None:
    found = by_csv("name\nAnker\n", None, sql=sql)
    assert (found.status, found.bucket) == ("Gen SQL Failed", bucket)


@pytest.mark.parametrize("text", ["", "\n", "\n\n"])
def test_a_result_without_columns_is_an_empty_one(text: str) -> None:
    found = by_csv("name\nAnker\n", text)
    assert (found.status, found.bucket) == ("Gen SQL Failed", "empty")


@pytest.mark.parametrize("gold", ["SELECT nothing FROM nowhere", "", "\n", None])
def test_a_gold_that_fails_is_never_charged_to_the_agent(asker: Asker, gold: str | None) -> None:
    one = task(gold=gold, gold_problem=None if gold and gold.strip() else "blank")
    [found] = evaluated(asker, [one], [attempt(sql=NAMES)]).outcomes
    assert (found.status, found.bucket) == ("Gold SQL Failed", "gold_failed")


@pytest.mark.parametrize("text", ["", "\n"])
def test_a_blank_gold_result_is_a_failed_gold(text: str) -> None:
    assert by_csv(text, "name\nAnker\n").status == "Gold SQL Failed"


def test_sql_that_fails_is_the_agents_failure_whatever_the_gold_does(asker: Asker) -> None:
    assert verdict(asker, NAMES, "SELECT nothing FROM shop").status == "Gen SQL Failed"
    assert verdict(asker, "SELECT nothing FROM nowhere", "SELECT").status == "Gen SQL Failed"


def test_a_failed_output_is_the_agents_failure_even_beside_good_sql(asker: Asker) -> None:
    told = Trajectory("completed", outputs=1, outputs_ok=0, errors=("node n1: task failed",))
    one = attempt(sql=NAMES, failure="node n1: task failed", trajectory=told)
    [found] = evaluated(asker, [task()], [one]).outcomes
    assert (found.status, found.error) == ("Gen SQL Failed", "node n1: task failed")


def test_a_task_that_never_ran_stays_in_the_total(asker: Asker) -> None:
    found = evaluated(asker, [task("1"), task("2")], [attempt("1", NAMES)])
    assert [one.status for one in found.outcomes] == ["Matched", "Not Executed"]
    assert found.total == 2


def test_a_wholly_wrong_table_is_a_table_mismatch(asker: Asker) -> None:
    assert verdict(asker, NAMES, "SELECT amount FROM sale").status == "Table Mismatch"


def test_another_number_of_rows_is_a_result_mismatch(asker: Asker) -> None:
    assert verdict(asker, NAMES, IN_KIEL).status == "Result Mismatch"


def test_half_of_the_columns_is_a_column_mismatch(asker: Asker) -> None:
    found = verdict(asker, "SELECT name, town FROM shop", "SELECT name, size FROM shop")
    assert found.status == "Column Mismatch"
    assert found.comparison is not None
    assert found.comparison.match_rate == 0.5
    assert found.comparison.missing_columns == ("town",)
    assert found.comparison.extra_columns == ("size",)


def test_two_outputs_are_one_task(asker: Asker) -> None:
    told = Trajectory("completed", node_types={"output": 2}, outputs=2, outputs_ok=2)
    found = evaluated(asker, [task()], [attempt(sql=NAMES, trajectory=told)])
    assert (found.total, found.buckets["passed"]) == (1, 1)


def test_a_database_that_is_not_there_is_nobodys_mistake(asker: Asker) -> None:
    [found] = evaluated(asker, [task(db_id="gone")], [attempt(sql=NAMES)]).outcomes
    assert (found.status, found.bucket) == ("Gold SQL Failed", "gold_failed")
    assert found.error == "no database 'gone' in the tree 'original'"
    given = task(db_id="gone", gold_results=("name\nAnker\n",))
    assert evaluated(asker, [given], [attempt(sql=NAMES)]).outcomes[0].bucket == "gold_failed"


def test_statements_that_answer_nothing_are_empty_and_change_nothing(asker: Asker) -> None:
    assert verdict(asker, NAMES, "DELETE FROM shop").status == "Gen SQL Failed"
    assert verdict(asker, NAMES, "-- nothing").status == "Gen SQL Failed"
    assert verdict(asker, NAMES, NAMES).status == "Matched"


def test_the_buckets_add_up_to_the_total(asker: Asker) -> None:
    tasks = [task(str(at)) for at in range(7)] + [task("7", "SELECT x FROM nowhere")]
    sqls: list[str | None] = [NAMES, None, "SELECT", IN_KIEL, "SELECT amount FROM sale", "  "]
    attempts = [attempt(str(at), sql) for at, sql in enumerate(sqls)] + [attempt("7", NAMES)]
    found = evaluated(asker, tasks, attempts)
    assert found.buckets == {
        "passed": 1,
        "empty": 2,
        "failed": 3,
        "gold_failed": 1,
        "not_executed": 1,
    }
    assert sum(found.buckets.values()) == found.total == 8
    assert sum(len(found.ids(status)) for status in STATUSES) == found.total
