"""The report has every field that users of the earlier tool read, and its sums are right."""

import json
from typing import Any

from benchmark.asking import Asker
from benchmark.console import LABELS, summary
from benchmark.outcome import Evaluation
from benchmark.report import TIMES, report
from benchmark.statuses import BUCKETS, STATUSES
from benchmark.tools import tools_comparison
from benchmark.trajectory import Action, Trajectory
from tests.benchmark.judging import attempt, by_csv, evaluated, task

PUBLIC = {
    "": {"status", "generated_time", "summary", "task_ids", "details"},
    "summary": {"total_files", "total_output_nodes", "total_output_success", "total_output_failure", "success_rate", "comparison_summary", "metrics_summary"},
    "summary.comparison_summary": {"total_comparisons", "match_count", "mismatch_count", "comparison_error_count", "comparison_error_task_ids", "empty_result_count", "match_rate"},
    "summary.metrics_summary": {"total_with_expected_metrics", "metrics_matched_count", "metrics_mismatched_count", "metrics_match_rate", "metrics_matched_task_ids", "metrics_mismatched_task_ids"},
    "task_ids": {"failed_task_ids", "matched_task_ids", "mismatched_task_ids", "empty_result_task_ids"},
    "details.1": {"total_node_count", "output_node_count", "output_success_count", "output_failure_count", "errors", "node_types", "tool_calls", "completion_time", "status", "comparison_results"},
    "details.1.comparison_results.0": {"task_id", "actual_file_exists", "gold_file_exists", "actual_path", "gold_path", "comparison"},
    "details.1.comparison_results.0.comparison": {
        "match_rate", "matched_columns", "missing_columns", "extra_columns", "actual_shape", "expected_shape", "actual_preview", "expected_preview",
        "actual_tables", "expected_tables", "matched_tables", "actual_sql_error", "sql_error", "actual_sql", "gold_sql", "tools_comparison", "error",
    },
    "details.1.comparison_results.0.comparison.tools_comparison": {"expected_file", "expected_sql", "expected_semantic_model", "expected_metrics"},
}  # fmt: skip


def at(document: Any, place: str) -> Any:
    for part in filter(None, place.split(".")):
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


def mixed(asker: Asker) -> Evaluation:
    tasks = [task(str(name)) for name in range(1, 7)] + [task("7", "SELECT x FROM nowhere")]
    sqls = {
        "1": "SELECT name FROM shop",
        "2": "SELECT town FROM shop",
        "3": None,
        "4": "SELECT",
        "5": "SELECT amount FROM sale",
        "7": "SELECT 1",
    }
    return evaluated(asker, tasks, [attempt(name, sql) for name, sql in sqls.items()])


def test_every_public_field_is_there(asker: Asker) -> None:
    found = report(mixed(asker), "2026-01-01T00:00:00+00:00", 1.5)
    for place, names in PUBLIC.items():
        assert names - set(at(found, place)) == set(), place
    assert json.loads(json.dumps(found)) == found
    assert [found[name] for name in TIMES] == ["2026-01-01T00:00:00+00:00", 1.5]


def test_the_sums_are_right_and_add_up(asker: Asker) -> None:
    found = report(mixed(asker), "now", 0)
    whole = found["summary"]
    assert {name: whole[name] for name in ("total", *BUCKETS)} == {
        "total": 7,
        "passed": 1,
        "empty": 1,
        "failed": 3,
        "gold_failed": 1,
        "not_executed": 1,
    }
    assert sum(whole["statuses"].values()) == whole["total"] == whole["total_files"]
    parts = whole["comparison_summary"]
    counts = (
        "match_count",
        "mismatch_count",
        "comparison_error_count",
        "empty_result_count",
        "not_executed_count",
    )
    assert sum(parts[name] for name in counts) == 7
    assert parts["match_rate"] == round(100 / 7, 2)
    assert found["task_ids"]["gold_failed_task_ids"] == "7"
    assert found["task_ids"]["not_executed_task_ids"] == "6"
    assert found["task_ids"]["failed_task_ids"] == "3,4"


def test_console_and_json_say_the_same_statuses(asker: Asker) -> None:
    one = mixed(asker)
    text = summary(one)
    for status, count in report(one, "now", 0)["summary"]["statuses"].items():
        assert f" {status}:".ljust(40) + f"{count:>5}    (" in text
    for bucket, label in LABELS.items():
        assert f" {label}:".ljust(40) + f"{one.buckets[bucket]:>5}    (" in text
    assert "(Total: 7 Queries)" in text
    assert [details["task_status"] for details in report(one, "now", 0)["details"].values()] == [
        outcome.status for outcome in one.outcomes
    ]
    assert set(LABELS) == set(BUCKETS)
    assert len(STATUSES) == 8


def test_an_answer_is_previewed_by_three_rows_and_five_columns(asker: Asker) -> None:
    one = evaluated(
        asker,
        [
            task(
                gold="SELECT 1 AS a, NULL AS b, x'00ff' AS c, 'x' AS d, 5.0 AS e, 6 AS f UNION ALL SELECT id, 2, 3, 4, 5, 6 FROM shop"
            )
        ],
        [attempt(sql="SELECT 'a\n|b' AS t")],
    )
    found = at(report(one, "now", 0), "details.1.comparison_results.0.comparison")
    assert found["expected_preview"].split("\n       ") == [
        "a | b | c | d | e | ...",
        "-" * 23,
        "1 | NULL | x'00ff' | x | 5.0 | ...",
        "1 | 2 | 3 | 4 | 5 | ...",
        "2 | 2 | 3 | 4 | 5 | ...",
        "...",
    ]
    assert found["actual_preview"].split("\n       ") == ["t", "-", "a |b"]
    assert (found["actual_shape"], found["expected_shape"]) == ([1, 1], [4, 6])


def test_two_tasks_of_one_manifest_are_told_apart_by_column_and_table() -> None:
    gold, sql = "name,total\nAlice,1\nBob,2\n", "SELECT name, total FROM customers"
    right = by_csv(gold, gold, gold_sql=sql, sql=sql)
    assert right.comparison is not None
    assert (right.status, right.comparison.match_rate) == ("Matched", 1.0)
    assert right.comparison.matched_columns == (("name", "name"), ("total", "total"))
    wrong = by_csv(
        gold,
        "name,total\nAlice,50\nBob,60\n",
        gold_sql=sql,
        sql="SELECT name, total FROM other_table",
    )
    assert wrong.comparison is not None
    assert wrong.comparison.match_rate == 0.5
    assert (wrong.comparison.missing_columns, wrong.comparison.matched_columns) == (
        ("total",),
        (("name", "name"),),
    )
    assert wrong.status == "Table Mismatch"


def test_what_was_expected_to_be_looked_up_is_compared_by_whole_words() -> None:
    actions = (
        Action("search_metrics", [{"name": "Accelerate"}, {"name": "eligible free rate"}]),
        Action("read_file", {"path": "docs/frpm.md"}),
    )
    found = tools_comparison(
        {"gold": {"file": "frpm.md", "expected_metrics": "Rate; Sum", "expected_sql": "SELECT 1"}},
        Trajectory("completed", actions=actions),
    )
    assert found["expected_file"]["match"]
    assert not found["expected_sql"]["match"]
    assert found["expected_semantic_model"] == {
        "expected": "",
        "actual": [],
        "matched_actual": [],
        "match": True,
    }
    metrics = found["expected_metrics"]
    assert (
        metrics["matched_expected"],
        metrics["matched_actual"],
        metrics["missing_expected"],
        metrics["match"],
    ) == (["Rate"], ["eligible free rate"], ["Sum"], False)


def test_a_task_with_expected_metrics_is_counted(asker: Asker) -> None:
    one = evaluated(asker, [task(extra={"expected_metrics": "revenue"})], [attempt(sql="SELECT 1")])
    found = report(one, "now", 0)["summary"]["metrics_summary"]
    assert (found["total_with_expected_metrics"], found["metrics_mismatched_task_ids"]) == (1, "1")
