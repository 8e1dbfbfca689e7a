"""``pairset benchmark run``, ``rounds`` and ``tutorial``: what a caller types, and what comes back."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from benchmark.statuses import BUCKETS
from flows.cli.app import run
from pairset.corpus import sample
from tests.benchmark.chat_double import KEY, Say, completion, serving
from tests.shared_data import ROOT
from tests.waiting import until

TASKS = [f"cafe-{at:02}" for at in range(1, 13)]
IDS = ",".join(TASKS)
SCRIPT = """
cat > /dev/null
while [ -e "hold_$BENCHMARK_ROUND" ] &&
  [ "$(ls "out/sh_$BENCHMARK_ROUND/trajectory" | wc -l)" -ge "$(cat "hold_$BENCHMARK_ROUND")" ]
do sleep 0.02; done
case "$BENCHMARK_ROUND:$BENCHMARK_TASK_ID" in
  *:cafe-03) echo "no key" >&2; exit 3 ;;
  1:cafe-04) echo "SELECT 1" ;;
  *) echo '```sql'; cat "golds/$BENCHMARK_TASK_ID.sql"; printf '\\n```\\n' ;;
esac
"""


def called(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = run(["benchmark", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shell script that knows the golds, and fails at one task of the twelve."""
    (tmp_path / "golds").mkdir()
    text = (files(sample) / "questions.json").read_text(encoding="utf-8")
    for one in json.loads(text)["questions"]:
        (tmp_path / "golds" / f"{one['sample_id']}.sql").write_text(one["gold"])
    (tmp_path / "agent.sh").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def playing(out: str) -> list[str]:
    words = ["rounds", "--command", "sh agent.sh", "--rounds", "3", "--out", out]
    return [*words, "--task-ids", IDS, "--workers", "2"]


def started(folder: Path, *words: str, seed: int = 0) -> subprocess.Popen[bytes]:
    """The command in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": str(seed)}
    script = "from flows.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", script, "benchmark", *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def killed_after(folder: Path, round_number: int, tasks: int) -> int:
    """Play the rounds, and kill the process once so many tasks of a round are done.

    The script then answers nothing more, so there is something left to do.
    """
    hold = folder / f"hold_{round_number}"
    hold.write_text(str(tasks))
    process = started(folder, *playing("out"), seed=round_number)
    place = folder / "out" / f"sh_{round_number}" / "trajectory"
    until(lambda: len(list(place.glob("*.yaml"))) >= tasks or process.poll() is not None)
    process.send_signal(signal.SIGKILL)
    hold.unlink()
    return process.wait()


def sheets(path: Path) -> dict[str, list[list[Any]]]:
    """Every cell, but for how long it took."""
    return {
        one.title: [
            [cell.value for cell in row]
            for row in one.iter_rows()
            if row[0].value != "Round Duration"
        ]
        for one in load_workbook(path).worksheets
    }


def test_rounds_that_are_killed_twice_go_on_and_come_to_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert killed_after(folder, 0, 5) == -signal.SIGKILL
    assert killed_after(folder, 1, 7) == -signal.SIGKILL
    done = {path.name for path in (folder / "out" / "sh_1" / "trajectory").glob("*.yaml")}
    assert called(capsys, *playing("out"))[0] == 0
    left = {path.name for path in (folder / "out" / "sh_1" / "trajectory").iterdir()}
    assert done <= left  # what was done was not asked again
    assert not [name for name in left if name.endswith(".partial")]  # nor is half a file left
    assert called(capsys, *playing("whole"))[0] == 0
    assert sheets(folder / "out" / "sh_summary.xlsx") == sheets(
        folder / "whole" / "sh_summary.xlsx"
    )
    one, two = (json.loads((folder / n / "sh_summary.json").read_text()) for n in ("out", "whole"))
    assert one | {"seconds": None} == two | {"seconds": None}
    assert one["rates"] == [round(11 / 12, 6), round(10 / 12, 6), round(11 / 12, 6)]


def test_a_run_says_what_became_of_every_task_and_is_evaluated_as_any_other(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "--command", "sh agent.sh", "--run-id", "mine", "--task-ids", IDS, "--json"]
    code, out, _ = called(capsys, *words)
    told = json.loads(out)
    assert code == 0
    assert (told["total"], told["answered"], told["failed"]) == (12, 11, 1)
    assert told["reasons"] == {"exit_status": 1}
    code, out, _ = called(capsys, "eval", "--run", "runs/mine", "--task-ids", IDS, "--json")
    assert json.loads(out)["passed"] == 11
    given = called(
        capsys, "eval", "--run", "runs/mine", "--task-ids", IDS, "--json", "--results", "given"
    )
    assert json.loads(given[1])["passed"] == 11
    assert called(capsys, *words, "--threshold", "0.95")[0] == 1
    again = json.loads(called(capsys, *words)[1])
    assert (again["asked_now"], again["answered"]) == (0, 11)


def test_a_model_is_asked_and_its_key_stands_in_no_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    right = Say(completion("```sql\nSELECT count(*) FROM supplier\n```"))
    with serving(Say({}, 429, {"Retry-After": "0.1"}), right) as double:
        (folder / "agents.toml").write_text(
            f'[agent.m]\nendpoint = "{double.url}"\nmodel = "org/model"\nkey_variable = "MY_KEY"\n'
            "price_prompt = 1.0\nprice_completion = 1.0\n"
        )
        words = ["run", "--agent", "m", "--agents", "agents.toml", "--task-ids", "cafe-01 cafe-02"]
        code, out, err = called(capsys, *words, "--run-id", "r", "--json")
    told = json.loads(out)
    assert (code, told["answered"]) == (0, 2)
    assert told["usage"]["cost"] == 0.00024
    assert "CREATE TABLE" in double.asked[-1]["messages"][1]["content"]
    assert double.keys == [f"Bearer {KEY}"] * 3
    kept = [path.read_text() for path in (folder / "runs").rglob("*") if path.is_file()]
    assert KEY not in "".join([out, err, *kept])


def test_a_wrong_key_is_one_line_and_the_run_goes_on_with_the_right_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {"error": {"message": "no such key"}}
    with serving(Say(said, 401), Say(completion("SELECT 1"))) as double:
        words = ["run", "--endpoint", double.url, "--model", "m", "--task-ids", "cafe-01"]
        words += ["--run-id", "r", "--key-variable", "NO_SUCH_KEY"]
        code, out, err = called(capsys, *words)
        assert (code, out) == (2, "")
        assert "answered 401: no such key; NO_SUCH_KEY is not set" in err
        assert len([line for line in err.splitlines() if line.startswith("pairset:")]) == 1
        assert called(capsys, *words)[0] == 0


def test_a_round_below_the_threshold_ends_with_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["rounds", "--predictions", "p.jsonl", "--rounds", "1", "--out", "r", "--json"]
    (folder / "p.jsonl").write_text('{"task_id": "cafe-01", "sql": "SELECT 1"}')
    code, out, _ = called(capsys, *words, "--threshold", "0.5", "--summary-report-file", "s.txt")
    told = json.loads(out)
    assert code == 1
    [one] = told["by_round"]
    assert sum(one[bucket] for bucket in BUCKETS) == told["total"] == 80
    assert one["not_executed"] == 79
    assert Path(told["files"]["workbook"]).is_file()
    assert "p, 1 rounds over 80 tasks" in (folder / "s.txt").read_text()
    assert called(capsys, *words)[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run"], "the agent: name one of predictions, command, endpoint"),
        (["run", "--command", "a", "--endpoint", "http://h/v1"], "found command and endpoint"),
        (["run", "--agent", "x"], "--agent x: say with --agents in which file it stands"),
        (["run", "--predictions", "none.jsonl"], "no file none.jsonl"),
        (["run", "--command", "true", "--task-ids", "cafe-99"], "no task has the id 'cafe-99'"),
        (["run", "--command", "/no/such", "--task-ids", "cafe-01"], "cannot run the command"),
        (["run", "--command", "true", "--run-id", "../x"], "cannot name a run"),
        (["run", "--command", "true", "--out", "golds", "--run-id", "cafe-01.sql"], "a file is called so"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_line_and_ends_with_two(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    code, out, err = called(capsys, *words)
    assert (code, out) == (2, "")
    lines = [line for line in err.splitlines() if not line.startswith("tasks: ")]
    assert len(lines) == 1  # but for how far it is, where it takes long
    assert said in lines[0]


def test_the_tutorial_ends_in_a_report_and_names_every_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = time.process_time()
    code, out, err = called(capsys, "tutorial", "--json")
    assert time.process_time() - before < 20
    told = json.loads(out)
    assert code == 0
    assert [line[:5] for line in err.splitlines() if line.startswith("[")] == [f"[{at}/5]" for at in range(1, 6)]  # fmt: skip
    assert sum(told[bucket] for bucket in BUCKETS) == told["total"] == 80
    assert all(told[bucket] for bucket in ("passed", "failed", "empty", "not_executed"))
    assert all(Path(path).exists() for path in told["files"].values())
    report = json.loads(Path(told["files"]["report"]).read_text())
    assert report["summary"]["statuses"] == told["statuses"]
    lazy = ["--benchmark", "tutorial", "--definition", told["files"]["definition"]]
    code, out, _ = called(
        capsys, "run", *lazy, "--agent", "lazy", "--task-ids", "cafe-01", "--json"
    )
    assert (code, json.loads(out)["answered"]) == (0, 1)
