"""``pairset publish`` as it is typed, and what a reader then loads: equal rows, equal digests."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from flows.cli.app import run
from pairset.build import Build
from pairset.content import content_digest
from pairset.publish.rows import SCHEMAS, published_rows
from tests.pairset.publish.builds import REPO
from tests.pairset.publish.double import READER, WRITER, Double
from tests.pairset.publish.test_send import stored
from tests.shared_data import ROOT

COMMAND = "from flows.cli import main; main()"
READ = """
import json, sys
from datasets import load_dataset
from huggingface_hub import HfApi, hf_hub_download
repo, out = sys.argv[1:]
with open(out, "w") as lines:
    for name in ("pairs", "runs", "labels"):
        for row in load_dataset(repo, name, split="train", streaming=True):
            lines.write(json.dumps([name, row]) + "\\n")
summary = json.load(open(hf_hub_download(repo, "summary.json", repo_type="dataset")))
infos = HfApi().get_paths_info(repo, list(summary["files"]), repo_type="dataset")
found = {one.path: one.lfs.sha256 for one in infos if one.lfs}
told = {path: one["sha256"] for path, one in summary["files"].items() if path in found}
print(json.dumps([len(found), found == told]))
"""


def python(
    double: Double, home: Path, token: str, *words: str, chunks: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run Python as somebody: a token, a home of the Hub's own for it, and Xet if it is wanted."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "PAIRSET_"))}
    ours = {"HF_ENDPOINT": double.url, "HF_TOKEN": token, "HF_HOME": str(home / token)}
    more = {"PYTHONPATH": str(ROOT), "DO_NOT_TRACK": "1"}
    more["HF_HUB_DISABLE_XET"] = "0" if chunks else "1"
    return subprocess.run(
        [sys.executable, *words],
        cwd=home,
        env=kept | ours | more,
        capture_output=True,
        text=True,
        check=False,
    )


def published(
    double: Double, home: Path, *words: str, token: str = WRITER
) -> subprocess.CompletedProcess[str]:
    """Run ``pairset publish``; whatever comes of it, no token is in what it says or leaves."""
    done = python(double, home, token, "-c", COMMAND, "publish", *words)
    assert token not in done.stdout + done.stderr
    left = [path for path in home.rglob("*") if path.is_file()]
    assert [path for path in left if token.encode() in path.read_bytes()] == []
    return done


def rows_of(build: Build, name: str) -> pa.Table:
    places = build.store.places(name)
    return pa.concat_tables([published_rows(build.store, *place) for place in places])


def test_a_build_is_published_and_a_reader_loads_equal_rows(
    double: Double, sample: Build, tmp_path: Path
) -> None:
    words = ("--data", str(sample.root.parent), "--repo", REPO, "--json")
    would = published(double, tmp_path, *words, "--dry-run")
    assert would.returncode == 0, would.stderr
    assert double.repos == {}
    assert {one["there"] for one in json.loads(would.stdout)["files"]} == {"no"}
    done = published(double, tmp_path, *words)
    assert done.returncode == 0, done.stderr
    facts: dict[str, Any] = json.loads(done.stdout)
    assert facts["sent"] == facts["files"] == len(stored(double))
    would = published(double, tmp_path, *words, "--dry-run")
    assert {one["there"] for one in json.loads(would.stdout)["files"]} == {"same"}

    double.repos[REPO].private = False
    double.accepted.add("rob")
    read = python(double, tmp_path, READER, "-c", READ, REPO, str(tmp_path / "rows"))
    assert read.returncode == 0, read.stderr
    count, equal = json.loads(read.stdout)
    assert (count >= 3, equal) == (True, True)
    rows = [json.loads(line) for line in (tmp_path / "rows").read_text().splitlines()]
    for name, schema in SCHEMAS.items():
        found = pa.Table.from_pylist([row for of, row in rows if of == name], schema=schema)
        assert content_digest(found) == content_digest(rows_of(sample, name))


def said(message: str, code: int, out: str, err: str) -> None:
    """One line that says so, status 2, and nothing on standard output."""
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]
    assert last.startswith("pairset: ")
    assert message in last, err
    assert "Traceback" not in err


def page(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "README.md").write_text("x")
    return ("--corpus", str(tmp_path / "page"), "--data", str(tmp_path / "data"))


def test_what_cannot_be_done_is_one_line_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = page(tmp_path)
    cases = {
        "where to? say --repo": folder,
        "repo: found 'a b'; it may be like 'owner/name'": (*folder, "--repo", "a b"),
        "samples, which is not made": ("--data", str(tmp_path / "data"), "--repo", REPO),
    }
    for message, words in cases.items():
        code = run(["publish", *words])
        said(message, code, *capsys.readouterr())


def test_a_wrong_token_is_one_line_and_status_2(double: Double, tmp_path: Path) -> None:
    done = published(double, tmp_path, *page(tmp_path), "--repo", REPO, token="hf_wrong")
    said("does not know this token", done.returncode, done.stdout, done.stderr)
    assert double.repos == {}
