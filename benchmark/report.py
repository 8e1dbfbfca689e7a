"""The evaluation as JSON: the fields that users of Datus Agent read, and what that report lacks."""

from collections.abc import Mapping
from typing import Any

from benchmark.compare_answers import Comparison
from benchmark.ids import joined
from benchmark.outcome import Evaluation, Outcome
from benchmark.preview import preview
from benchmark.sides import Side
from benchmark.slices import slices
from benchmark.statuses import STATUSES
from benchmark.tables import matched_tables, tables_of
from benchmark.tools import tools_comparison
from benchmark.trajectory import Trajectory

TIMES = ("generated_time", "time_spends_seconds")
"""The two fields that are another on another day; every other byte is the same."""


def report(evaluation: Evaluation, generated_time: str, seconds: float) -> dict[str, Any]:
    """The whole report. ``generated_time`` is ISO 8601 with its zone."""
    outcomes = evaluation.outcomes
    tools = {
        one.task.task_id: tools_comparison(one.task.extra, _told(one))
        for one in outcomes
        if one.attempt is not None
    }
    details = {one.task.task_id: _details(one, tools.get(one.task.task_id)) for one in outcomes}
    return {
        "status": "success",
        "generated_time": generated_time,
        "time_spends_seconds": round(seconds, 3),
        "benchmark": evaluation.tasks.definition.name,
        "run": evaluation.run.name,
        "summary": _summary(evaluation, details, tools),
        "task_ids": _task_ids(evaluation, details),
        "readings": readings(evaluation),
        "slices": slices(evaluation),
        "notes": [*evaluation.tasks.notes, *evaluation.run.notes],
        "details": details,
    }


def readings(evaluation: Evaluation) -> dict[str, dict[str, float | int]]:
    """Each reading: its sum, its share of the total, and for how many tasks it cannot say."""
    found = {}
    for name in evaluation.outcomes[0].readings if evaluation.outcomes else ():
        score, unknown = evaluation.reading(name)
        share = round(100 * score / evaluation.total, 2)
        found[name] = {"score": round(score, 4), "rate": share, "unknown": unknown}
    return found


def _summary(
    evaluation: Evaluation, details: Mapping[str, Any], tools: Mapping[str, Any]
) -> dict[str, Any]:
    nodes, good = (
        sum(one[name] for one in details.values())
        for name in ("output_node_count", "output_success_count")
    )
    return {
        "total_files": evaluation.total,
        "total_output_nodes": nodes,
        "total_output_success": good,
        "total_output_failure": nodes - good,
        "success_rate": _percent(good, nodes),
        "comparison_summary": _comparisons(evaluation),
        "metrics_summary": _metrics(tools),
        "total": evaluation.total,
        **evaluation.buckets,
        "statuses": {status: len(evaluation.ids(status)) for status in STATUSES},
        "spurious_match_count": sum(bool(one.spurious_on) for one in evaluation.outcomes),
    }


def _comparisons(evaluation: Evaluation) -> dict[str, Any]:
    """One comparison a task. The rate is over all tasks, those that never ran among them."""
    buckets = evaluation.buckets
    compared = [one for one in evaluation.outcomes if _is_compared(one)]
    wrong = [one for one in evaluation.outcomes if one.attempt and one.bucket != "empty"]
    errors = [one.task.task_id for one in wrong if not _is_compared(one)]
    return {
        "total_comparisons": len(compared),
        "match_count": buckets["passed"],
        "mismatch_count": len(compared) - buckets["passed"],
        "comparison_error_count": len(errors),
        "comparison_error_task_ids": joined(errors),
        "empty_result_count": buckets["empty"],
        "not_executed_count": buckets["not_executed"],
        "match_rate": _percent(buckets["passed"], evaluation.total),
    }


def _is_compared(outcome: Outcome) -> bool:
    return outcome.comparison is not None and outcome.comparison.unknown is None


def _metrics(tools: Mapping[str, Any]) -> dict[str, Any]:
    wanted = {name: found["expected_metrics"] for name, found in tools.items()}
    met = [name for name, block in wanted.items() if block["expected"] and block["match"]]
    unmet = [name for name, block in wanted.items() if block["expected"] and not block["match"]]
    return {
        "total_with_expected_metrics": len(met) + len(unmet),
        "metrics_matched_count": len(met),
        "metrics_mismatched_count": len(unmet),
        "metrics_match_rate": _percent(len(met), len(met) + len(unmet)),
        "metrics_matched_task_ids": joined(met),
        "metrics_mismatched_task_ids": joined(unmet),
    }


def _task_ids(evaluation: Evaluation, details: Mapping[str, Any]) -> dict[str, str]:
    outcomes = evaluation.outcomes
    lists = {
        "failed_task_ids": [
            o.task.task_id for o in outcomes if o.attempt and _has_errors(details[o.task.task_id])
        ],
        "matched_task_ids": [o.task.task_id for o in outcomes if o.bucket == "passed"],
        "mismatched_task_ids": [
            o.task.task_id for o in outcomes if _is_compared(o) and o.bucket != "passed"
        ],
        "empty_result_task_ids": [o.task.task_id for o in outcomes if o.bucket == "empty"],
        "gold_failed_task_ids": [o.task.task_id for o in outcomes if o.attempt and not o.gold.ok],
        "not_executed_task_ids": evaluation.ids("Not Executed"),
        "spurious_match_task_ids": [o.task.task_id for o in outcomes if o.spurious_on],
        "both_empty_task_ids": [
            o.task.task_id for o in outcomes if o.comparison and o.comparison.both_empty
        ],
        "csv_doubt_task_ids": [
            o.task.task_id for o in outcomes if o.comparison and o.comparison.doubts
        ],
    }
    return {name: joined(ids) for name, ids in lists.items()}


def _has_errors(details: Mapping[str, Any]) -> bool:
    return bool(details["output_failure_count"] or details["errors"])


def _told(outcome: Outcome) -> Trajectory | None:
    return outcome.attempt.trajectory if outcome.attempt else None


def _details(outcome: Outcome, tools: Mapping[str, Any] | None) -> dict[str, Any]:
    told = _told(outcome)
    outputs, good = _outputs(outcome, told)
    return {
        "total_node_count": told.nodes if told else 0,
        "output_node_count": outputs,
        "output_success_count": good,
        "output_failure_count": outputs - good,
        "errors": _errors(outcome, told),
        "node_types": dict(sorted(told.node_types.items())) if told else {},
        "tool_calls": dict(sorted(told.tool_calls.items())) if told else {},
        "completion_time": told.completion_time if told else None,
        "status": told.status if told else "missing" if outcome.attempt is None else "unknown",
        "comparison_results": [] if tools is None else [_record(outcome, tools)],
        "task_status": outcome.status,
        "bucket": outcome.bucket,
        "db_id": outcome.task.db_id,
        "difficulty": outcome.task.difficulty,
        "readings": dict(outcome.readings),
        "spurious_on": list(outcome.spurious_on),
        "unjudged_on": list(outcome.unjudged_on),
    }


def _outputs(outcome: Outcome, told: Trajectory | None) -> tuple[int, int]:
    """Output nodes and how many of them are good; an attempt without a trajectory is one."""
    if outcome.attempt is None:
        return 0, 0
    if told is not None and told.nodes:
        return told.outputs, told.outputs_ok
    return 1, int(outcome.actual.ok)


def _errors(outcome: Outcome, told: Trajectory | None) -> list[str]:
    if outcome.attempt is None:
        return ["the task was not executed"]
    own = list(told.errors) if told else []
    failure = outcome.attempt.failure
    return [*own, failure] if failure and failure not in own else own


def _record(outcome: Outcome, tools: Mapping[str, Any]) -> dict[str, Any]:
    task, attempt = outcome.task, outcome.attempt
    assert attempt is not None
    return {
        "task_id": task.task_id,
        "actual_file_exists": attempt.result is not None,
        "gold_file_exists": bool(task.gold_results),
        "actual_path": attempt.result_path,
        "gold_path": task.gold_path,
        "comparison": _comparison(outcome, tools),
    }


def _comparison(outcome: Outcome, tools: Mapping[str, Any]) -> dict[str, Any]:
    actual, gold = outcome.actual, outcome.gold
    found = outcome.comparison or Comparison()
    own, expected = tables_of(actual.sql or "") or (), tables_of(gold.sql or "") or ()
    return {
        "match_rate": found.match_rate,
        "matched_columns": [list(pair) for pair in found.matched_columns],
        "missing_columns": list(found.missing_columns),
        "extra_columns": list(found.extra_columns),
        "actual_shape": _shape(actual),
        "expected_shape": _shape(gold),
        "actual_preview": preview(outcome.heads[0], actual.row_count),
        "expected_preview": preview(outcome.heads[1], gold.row_count),
        "actual_tables": list(own),
        "expected_tables": list(expected),
        "matched_tables": matched_tables(own, expected),
        "actual_sql_error": actual.error,
        "sql_error": gold.error,
        "actual_sql": actual.sql,
        "gold_sql": gold.sql,
        "tools_comparison": tools,
        "error": outcome.error,
        "row_order_counts": outcome.pair.in_order,
        "order_only": found.order_only,
        "both_empty": found.both_empty,
        "largest_match": found.largest,
        "csv_doubts": list(found.doubts),
    }


def _shape(side: Side) -> list[int] | None:
    return [side.row_count, len(side.columns)] if side.ok else None


def _percent(part: float, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0
