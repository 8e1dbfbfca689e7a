"""The proof of the extraction holds for a build as made, and finds every way to tamper with one."""

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from flows.cli import app
from pairset.build import Build
from pairset.config import TasksCorpus
from pairset.frames import to_table
from pairset.store import Made
from provenance.errors import ProvenanceError
from provenance.extraction import Proof, verify_extraction
from provenance.extraction.corpus_files import Listed, declared_files, listed
from tests.provenance.conftest import data_of
from tests.provenance.small import ROWS

Rows = list[dict[str, Any]]


def proof_of(build: Build) -> Proof:
    return verify_extraction(build.root, build.config.corpora)


def tampered(build: Build, folder: Path, change: Callable[[Rows], object]) -> Build:
    """A copy of the build whose pairs were changed."""
    copytree(build.root, folder / "main")
    copy = replace(build, root=folder / "main")
    (place,) = copy.store.places("pairs")
    rows = copy.store.read(*place).to_pylist()
    change(rows)
    copy.store.write(place, to_table("pairs", rows), Made("pairs/1", {}))
    return copy


def a_reference(rows: Rows) -> dict[str, Any]:
    return next(row for row in rows if row["reference_index"] == 3)


def test_every_pair_and_every_reference_is_found_again(harbour: Build) -> None:
    proof = proof_of(harbour)
    assert proof.holds
    assert proof.listed == sum(len(references) for _, _, references in ROWS)
    assert proof.references == proof.listed - 1  # one is its own gold again, and refused as such
    assert proof.pairs > proof.references


def test_every_reference_of_the_finer_sample_is_found_again(finer: Build) -> None:
    proof = proof_of(finer)
    assert (proof.errors, proof.listed, proof.references) == ([], 2452, 1408)


TAMPERING: list[tuple[str, str, Callable[[Rows], object]]] = [
    ("text", "reference_differs", lambda rows: a_reference(rows).update(neighbor_sql="SELECT 1")),
    ("text, too", "pair_id_is_no_digest", lambda rows: a_reference(rows).update(neighbor_sql="x")),
    ("gold", "gold_id_is_no_digest", lambda rows: a_reference(rows).update(gold_sql="SELECT 1")),
    ("index", "origin_is_unclear", lambda rows: a_reference(rows).update(reference_index=2)),
    (
        "index and origin",
        "reference_differs",
        lambda rows: a_reference(rows).update(
            reference_index=4, neighbor_origin="sample 5849, groundtruth_sqls[4]"
        ),
    ),
    (
        "negative index",
        "origin_is_unclear",
        lambda rows: a_reference(rows).update(reference_index=-1),
    ),
    (
        "sample",
        "sample_is_not_in_the_corpus",
        lambda rows: a_reference(rows).update(neighbor_origin="sample 1, groundtruth_sqls[3]"),
    ),
    (
        "sources",
        "source_has_another_gold",
        lambda rows: a_reference(rows)["source_sample_ids"].append("5848"),
    ),
    ("id", "pair_id_is_no_digest", lambda rows: a_reference(rows).update(pair_id="0" * 64)),
    ("a mutant's id", "pair_id_is_no_digest", lambda rows: rows[0].update(pair_id="f" * 64)),
    ("a pair gone", "reference_is_lost", lambda rows: rows.remove(a_reference(rows))),
]


@pytest.mark.parametrize(("reason", "change"), [t[1:] for t in TAMPERING], ids=[t[0] for t in TAMPERING])  # fmt: skip
def test_tampering_is_found(
    harbour: Build, tmp_path: Path, reason: str, change: Callable[[Rows], object]
) -> None:
    proof = proof_of(tampered(harbour, tmp_path, change))
    assert not proof.holds
    assert reason in {error.reason for error in proof.errors}
    assert proof.builder_error >= 1


def test_only_the_declared_file_is_opened(harbour: Build) -> None:
    (corpus,) = harbour.config.corpora
    path = corpus.path  # type: ignore[union-attr]
    assert (path / "cache-0123456789abcdef.arrow").exists()
    assert [file.name for file in declared_files(path)] == ["data-00000-of-00001.arrow"]


def test_a_corpus_that_is_gone_is_one_line(harbour: Build, tmp_path: Path) -> None:
    (corpus,) = harbour.config.corpora
    gone = corpus.model_copy(update={"path": tmp_path / "gone"})
    with pytest.raises(ProvenanceError, match="harbour: its files cannot be read again"):
        verify_extraction(harbour.root, [gone])


QUESTIONS: Rows = [
    {"db": "port", "q": "a", "sql": "SELECT 1", "more": ["SELECT 2", None]},
    {"db": "port", "q": "b", "sql": "SELECT 3", "more": []},
]


@pytest.mark.parametrize("kind", ["json", "jsonl", "csv", "tsv"])
def test_a_question_file_is_read_in_each_of_its_forms(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"tasks.{kind}"
    if kind == "json":
        file.write_text(json.dumps({"data": QUESTIONS}))
    elif kind == "jsonl":
        file.write_text("\n\n".join(map(json.dumps, QUESTIONS)))
    else:
        apart = "," if kind == "csv" else "\t"
        with file.open("w", newline="") as handle:
            writer = csv.writer(handle, delimiter=apart)
            writer.writerow(QUESTIONS[0])
            writer.writerows([q["db"], q["q"], q["sql"], json.dumps(q["more"])] for q in QUESTIONS)
    corpus = TasksCorpus(
        name="Asked", file=file, split="train", question_key="q", db_key="db", gold_key="sql",
        references_key="more",
    )  # fmt: skip
    assert list(listed(corpus)) == [
        Listed("asked", "port", "tasks-0", "SELECT 1", ("SELECT 2", None)),
        Listed("asked", "port", "tasks-1", "SELECT 3", ()),
    ]


def test_the_command_says_what_it_found(
    harbour: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(data_of(harbour).parent / "config.toml")
    words = ["verify-extraction", "--config", config, "--json", "--data"]
    assert app.run([*words, str(data_of(harbour))]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["builder_error"], facts["failed"], facts["passed"]) == (0, 0, facts["total"])


def test_the_command_ends_with_1_where_the_builder_was_wrong(
    harbour: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(data_of(harbour).parent / "config.toml")
    copytree(harbour.root, tmp_path / "main")
    copy = replace(harbour, root=tmp_path / "main")
    (place,) = copy.store.places("pairs")
    rows = copy.store.read(*place).to_pylist()
    a_reference(rows)["neighbor_sql"] = "SELECT 0"
    meta = copy.store._meta(*place)
    assert meta is not None
    copy.store.write(place, to_table("pairs", rows), Made(meta["stage"], meta["inputs"]))
    code = app.run(["verify-extraction", "--config", config, "--json", "--data", str(tmp_path)])
    out, err = capsys.readouterr()
    assert code == 1
    assert json.loads(out)["builder_error"] == 1
    assert "reference_differs: sample 5849, groundtruth_sqls[3] is another text" in err


def test_without_enrichment_no_reference_has_to_be_there(harbour: Build, tmp_path: Path) -> None:
    def drop(rows: Rows) -> None:
        rows[:] = [row for row in rows if row["reference_index"] < 0]

    build = tampered(harbour, tmp_path, drop)
    assert not proof_of(build).holds
    assert verify_extraction(build.root, build.config.corpora, enrichment=False).holds
