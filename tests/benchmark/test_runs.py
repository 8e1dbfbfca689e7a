"""Run folders and predictions files, as they are found and as they are read."""

import json
from pathlib import Path

import pytest

from benchmark.errors import BenchmarkError
from benchmark.predictions import read_predictions
from benchmark.run import Run
from benchmark.runfolder import find_run, read_run
from benchmark.tasks import Tasks, read_tasks
from benchmark.trajectory import read_trajectory
from tests.benchmark.made import definition, output, question_file, task_files, trajectory


@pytest.fixture
def tasks(tmp_path: Path) -> Tasks:
    question_file(tmp_path / "q.json")
    return read_tasks(definition(tmp_path, id_alias="dev-{:03d}"))


def predicted(tasks: Tasks, path: Path, text: str) -> Run:
    path.write_text(text)
    return read_predictions(path, tasks)


def home(folder: Path, run: str, task_id: str = "1") -> None:
    task_files(folder / "save" / "ns" / run, task_id, sql=f"SELECT '{run}'")
    trajectory(folder / "trajectory" / "ns" / run / f"{task_id}_17.yaml", output())


def test_the_latest_run_is_the_last_of_those_named_by_their_time(tmp_path: Path) -> None:
    for name in ("20260101_1200", "20260101_115959", "backup"):
        home(tmp_path, name)
    found = find_run(tmp_path)
    assert found.name == "20260101_1200"
    assert read_run(found, ["1"]).attempts["1"].sql == "SELECT '20260101_1200'"
    assert find_run(tmp_path, run_id="backup").name == "backup"


def test_a_runs_files_and_trajectories_are_of_one_run(tmp_path: Path) -> None:
    """A later run that wrote no trajectory is not read with the trajectories of an earlier one."""
    home(tmp_path, "20260101_1200")
    task_files(tmp_path / "save" / "ns" / "20260102_1200", "1", sql="SELECT 2")
    found = find_run(tmp_path)
    assert (found.name, found.trajectories) == ("20260102_1200", None)


def test_a_run_that_nothing_points_to_must_be_chosen(tmp_path: Path) -> None:
    for name in ("a", "b"):
        home(tmp_path, name)
    with pytest.raises(BenchmarkError, match="choose one run; there are: a, b"):
        find_run(tmp_path)
    with pytest.raises(BenchmarkError, match="no namespace 'other'"):
        find_run(tmp_path, namespace="other")


def test_the_folder_of_a_run_finds_its_trajectories_by_itself(tmp_path: Path) -> None:
    home(tmp_path, "20260101_1200")
    found = find_run(tmp_path / "save" / "ns" / "20260101_1200")
    assert found.trajectories == tmp_path / "trajectory" / "ns" / "20260101_1200"


def test_a_task_without_a_trajectory_was_not_executed_whatever_lies_there(tmp_path: Path) -> None:
    home(tmp_path, "20260101_1200")
    task_files(tmp_path / "save" / "ns" / "20260101_1200", "2", sql="SELECT 2")
    assert set(read_run(find_run(tmp_path), ["1", "2"]).attempts) == {"1"}


def test_without_trajectories_any_file_of_a_task_shows_that_it_ran(tmp_path: Path) -> None:
    task_files(tmp_path, "1", record={"finished": False, "error": "no model"})
    task_files(tmp_path, "2", record={"gen_sql": "SELECT 1", "gen_sql_final": "SELECT 2"})
    task_files(tmp_path, "9", sql="SELECT 9")
    run = read_run(find_run(tmp_path), ["1", "2", "3"])
    assert set(run.attempts) == {"1", "2"}
    assert run.attempts["1"].failure == "no model"
    assert run.attempts["2"].sql == "SELECT 2"
    assert run.notes[0].endswith("other tasks: '9'")


def test_the_newest_trajectory_of_a_task_counts_and_ids_may_hold_underscores(
    tmp_path: Path,
) -> None:
    trajectory(tmp_path / "sf_1_9.yaml", output(), status="old")
    trajectory(tmp_path / "sf_1_10.yaml", output(), status="new")
    told = read_run(find_run(tmp_path), ["sf_1"]).attempts["sf_1"].trajectory
    assert told is not None
    assert told.status == "new"


def test_a_file_that_leads_out_of_the_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SELECT 1")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "1.sql").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(BenchmarkError, match="leads out of the run's folder"):
        read_run(find_run(tmp_path / "run"), ["1"])


def test_a_failed_output_says_which_node_and_why(tmp_path: Path) -> None:
    trajectory(tmp_path / "t.yaml", output(False, "task failed"))
    told = read_trajectory(tmp_path / "t.yaml")
    assert told.errors == ("node n1: task failed",)
    assert told.failed


def test_one_good_output_of_two_is_an_answer(tmp_path: Path) -> None:
    trajectory(tmp_path / "t.yaml", output(False, "once", "n1"), output(name="n2"))
    told = read_trajectory(tmp_path / "t.yaml")
    assert (told.outputs, told.outputs_ok, told.failed) == (2, 1, False)


def test_nodes_and_tool_calls_are_counted_by_their_names(tmp_path: Path) -> None:
    calls = [
        {"role": "tool", "input": {"function_name": name}}
        for name in ("db.List_Tables", "list_tables", "read_query")
    ]
    trajectory(
        tmp_path / "t.yaml",
        {"type": "chat", "result": {"action_history": [*calls, {"role": "model"}]}},
        output(),
    )
    told = read_trajectory(tmp_path / "t.yaml")
    assert told.tool_calls == {"list_tables": 2, "read_query": 1}
    assert (told.node_types, told.nodes) == ({"chat": 1, "output": 1}, 2)


@pytest.mark.parametrize(
    ("text", "status"),
    [("workflow: {}", "invalid"), ("- 1", "invalid"), ("a: [", "error"), (None, "missing"), ("workflow: {type: output, id: n, status: ok, result: {success: true}}", "ok")],
)  # fmt: skip
def test_a_trajectory_that_tells_nothing_says_so(
    tmp_path: Path, text: str | None, status: str
) -> None:
    if text is not None:
        (tmp_path / "t.yaml").write_text(text)
    assert read_trajectory(tmp_path / "t.yaml").status == status


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.jsonl", '{"task_id": "dev-001", "sql": "SELECT 1"}\n{"task_id": "2", "sql": null}\n'),
        ("p.json", json.dumps([{"question_id": 1, "SQL": "SELECT 1"}, {"question_id": 2, "SQL": None}])),
        ("p.json", json.dumps({"1": "SELECT 1\t----- bird -----\tshop", "2": None})),
        ("p.txt", "1\tSELECT 1\n2\t\n"),
        ("p.sql", "SELECT 1\n\n"),
    ],
)  # fmt: skip
def test_predictions_of_any_kind_are_the_same_attempts(
    tasks: Tasks, tmp_path: Path, name: str, text: str
) -> None:
    run = predicted(tasks, tmp_path / name, text)
    assert [(one.task_id, one.sql or None) for one in run.attempts.values()] == [
        ("1", "SELECT 1"),
        ("2", None),
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.jsonl", '{"task_id": "7", "sql": "SELECT 1"}', "no task has the id 7; ids look like"),
        ("p.jsonl", '{"task_id": "1", "sql": "a"}\n{"task_id": "dev-001", "sql": "b"}', "the task 1 stands there twice"),
        ("p.json", '{"1": "a", "1": "b"}', "the key '1' stands twice"),
        ("p.jsonl", '{"task_id": "1", "sql": "a", "db_id": "other"}', "task 1 is about the database shop, not 'other'"),
        ("p.jsonl", '{"task_id": "1", "answer": "a"}', "no key holds the SQL"),
        ("p.jsonl", '{"task_id": "1", "sql": 5}', "the SQL is 5; expected a text or null"),
        ("p.sql", "SELECT 1\n", "1 lines for 2 tasks"),
        ("p.jsonl", "{", "line 1, column 2"),
    ],
)  # fmt: skip
def test_bad_predictions_are_one_line(
    tasks: Tasks, tmp_path: Path, name: str, text: str, said: str
) -> None:
    with pytest.raises(BenchmarkError) as caught:
        predicted(tasks, tmp_path / name, text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lines_without_ids_follow_the_question_file_not_the_order_of_ids(tmp_path: Path) -> None:
    question_file(
        tmp_path / "q.json",
        [{"id": name, "question": "", "db": "shop", "sql": "SELECT 1"} for name in ("10", "9")],
    )
    run = predicted(
        read_tasks(definition(tmp_path)), tmp_path / "p.sql", "SELECT 'ten'\nSELECT 'nine'\n"
    )
    assert run.attempts["10"].sql == "SELECT 'ten'"
