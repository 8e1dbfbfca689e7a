"""`pairset tree` and `pairset scores` as they are typed, over the sample's build."""

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from flows.cli import app
from pairset.build import Build
from pairset.scores.tied import tied_set
from pairset.store import Store


@pytest.fixture(scope="module")
def data(sample: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample's build, to be scored on."""
    folder = tmp_path_factory.mktemp("data")
    copytree(sample.root, folder / "sample")
    return folder


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    """The exit code of a command line, and the one line of JSON that it prints."""
    code = app.run([*words, "--json"])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else None


def test_a_newcomer_makes_trees_checks_them_and_scores_them(
    data: Path, sample: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--data", str(data))
    for name, more in (("copy", ()), ("empty", ()), ("fuzz", ("--seed", "1"))):
        code, made = run(capsys, "tree", name, *where, "--out", str(tmp_path / name), *more)
        assert (code, made["databases"]) == (0, 5)
        code, found = run(capsys, "tree", "check", str(tmp_path / name), *where)
        assert (code, found["passed"], found["sha256"]) == (0, 5, made["sha256"])
        assert run(capsys, "tree", "digest", str(tmp_path / name))[1]["sha256"] == made["sha256"]
    trees = [word for name in ("copy", "fuzz") for word in ("--tree", f"{name}={tmp_path / name}")]
    code, found = run(capsys, "scores", *where, *trees, "--direct", "--workers", "2")
    assert (code, found["databases_asked"]) == (0, 10)
    assert found["tied_set"]["sha256"] == tied_set(sample).sha256
    assert found["trees"]["copy"]["canonical"]["separated"] == 0
    assert found["trees"]["fuzz"]["canonical"]["catch_rate"] > 0.2
    report = data / "sample" / "report"
    assert {"scores.html", "scores.txt", "scores.json"} <= {one.name for one in report.iterdir()}
    rates = Store(report).read("catch_rates", "_", "_")
    assert json.loads((report / "scores.json").read_text())["catch_rates"][0]["tree"] == "copy"
    assert set(rates["tree"].to_pylist()) == {"copy", "fuzz"}
    before = {path.name: path.read_bytes() for path in report.iterdir() if path.is_file()}
    code, again = run(capsys, "scores", *where, *trees, "--direct")
    assert (code, again["databases_asked"]) == (0, 0)
    after = {path.name: path.read_bytes() for path in report.iterdir() if path.is_file()}
    assert after == before


def test_a_tree_that_lacks_databases_is_not_fit(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run(["tree", "check", str(tmp_path), "--data", str(data)]) == 1
    out = capsys.readouterr().out
    assert "sample/cafe: missing: no such database in the tree" in out


BAD = {
    "no tree": (["scores"], "no tree to score"),
    "no folder": (["scores", "--tree", "mine=gone"], "names a folder that is not there"),
    "the original": (["scores", "--tree", "original=."], "choose another name"),
    "a full folder": (["tree", "copy", "--out", "."], "is there already"),
    "no manifest": (["manifest", "--against", "gone"], "no manifest to compare with"),
}


@pytest.mark.parametrize("fault", BAD)
def test_what_cannot_be_done_is_one_line(
    fault: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, line = BAD[fault]
    assert app.run([*words, "--data", str(data)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert line in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("pairset: ")
