"""One benchmark, laid out in every way that is read, gives the same verdicts."""

import json
from itertools import product
from pathlib import Path

import pytest

from benchmark.asking import Asker
from benchmark.builtin import built_in
from benchmark.csvtext import NULL_OR_EMPTY
from benchmark.evaluate import Settings, evaluate
from benchmark.outcome import Evaluation
from benchmark.run import Attempt, Run
from benchmark.runfolder import find_run, read_run
from benchmark.tasks import read_tasks
from tests.benchmark.made import definition, question_file, task_files

GOLDS = {
    "1": ("SELECT name, size FROM shop", "name,size\nAnker,30\nBoje,20\nDamm,20\n"),
    "2": ("SELECT count(*) FROM shop", "count(*)\n3\n"),
    "3": ("SELECT n, t FROM odd WHERE n < 3", "n,t\n1,\n2,\n"),
    "4": ("SELECT town FROM shop", "town\nKiel\nKiel\nHusum\n"),
}
SQLS = {
    "1": "SELECT size, name FROM shop",
    "2": "SELECT max(id) + 1 FROM shop",
    "3": "SELECT n, t FROM odd LIMIT 2",
    "4": "SELECT DISTINCT town FROM shop",
}
STATUSES = ["Matched", "Result Mismatch", "Matched", "Result Mismatch"]


def laid_out(folder: Path, suffix: str, sql_in: str, results_in: str) -> dict[str, str]:
    """Write the benchmark; the fields of its definition."""
    rows = [
        {"id": name, "question": "?", "db": "shop", "sql": sql, "answer": text}
        for name, (sql, text) in GOLDS.items()
    ]
    question_file(folder / f"q.{suffix}", rows)
    fields = {
        "file": f"q.{suffix}",
        "gold_sql_key": "sql",
        "gold_result_key": "",
        "gold_result_path": "",
    }
    if sql_in == "folder":
        fields["gold_sql_path"] = "sql"
    for name, (sql, text) in GOLDS.items():
        for kind, content in (("sql", sql), ("csv", text)):
            (folder / kind).mkdir(exist_ok=True)
            (folder / kind / f"{name}.{kind}").write_text(content)
    if results_in == "field":
        fields |= {"gold_result_path": f"q.{suffix}", "gold_result_key": "answer"}
    elif results_in == "folder":
        fields["gold_result_path"] = "csv"
    return fields


def judged(asker: Asker, folder: Path, fields: dict[str, str]) -> Evaluation:
    tasks = read_tasks(definition(folder, **fields))
    run = Run("run", {name: Attempt(task_id=name, sql=sql) for name, sql in SQLS.items()})
    return evaluate(tasks, [run], asker)[0]


@pytest.mark.parametrize(
    ("suffix", "sql_in", "results_in"),
    list(product(("csv", "json", "jsonl"), ("file", "folder"), ("executed", "field", "folder"))),
)
def test_the_layout_changes_no_verdict(
    asker: Asker, tmp_path: Path, suffix: str, sql_in: str, results_in: str
) -> None:
    found = judged(asker, tmp_path, laid_out(tmp_path, suffix, sql_in, results_in))
    assert [one.status for one in found.outcomes] == STATUSES
    doubts = [one.comparison.doubts if one.comparison else () for one in found.outcomes]
    assert doubts == [(), (), () if results_in == "executed" else (NULL_OR_EMPTY,), ()]


def test_golds_in_a_mapping_change_no_verdict(asker: Asker, tmp_path: Path) -> None:
    fields = laid_out(tmp_path, "json", "file", "executed")
    (tmp_path / "golds.json").write_text(
        json.dumps({name: sql for name, (sql, _) in GOLDS.items()})
    )
    found = judged(asker, tmp_path, fields | {"gold_sql_path": "golds.json"})
    assert [one.status for one in found.outcomes] == STATUSES


def test_where_several_results_are_right_one_of_them_is_enough(
    asker: Asker, tmp_path: Path
) -> None:
    fields = laid_out(tmp_path, "json", "file", "folder")
    (tmp_path / "csv" / "2.csv").rename(tmp_path / "csv" / "2_a.csv")
    (tmp_path / "csv" / "2_b.csv").write_text("n\n4\n")
    assert judged(asker, tmp_path, fields).outcomes[1].status == "Matched"


def test_spider_2_is_evaluated_from_the_results_that_a_run_left(tmp_path: Path) -> None:
    gold, run = tmp_path / "gold" / "exec_result", tmp_path / "run"
    question_file(
        tmp_path / "spider2-lite.jsonl",
        [
            {"instance_id": name, "instruction": "?", "db_id": "x"}
            for name in ("bq1", "bq2", "bq10")
        ],
    )
    gold.mkdir(parents=True)
    for name, text in (
        ("bq1_a", "n\n1\n"),
        ("bq1_b", "n\n2\n"),
        ("bq2", "a,b\n1,x\n2,y\n"),
        ("bq10", "n\n1\n"),
    ):
        (gold / f"{name}.csv").write_text(text)
    task_files(run, "bq1", sql="SELECT `a` FROM `p.d.t`", csv_text="m\n2\n")
    task_files(run, "bq2", csv_text="b,a\ny,1\nx,2\n")
    tasks = read_tasks(built_in("spider2", tmp_path))
    [found] = evaluate(
        tasks,
        [read_run(find_run(run), [one.task_id for one in tasks.tasks])],
        None,
        Settings(executed=False),
    )
    assert [(one.task.task_id, one.status) for one in found.outcomes] == [
        ("bq1", "Matched"),
        ("bq2", "Column Mismatch"),
        ("bq10", "Not Executed"),
    ]
