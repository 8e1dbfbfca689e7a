"""The command line: what it prints where, and how it ends."""

import json
import re
from pathlib import Path

import pytest

from flows.cli import app
from flows.cli.making import HELP
from tests.flows.helpers import pairset, python
from tests.flows.toy import PARTS


def run(*words: str) -> int:
    return app.run(list(words), PARTS)


def test_every_command_has_a_help_text(capsys: pytest.CaptureFixture[str]) -> None:
    for name in HELP:
        assert run(name, "--help") == 0
        assert HELP[name].split(".")[0] in " ".join(capsys.readouterr().out.split())


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert pairset().stdout.startswith("Usage: pairset")


def test_a_help_text_imports_nothing_slow() -> None:
    slow = ("pyarrow", "polars", "prefect", "pydantic", "httpx", "rich.progress")
    code = (
        "import sys; from flows.cli import app; app.run(['--help']); "
        f"sys.exit(' '.join(m for m in {slow} if m in sys.modules))"
    )
    assert python("-c", code).stderr == "\n"


def test_json_is_one_line_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "--data", str(tmp_path), "--json", "--direct") == 0
    out, err = capsys.readouterr()
    facts = json.loads(out)
    assert out.count("\n") == 1
    assert (facts["golds"], facts["tied"] + facts["separated"], facts["made"]) == (11, 11, 12)
    assert facts["tables"]["golds"]["rows"] == 11
    assert re.search(r"^golds: 4 pieces made in \d+\.\d s$", err, re.MULTILINE)


def test_a_run_prints_a_table_of_what_it_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "--data", str(tmp_path), "--direct") == 0
    out = capsys.readouterr().out
    assert re.search(r"^samples +18 +[\d,]+ +[0-9a-f]{16}$", out, re.MULTILINE)
    assert out.endswith(f"read on in {tmp_path}/sample/MANIFEST.md\n")


def test_a_second_run_has_nothing_to_do_and_never_meets_prefect(tmp_path: Path) -> None:
    pairset("run", "--data", str(tmp_path), "--direct")
    again = pairset("run", "--data", str(tmp_path), "--json")
    assert again.stderr.splitlines() == [
        f"nothing to do: all that run makes is up to date in {tmp_path}/sample",
        "no prefect",
    ]
    assert json.loads(again.stdout)["made"] == 0


def test_a_missing_manifest_is_something_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("run", "--data", str(tmp_path), "--direct")
    (tmp_path / "sample" / "MANIFEST.md").unlink()
    assert run("run", "--data", str(tmp_path), "--direct") == 0
    assert (tmp_path / "sample" / "MANIFEST.md").exists()


BAD_CONFIGS = {
    "unknown key": ("wrokers = 2", "unknown key 'wrokers' in the config; did you mean 'workers'?"),
    "wrong type": ('workers = "two"', "workers: found 'two' (text); it may be a whole number"),
    "wrong path": ('[[corpora]]\nlayout = "spider"\nname = "s"\npath = "gone"', "no folder 'gone'"),
    "not TOML": ("workers =", "not TOML"),
}


@pytest.mark.parametrize("fault", BAD_CONFIGS)
def test_a_bad_config_is_one_line_and_nothing_is_written(
    fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, line = BAD_CONFIGS[fault]
    config = tmp_path / "build.toml"
    config.write_text(text)
    assert run("run", "--config", str(config), "--data", str(tmp_path / "data")) == 2
    assert_one_line(capsys, line)
    assert [path.name for path in tmp_path.iterdir()] == ["build.toml"]


def test_a_config_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("labels", "--config", str(tmp_path / "no.toml"), "--data", str(tmp_path)) == 2
    assert_one_line(capsys, "no config file")
    assert not list(tmp_path.iterdir())


def test_labels_of_an_empty_build_say_what_to_make_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("labels", "--data", str(tmp_path / "data")) == 2
    assert_one_line(capsys, "make it with: pairset samples --data ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words", [["nope"], ["run", "--nope"], ["run", "--workers", "0"], ["run", "--workers", "many"]]
)
def test_words_that_no_command_knows_are_one_line(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words) == 2
    assert_one_line(capsys, words[-1] if words[-1].endswith("nope") else "'--workers'")


def test_a_folder_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert run("run", "--data", str(tmp_path / "file"), "--direct") == 2
    assert_one_line(capsys, "is none")


def assert_one_line(capsys: pytest.CaptureFixture[str], words: str) -> None:
    """Nothing on standard output, and one line with those words on standard error."""
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("pairset: ")
    assert words in err
