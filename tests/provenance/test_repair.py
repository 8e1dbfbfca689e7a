"""The repair: what it keeps, moves and removes, and that it touches nothing else."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets
import pytest

from db_execution.comparator import same_answer
from db_execution.protocol import Batch
from flows.cli import app
from pairset.build import Build
from pairset.config import load_config
from provenance.difference import difference
from provenance.errors import ProvenanceError
from provenance.repair import repair, the_corpus
from provenance.repair import write as writing
from sqltext.facts import analyse
from tests.flows.helpers import contents
from tests.provenance.small import (
    EAST,
    LATE,
    NORTH_QUAY,
    ON_TIME,
    ROWS,
    made,
    write_config,
    write_corpus,
)

Lists = dict[int, list[Any]]


def lists_of(folder: Path) -> Lists:
    """The lists of a dataset by sample, as anybody would load it."""
    loaded = datasets.load_from_disk(str(folder), keep_in_memory=True)
    return {row["sample_id"]: row["groundtruth_sqls"] for row in loaded}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().split("\n") if line]


@pytest.fixture(scope="module")
def repaired(harbour: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small corpus, repaired."""
    out = tmp_path_factory.mktemp("repaired") / "out"
    repair(harbour, out)
    return out


def test_a_shifted_block_reaches_the_nearest_sample_that_it_answers(repaired: Path) -> None:
    before, after = {sample: [gold, *more] for sample, gold, more in ROWS}, lists_of(repaired)
    block = before[5849][1:3]
    assert after[5854] == [ON_TIME, *block]
    assert after[5849] == [NORTH_QUAY, before[5849][3]]
    assert after[5855] == before[5855]


def test_what_answers_nothing_and_what_says_the_same_again_is_removed(repaired: Path) -> None:
    removed = {(r["sample_id"], r["reference_index"]): r for r in lines(repaired / writing.REMOVED)}
    assert {place: (r["gate"], r["reason"], r["ends_sample_id"]) for place, r in removed.items()} == {
        ("5849", 1): ("gives_the_golds_answer", "another_answer", "5854"),
        ("5849", 2): ("gives_the_golds_answer", "another_answer", "5854"),
        ("5849", 4): ("gives_the_golds_answer", "another_answer", None),
        ("5850", 1): ("is_no_duplicate", "exact_form_of_the_gold", None),
    }  # fmt: skip
    assert lists_of(repaired)[5850] == [EAST]


def test_every_reference_is_in_the_audit_and_every_removed_one_in_the_list(repaired: Path) -> None:
    audit = lines(repaired / writing.AUDIT)
    removed = lines(repaired / writing.REMOVED)
    assert len(audit) == sum(len(more) for _, _, more in ROWS)
    refused = [(r["corpus_row"], r["reference_index"]) for r in audit if r["gate"]]
    assert refused == [(r["corpus_row"], r["reference_index"]) for r in removed]
    extra = [r["reads_extra_tables"] for r in audit if r["sample_id"] == "5849"]
    assert extra == [[], [], [], []]


def test_the_report_adds_up(harbour: Build, repaired: Path, tmp_path: Path) -> None:
    numbers = repair(harbour, tmp_path / "again")
    assert numbers.references_before == numbers.references_kept + numbers.removed
    assert numbers.references_after == numbers.references_kept + numbers.references_reattached
    assert sum(numbers.removed_by_gate.values()) == numbers.removed == 4
    page = (repaired / writing.PAGE).read_text()
    assert "References 8 -> 6, of which 2 are re-attached to another sample." in page
    assert contents(repaired) == contents(tmp_path / "again")


def test_it_differs_in_its_references_alone(harbour: Build, repaired: Path) -> None:
    corpus = the_corpus(harbour.config)
    found = difference(corpus.path, repaired)
    assert (found.first, found.rows, found.lists_changed) == (None, 6, 3)
    old, new = (datasets.load_from_disk(str(path)) for path in (corpus.path, repaired))
    assert old.features == new.features
    assert old.column_names == new.column_names


def test_the_corpus_is_only_read(harbour: Build, tmp_path: Path) -> None:
    corpus = the_corpus(harbour.config)
    before = contents(corpus.path)
    repair(harbour, tmp_path / "out")
    assert contents(corpus.path) == before


def test_repairing_what_is_repaired_changes_nothing(repaired: Path, tmp_path: Path) -> None:
    config = write_config(tmp_path, corpus=repaired)
    with made(config, tmp_path / "build") as build:
        numbers = repair(build, tmp_path / "again")
    assert (numbers.removed, numbers.samples_changed) == (0, 0)
    for name in ("data-00000-of-00001.arrow", "dataset_info.json", "state.json"):
        assert (tmp_path / "again" / name).read_bytes() == (repaired / name).read_bytes()


def rows_of(build: Build, folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """The rows, not the digests, of every query in a saved corpus, by its database."""
    wanted: dict[tuple[str, str], set[str]] = {}
    for row in datasets.load_from_disk(str(folder), keep_in_memory=True):
        place = row["dataset_name"], row["db_id"]
        wanted.setdefault(place, set()).update(row["groundtruth_sqls"])
    found = {}
    with build.client() as client:
        for place, texts in wanted.items():
            sqls = tuple(sorted(texts))
            batch = Batch(dataset_name=place[0], db_id=place[1], queries=sqls, max_rows=50_000)
            answers = [answer.rows for answer in client.batch(batch)]
            found[place] = dict(zip(sqls, answers, strict=True))
    return found


def wrong_answers(build: Build, folder: Path) -> list[str]:
    """The references of a saved corpus whose rows are not their gold's."""
    rows, wrong = rows_of(build, folder), []
    for row in datasets.load_from_disk(str(folder), keep_in_memory=True):
        gold, *references = row["groundtruth_sqls"]
        there = rows[row["dataset_name"], row["db_id"]]
        ordered = bool(references) and analyse(gold).ordered
        wrong += [s for s in references if not same_answer(there[gold], there[s], ordered=ordered)]
    return wrong


def test_no_kept_reference_gives_another_answer(harbour: Build, repaired: Path) -> None:
    assert wrong_answers(harbour, repaired) == []


def test_on_the_finer_sample_the_shifted_reach_their_homes(finer: Build, tmp_path: Path) -> None:
    """The heavier figures, and repairing twice, are in bench.provenance."""
    numbers = repair(finer, tmp_path / "out")
    assert numbers.references_before == 2452
    assert numbers.references_reattached > 150
    assert difference(the_corpus(finer.config).path, tmp_path / "out").holds
    assert wrong_answers(finer, tmp_path / "out") == []


MEGABYTE = f"SELECT COUNT(*) FROM Calls WHERE SHIP <> '{'x' * 1_000_000}' AND CALL_DATE = '2018/8/1' AND DELAY <= 0"  # fmt: skip
BROKEN: tuple[tuple[int, str | None, list[Any]], ...] = (
    (1, ON_TIME, [None, "", "  \n", "not SQL at all", "SELECT 1; SELECT 2", MEGABYTE, "DROP TABLE Calls",
                  "SELECT nope FROM Calls", "SELECT 'a\x00b'", ON_TIME.replace("<= 0", "< 1")]),
    (2, "SELECT nope FROM Calls", ["SELECT SHIP FROM Calls", "SELECT nope FROM  Calls"]),
    (3, "this is no gold", ["SELECT SHIP FROM Calls"]),
    (4, None, ["SELECT SHIP FROM Calls"]),
    (5, LATE, ["SELECT SHIP FROM Calls WHERE CALL_DATE = '2018/8/20' AND DELAY >= 6"]),
)  # fmt: skip


def test_broken_references_and_golds_are_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    write_corpus(tmp_path, BROKEN)
    with made(write_config(tmp_path), tmp_path / "build") as build:
        numbers = repair(build, tmp_path / "out")
    reasons = {
        (r["sample_id"], r["reference_index"]): r["reason"]
        for r in lines(tmp_path / "out" / writing.REMOVED)
    }
    assert reasons[("1", 1)] == "reference_is_no_text"
    assert reasons[("1", 2)] == reasons[("1", 3)] == "reference_is_empty"
    assert reasons[("1", 4)].startswith("does_not_parse")
    assert reasons[("1", 5)].startswith("does_not_parse")
    assert reasons[("1", 6)] == "does_not_parse: too_long"
    assert reasons[("1", 7)].startswith("does_not_parse")
    assert reasons[("1", 8)] == "fails: no_such_column"
    assert ("1", 10) not in reasons
    assert reasons[("2", 1)] == reasons[("2", 2)] == "gold_fails: no_such_column"
    assert reasons[("3", 1)] == "gold_does_not_parse"
    assert numbers.rows_not_read == 1
    after = lists_of(tmp_path / "out")
    assert after[4] == [None, "SELECT SHIP FROM Calls"]  # could not be read: left as it was
    assert after[5] == [LATE, BROKEN[4][2][0]]
    page = (tmp_path / "out" / writing.PAGE).read_text()
    assert "## Golds without an answer" in page
    assert "gold_fails: no_such_column" in page
    assert "null_gold" in page


def test_a_missing_database_is_named_and_proves_nothing(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    with made(write_config(tmp_path, databases=False), tmp_path / "build") as build:
        numbers = repair(build, tmp_path / "out")
    assert numbers.references_after == 0
    removed = lines(tmp_path / "out" / writing.REMOVED)
    assert {r["reason"] for r in removed} == {"database_is_missing"}
    assert "database_is_missing" in (tmp_path / "out" / writing.PAGE).read_text()


def test_only_a_new_folder_outside_the_corpus_is_written(harbour: Build, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(ProvenanceError, match="is there already"):
        repair(harbour, tmp_path / "there")
    with pytest.raises(ProvenanceError, match="inside the corpus"):
        repair(harbour, the_corpus(harbour.config).path / "out")


def test_what_fails_half_way_leaves_nothing(
    harbour: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise OSError("no space left")

    monkeypatch.setattr(writing, "report", fail)
    with pytest.raises(OSError, match="no space"):
        repair(harbour, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_other_layouts_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run(["repair", "--out", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "it names: sample (sample)" in err
    assert list(tmp_path.iterdir()) == []


def test_the_commands_make_prove_and_say_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, config, out = write_corpus(tmp_path), write_config(tmp_path), tmp_path / "fixed"
    words = ["--config", str(config), "--out", str(out), "--json", "--workers", "1"]
    assert app.run(["repair", *words]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["references_before"], facts["references_after"]) == (8, 6)
    assert app.run(["diff", str(corpus), str(out), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["same"], facts["lists_changed"], facts["difference"]) == (True, 3, None)


def test_a_config_of_two_corpora_is_refused(harbour: Build) -> None:
    (one,) = harbour.config.corpora
    other = load_config(None, {}).corpora[0]
    config = harbour.config.model_copy(update={"corpora": (one, other)})
    with pytest.raises(ProvenanceError, match=r"harbour \(finer\), sample \(sample\)"):
        repair(replace(harbour, config=config), Path("out"))


def test_the_stage_s_command_counts_both_verdicts(
    harbour: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, data = harbour.root.parent.parent / "config.toml", harbour.root.parent
    words = ["references", "--direct", "--config", str(config), "--data", str(data)]
    assert app.run([*words, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["references"], facts["references_kept"], facts["removed"]) == (8, 4, 4)
    assert facts["references_reattached"] == 2
    assert {
        "provenance_check": "misaligned_in_corpus",
        "likely_elsewhere": True,
        "rows": 2,
    } in facts["verdicts"]
    assert app.run(words) == 0
    shown = capsys.readouterr().out
    assert "gives_the_golds_answer" in shown
    assert "definition of record" in shown
