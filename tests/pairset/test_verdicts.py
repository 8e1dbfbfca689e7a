"""Verdicts: nothing that was said is lost, whoever speaks at once and whatever breaks."""

import json
import multiprocessing
import shutil
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from pairset.build import Build
from pairset.manifest import is_current, read_manifest, write_manifest
from pairset.verdicts import (
    KINDS,
    BadVerdict,
    Verdict,
    Verdicts,
    add_verdict,
    count_verdicts,
    read_verdicts,
    verdicts_path,
)
from tests.pairset.sample_build import frame
from tests.shared_data import ROOT

PAIR, OTHER = "a" * 64, "b" * 64
ANN = Verdict(PAIR, "Ann", "same meaning", "why not", "2026-01-01T00:00:00+00:00")


def test_a_verdict_is_read_as_it_was_given(tmp_path: Path) -> None:
    told = replace(ANN, note="line\nline \u202e <b> \U0001f600 \"'")
    add_verdict(verdicts_path(tmp_path), told)
    assert read_verdicts(tmp_path).last == {(PAIR, "Ann"): told}


def test_the_last_of_a_reviewer_counts_and_the_earlier_stay_in_the_file(tmp_path: Path) -> None:
    path = verdicts_path(tmp_path)
    for verdict in (ANN, replace(ANN, reviewer="Bo"), replace(ANN, verdict="wrong owner")):
        add_verdict(path, verdict)
    found = read_verdicts(tmp_path)
    assert {who: one.verdict for (_, who), one in found.last.items()} == {
        "Ann": "wrong owner",
        "Bo": "same meaning",
    }
    assert len(path.read_text().splitlines()) == 3
    counted = count_verdicts(found)
    assert counted is not None
    assert (counted["replaced"], counted["pairs_reviewers_differ"]) == (1, 1)


def _speak(path: Path, reviewer: str, count: int) -> None:
    for at in range(count):
        add_verdict(path, replace(ANN, reviewer=reviewer, pair_id=f"{at:064x}"))


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path, spawn = verdicts_path(tmp_path), multiprocessing.get_context("spawn")
    people = [spawn.Process(target=_speak, args=(path, f"r{at}", 40)) for at in range(3)]
    for person in people:
        person.start()
    for person in people:
        person.join(60)
    found = read_verdicts(tmp_path)
    assert len(found.last) == found.lines == 120
    assert found.unread == []


def test_a_line_that_a_crash_cut_off_is_named_and_costs_no_other(tmp_path: Path) -> None:
    path = verdicts_path(tmp_path)
    add_verdict(path, ANN)
    whole = path.read_bytes()
    with path.open("ab") as file:
        file.write(whole[:40])
    torn = read_verdicts(tmp_path)
    assert list(torn.last) == [(PAIR, "Ann")]
    assert (cut := torn.torn()) is not None
    assert cut.line == 2
    add_verdict(path, replace(ANN, reviewer="Bo"))
    after = read_verdicts(tmp_path)
    assert set(after.last) == {(PAIR, "Ann"), (PAIR, "Bo")}
    assert [(one.line, one.reason) for one in after.unread] == [(2, "it is no JSON")]
    assert after.torn() is None
    assert path.read_bytes().startswith(whole + whole[:40])


def test_reading_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = verdicts_path(tmp_path)
    reader = Verdicts(path)
    assert reader.read() == []
    add_verdict(path, ANN)
    assert reader.read() == [ANN]
    assert reader.read() == []
    add_verdict(path, replace(ANN, pair_id=OTHER))
    assert [one.pair_id for one in reader.read()] == [OTHER]


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{}",
        "1",
        "\u0000",
        json.dumps({"pair_id": PAIR, "reviewer": "A", "verdict": "?", "note": "", "at": ""}),
        json.dumps({"pair_id": 1, "reviewer": "A", "verdict": KINDS[0], "note": "", "at": ""}),
        json.dumps({"pair_id": PAIR, "reviewer": " ", "verdict": KINDS[0], "note": "", "at": ""}),
    ],
)
def test_a_line_that_is_no_verdict_is_counted_and_named(tmp_path: Path, line: str) -> None:
    path = verdicts_path(tmp_path)
    add_verdict(path, ANN)
    with path.open("a") as file:
        file.write(line + "\n")
    found = read_verdicts(tmp_path)
    assert [one.line for one in found.unread] == [2]
    counted = count_verdicts(found)
    assert counted is not None
    assert counted["unread_lines"] == [2]


def test_what_is_too_long_or_unknown_is_no_verdict() -> None:
    with pytest.raises(BadVerdict, match="one of really different"):
        replace(ANN, verdict="perhaps")
    with pytest.raises(BadVerdict, match="name"):
        replace(ANN, reviewer="")
    with pytest.raises(BadVerdict, match="4,001"):
        replace(ANN, note="x" * 4001)


def test_the_manifest_counts_verdicts_once_there_are_any(sample: Build, tmp_path: Path) -> None:
    shutil.copytree(sample.root, tmp_path / "sample")
    build = Build(sample.config, tmp_path / "sample")
    assert is_current(build)
    before = (build.root / "MANIFEST.md").read_text()
    assert "## Verdicts" not in before
    there = frame(build, "pairs").get_column("pair_id")[0]
    add_verdict(verdicts_path(build.root), replace(ANN, pair_id=there))
    add_verdict(verdicts_path(build.root), replace(ANN, pair_id=OTHER, verdict="wrong owner"))
    assert not is_current(build)
    write_manifest(build)
    assert is_current(build)
    manifest, page = read_manifest(build), (build.root / "MANIFEST.md").read_text()
    assert manifest is not None
    assert {row["verdict"]: row["verdicts"] for row in manifest["verdicts"]["by_kind"]} == {
        "really different": 0,
        "same meaning": 1,
        "wrong owner": 1,
    }
    assert "| same meaning | 1 | 1 |" in page
    assert "1 of the pairs are not in this build" in page
    schema = json.loads((ROOT / "pairset" / "manifest" / "schema.json").read_text())
    jsonschema.validate(manifest, schema)
    verdicts_path(build.root).unlink()
    write_manifest(build)
    assert (build.root / "MANIFEST.md").read_text() == before
