"""The commands about the families: what they print, and how they end."""

import json
from pathlib import Path
from random import Random

import pytest

from db_execution.writer import write_database
from flows.cli import app
from flows.errors import WorkerDied
from flows.pool import in_workers
from investigation.families import FAMILIES, Draft, Family, draw
from tests.flows.workers import ending, hears_interrupts, squared
from tests.shared_data import ROOT


def facts(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    """The one line of JSON that a command printed."""
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found: dict[str, object] = json.loads(out)
    return found


def test_an_instance_is_shown_without_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["investigation", "generate", "--family", "signup_cohorts", "--seed", "3"]
    instance = draw("signup_cohorts", 3)
    assert app.run(words) == 0
    shown = capsys.readouterr().out
    assert " ".join(shown.split()).startswith(instance.instruction)
    assert f"-- users: {len(instance.tables[0].rows)} rows" in shown
    assert instance.oracle_sql not in shown
    assert app.run([*words, "--json"]) == 0
    assert "expected" not in facts(capsys)
    assert app.run([*words, "--answer", "--json"]) == 0
    assert facts(capsys)["expected"] == [list(row) for row in instance.expected]
    assert app.run([*words, "--answer"]) == 0
    assert instance.oracle_sql in capsys.readouterr().out


def test_an_instance_is_written_as_a_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.sql"
    words = ["--family", "delivery_streaks", "--seed", str(2**63 - 1), "--out", str(path)]
    assert app.run(["investigation", "generate", *words]) == 0
    assert write_database(tmp_path / "one.sqlite", path.read_text()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["generate", "--family", "x", "--seed", "1"], "no family 'x'"),
        (["generate", "--family", "signup_cohorts", "--seed", "-1"], "a seed is a whole number"),
        (["generate", "--family", "signup_cohorts", "--seed", str(2**63)], "a whole number"),
        (["verify", "--seeds", "1", "--family", "x"], "no family 'x'"),
        (["export", "--out", "out", "--split", "dev"], "no split 'dev'; there are: train, test"),
        (["export", "--out", "README.md"], "README.md is none"),
        (["ties"], "make one with: pairset investigation export"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert app.run(["investigation", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err
    assert not (ROOT / "out").exists()


def test_verify_counts_what_holds(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["investigation", "verify", "--seeds", "2", "--workers", "1"]
    assert app.run([*words, "--json"]) == 0
    found = facts(capsys)
    counts = {key: found[key] for key in ("families", "instances", "passed", "failed")}
    assert counts == {"families": 10, "instances": 20, "passed": 20, "failed": 0}
    assert app.run([*words, "--family", "signup_cohorts"]) == 0
    shown = capsys.readouterr().out
    assert "signup_cohorts: rows_counted ties on 2 of 2: COUNT(*) gives" in shown


def test_verify_ends_with_1_and_names_the_law(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stuck(_: Random) -> Draft:
        return FAMILIES["inventory_shortages"].draft(Random(1))

    name = "sales_net_revenue"
    monkeypatch.setitem(FAMILIES, name, Family(name, 1, stuck))
    words = ["investigation", "verify", "--seeds", "2", "--workers", "1", "--family", name]
    assert app.run(words) == 1
    said = capsys.readouterr().err
    assert "sales_net_revenue, seed 0: not is_golden_where_fixed" in said
    assert "seed 1: not is_golden_where_fixed, is_no_repetition" in said


def test_an_export_says_how_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    words = ["investigation", "export", "--out", str(out), "--family", "signup_cohorts"]
    assert app.run([*words, "--split", "train", "--split", "test", "--json"]) == 0
    found = facts(capsys)
    assert (found["instances"], found["configs"]) == (
        2, [str(out / "train.toml"), str(out / "test.toml")],
    )  # fmt: skip
    assert app.run(words) == 0
    assert f"pairset run --config {out / 'train.toml'}" in capsys.readouterr().out
    data = ["--data", str(tmp_path / "data")]
    assert app.run(["investigation", "ties", "--config", str(out / "train.toml"), *data]) == 2
    assert "pairset samples --config" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_ties_are_told_of_a_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    words = ["--out", str(out), "--family", "signup_cohorts"]
    assert app.run(["investigation", "export", *words]) == 0
    config = out / "train.toml"
    config.write_text(config.read_text() + "\n[generators.mutants]\nenabled = false\n")
    common = ["--config", str(config), "--data", str(tmp_path / "data")]
    assert app.run(["run", "--direct", "--workers", "1", *common]) == 0
    capsys.readouterr()
    assert app.run(["investigation", "ties", *common, "--json"]) == 0
    found = facts(capsys)
    assert found["tied_traps"] == {}
    assert found["tied_twins"] == {"signup_cohorts.rows_counted": 1}
    assert app.run(["investigation", "ties", *common]) == 0
    shown = capsys.readouterr().out
    assert "traps that are tied: none" in shown
    assert "twins that are tied: signup_cohorts.rows_counted (1)" in shown


@pytest.mark.parametrize("workers", [1, 2])
def test_work_comes_back_in_its_order(workers: int) -> None:
    assert list(in_workers(squared, range(5), workers)) == [0, 1, 4, 9, 16]


def test_a_worker_that_is_killed_is_said() -> None:
    with pytest.raises(WorkerDied, match="a worker process was killed"):
        list(in_workers(ending, [1, 2], 2))


def test_a_worker_does_not_hear_an_interrupt_even_while_it_loads() -> None:
    assert list(in_workers(hears_interrupts, [1, 2], 2)) == [False, False]
    assert hears_interrupts(0)
