"""A short run of `bench.faults`: whatever is killed or full, every query is answered once, alike."""

from pathlib import Path

import pytest

from bench import disturbances
from bench.faults import labels, made_queries, measured


def test_a_run_survives_killed_workers_a_killed_service_and_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disturbances, "WORKER_KILLS", 5)
    monkeypatch.setattr(disturbances, "SERVICE_KILLS", 2)
    lines = {line["fault"]: line for line in measured(tmp_path, 1_000, 2)}
    assert list(lines) == ["none", "worker_killed", "service_killed", "disk_full"]
    for line in lines.values():
        assert line["answers"] == line["queries"] == 1_000
        assert line["same_labels"]
        assert line["same_as_undisturbed"]
        assert line["databases_unchanged"]
    assert lines["none"]["tied"] > 10 < lines["none"]["separated"]
    assert lines["worker_killed"]["killed"] > 0
    assert lines["service_killed"]["killed"] == 2


def test_the_queries_are_all_different_and_the_same_each_time() -> None:
    queries = made_queries(500)
    assert queries == made_queries(500)
    assert len({text for texts in queries for text in texts}) == 500


def test_a_label_says_which_side_failed() -> None:
    fine, other = ("ok", None, 1, "l", "m", "s", None), ("ok", None, 1, "l", "n", "s", None)
    bad = ("error", "no_such_column", None, None, None, None, None)
    assert labels([fine, fine, fine, other, fine, bad]) == ["tied", "separated", "neighbor_error"]
    assert labels([bad, fine, bad, bad]) == ["gold_error", "both_error"]
