"""The commands that make no table: sources, verify-comparator, db serve."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from db_execution.client import Client
from db_execution.endpoints import Endpoint
from db_execution.protocol import Query
from db_execution.writer import write_database
from flows.cli import app
from tests.shared_data import ROOT

COMMAND = [sys.executable, "-c", "from flows.cli import main; main()"]


def test_sources_counts_the_sample(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["sources", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["databases"] >= 4
    assert facts["samples"] >= 60
    assert [one["dataset"] for one in facts["sources"]] == ["sample"]


def test_sources_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["sources"]) == 0
    head, row, *_ = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["corpus", "dataset", "samples"]
    assert row.split()[:2] == ["sample", "sample"]


def test_nothing_can_be_verified_in_an_empty_build(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run(["verify-comparator", "--data", str(tmp_path / "data")]) == 2
    assert "verify-comparator is made from samples" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("tree", ["original", "original=gone", "=."])
def test_a_tree_that_cannot_be_served_is_one_line(
    tree: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run(["db", "serve", "--tree", tree]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("pairset: ")


def test_the_service_says_where_it_is_and_answers(tmp_path: Path) -> None:
    write_database(tmp_path / "toy" / "toy.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
    words = ["db", "serve", "--tree", f"original={tmp_path}", "--workers", "1"]
    with subprocess.Popen(
        [*COMMAND, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as service:
        assert service.stdout is not None
        address = json.loads(service.stdout.readline())
        with Client([Endpoint(address["url"], "original")]) as client:
            asked = Query(dataset_name="any", db_id="toy", sql="SELECT a + 1 FROM t")
            assert client.execute(asked).rows == ((2,),)
        service.terminate()
