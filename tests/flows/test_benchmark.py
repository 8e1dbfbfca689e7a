"""``pairset benchmark``: what a caller types, and what comes back."""

import json
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from benchmark.report import TIMES
from benchmark.statuses import BUCKETS
from db_execution.writer import write_database
from flows.cli.app import run
from tests.benchmark.judging import SHOP
from tests.benchmark.made import QUESTIONS, output, question_file, task_files, trajectory
from tests.flows.helpers import contents
from tests.shared_data import ROOT


def called(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = run(["benchmark", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A benchmark of one's own, and a home of runs as the earlier tool leaves it."""
    (tmp_path / "b.toml").write_text(
        '[benchmark.mine]\nbenchmark_path = "."\nquestion_file = "q.csv"\nquestion_id_key = "id"\ndb_key = "db"\ngold_sql_key = "sql"\ndatabases = "db"\n'
    )
    question_file(tmp_path / "q.csv", QUESTIONS)
    write_database(tmp_path / "db" / "shop" / "shop.sqlite", SHOP)
    for name, sql in (("1", "SELECT name FROM kiel"), ("2", "SELECT 4")):
        task_files(
            tmp_path / "home" / "save" / "ns" / "20260101_1200", name, sql=sql, csv_text="x\n1\n"
        )
        trajectory(
            tmp_path / "home" / "trajectory" / "ns" / "20260101_1200" / f"{name}_17.yaml", output()
        )
    return tmp_path


def mine(home: Path, *words: str) -> list[str]:
    return ["eval", "--benchmark", "mine", "--definition", str(home / "b.toml"), *words]


def test_the_sample_is_evaluated_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = called(capsys, "eval", "--json")
    found = json.loads(out)
    assert code == 0
    assert [one["name"] for one in found["systems"]] == ["careful", "hasty", "sleepy"]
    for one in (found, *found["systems"]):
        assert sum(one[bucket] for bucket in BUCKETS) == one["total"]
    assert found["systems"][0]["passed"] == 80


def test_a_run_folder_of_the_earlier_tool_is_evaluated_as_it_is(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    code, out, _ = called(
        capsys,
        *mine(
            home,
            "--run",
            str(home / "home"),
            "--output",
            str(home / "r.json"),
            "--summary-report-file",
            str(home / "s.txt"),
        ),
    )
    assert code == 0
    document = json.loads((home / "r.json").read_text())
    assert document["task_ids"]["matched_task_ids"] == "1"
    assert document["details"]["1"]["node_types"] == {"output": 1}
    assert (home / "s.txt").read_text().strip() == out.strip()


def test_a_share_below_the_threshold_ends_with_one(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    asked = mine(home, "--run", str(home / "home"), "--json")
    assert called(capsys, *asked, "--threshold", "0.5")[0] == 0
    assert called(capsys, *asked, "--threshold", "0.51")[0] == 1


def test_results_can_be_taken_as_they_were_left(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    _, out, _ = called(
        capsys, *mine(home, "--run", str(home / "home"), "--results", "given", "--json")
    )
    assert json.loads(out)["passed"] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--predictions", "nowhere.jsonl"], "no file nowhere.jsonl"),
        (["--run", "nowhere"], "no run folder nowhere"),
        (["--task-ids", "9"], "no task has the id '9'"),
        (["--tree", "x"], "cannot read the tree 'x': expected NAME=DIR"),
        (["--results", "guessed"], "--results: 'guessed'; it may be executed or given"),
        (["--databases", "nowhere"], "no folder nowhere for the databases"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_ends_with_two(
    capsys: pytest.CaptureFixture[str], home: Path, words: list[str], said: str
) -> None:
    runs = [] if words[0] in ("--predictions", "--run") else ["--run", str(home / "home")]
    code, out, err = called(capsys, *mine(home, *runs, *words))
    assert (code, out) == (2, "")
    assert err.startswith("pairset: ")
    assert said in err
    assert err.count("\n") == 1


def test_a_built_in_benchmark_is_told_where_it_lies(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = called(capsys, "eval", "--benchmark", "bird_dev")
    assert (code, "--root" in err) == (2, True)


def test_the_report_does_not_depend_on_the_hash_seed(home: Path) -> None:
    call = "from flows.cli import main; main()"
    paths = {seed: home / f"{seed}.json" for seed in ("0", "7")}
    running = [
        subprocess.Popen(
            [
                sys.executable,
                "-c",
                call,
                "benchmark",
                *mine(home, "--run", str(home / "home"), "--output", str(path)),
            ],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
        )
        for seed, path in paths.items()
    ]
    assert [one.wait() for one in running] == [0, 0]
    documents = [json.loads(path.read_text()) for path in paths.values()]
    one, other = ({k: v for k, v in document.items() if k not in TIMES} for document in documents)
    assert json.dumps(one) == json.dumps(other)


def test_systems_are_compared_two_by_two(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = called(capsys, "compare", "--json", "--reading", "bird")
    found = json.loads(out)
    assert (code, found["reading"], len(found["pairs"])) == (0, "bird", 3)
    first = found["pairs"][0]
    assert (first["name"], first["other"]) == ("careful", "sleepy")
    assert (
        first["both"] + len(first["only_first"]) + len(first["only_second"]) + first["neither"]
        == 80
    )
    _, text, _ = called(capsys, "compare", "--task-ids", "cafe-01,cafe-02")
    assert "McNemar's exact test: p = " in text


def test_golds_are_audited_and_the_scores_shown_without_them(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    definition = mine(home)[1:]
    question_file(
        home / "q.csv",
        [{**QUESTIONS[0], "sql": "SELECT name FROM shop ORDER BY size LIMIT 1"}, QUESTIONS[1]],
    )
    code, out, _ = called(
        capsys, "audit", *definition, "--output", str(home / "findings.json"), "--json"
    )
    assert (code, json.loads(out)["findings"]) == (0, {"arbitrary_cut": 1})
    [finding] = json.loads((home / "findings.json").read_text())["findings"]
    assert set(finding["evidence"]) == {"sql", "answer", "other_sql", "other_answer"}
    _, out, _ = called(
        capsys, *mine(home, "--run", str(home / "home"), "--audit", "--timings", "2", "--json")
    )
    [system] = json.loads(out)["systems"]
    assert system["audit"]["without_any"]["total"] == 1
    assert (system["r_ves"]["rounds"], system["r_ves"]["total"]) == (2, 2)


def test_an_evaluation_changes_nothing_of_benchmark_and_run(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    before = contents(home)
    assert called(capsys, *mine(home, "--run", str(home / "home"), "--audit"))[0] == 0
    assert contents(home) == before


def test_the_time_of_a_report_has_its_zone(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    called(capsys, *mine(home, "--run", str(home / "home"), "--output", str(home / "r.json")))
    told = json.loads((home / "r.json").read_text())["generated_time"]
    assert datetime.fromisoformat(told).tzinfo is not None
