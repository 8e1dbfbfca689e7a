"""Two corpora that differ in more than references are told apart, and how is said."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pytest

from flows.cli import app
from provenance.difference import difference
from provenance.errors import ProvenanceError
from tests.provenance.small import write_corpus

Rows = list[dict[str, Any]]


def saved(folder: Path, rows: Rows, features: datasets.Features) -> Path:
    datasets.Dataset.from_list(rows, features=features).save_to_disk(str(folder))
    return folder


def changed(folder: Path, change: Callable[[Rows], object]) -> tuple[Path, Path]:
    """The small corpus, and a copy of it that was changed."""
    old = write_corpus(folder)
    loaded = datasets.load_from_disk(str(old), keep_in_memory=True)
    rows = loaded.to_list()
    change(rows)
    return old, saved(folder / "new", rows, loaded.features)


def swap(rows: Rows) -> None:
    rows[0], rows[1] = rows[1], rows[0]


CHANGES: list[tuple[Callable[[Rows], object], str]] = [
    (swap, "row 0: 'sample_id' is 5848 in OLD and 5849 in NEW"),
    (lambda rows: rows.pop(), "row 5: NEW has only 5 rows"),
    (lambda rows: rows.append(rows[0]), "row 6: OLD has only 6 rows"),
    (lambda rows: rows[2].update(question="Other?"), "row 2: 'question' is 'Question 5850?' in OLD"),
    (lambda rows: rows[3].update(prompt_raw=None), "row 3: 'prompt_raw' is 'Prompt of 5852' in OLD and None"),
    (lambda rows: rows[4]["messages"][0].update(role="system"), "row 4: 'messages' is "),
    (lambda rows: rows[1]["groundtruth_sqls"].__setitem__(0, "SELECT 1"), "row 1: the gold is \"SELECT COUNT"),
    (lambda rows: rows[1]["groundtruth_sqls"].clear(), "row 1: the gold is \"SELECT COUNT"),
    (lambda rows: rows[1]["groundtruth_sqls"].__setitem__(0, rows[1]["groundtruth_sqls"][0] + " "), "row 1: the gold is"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "said"), CHANGES, ids=[said[:40] for _, said in CHANGES])
def test_the_first_difference_is_named(
    tmp_path: Path, change: Callable[[Rows], object], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = changed(tmp_path, change)
    first = difference(old, new).first
    assert first is not None, "no difference"
    assert first.startswith(said)
    assert app.run(["diff", str(old), str(new), "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["difference"] == first
    assert err.strip() == first


def test_other_references_are_no_difference(tmp_path: Path) -> None:
    old, new = changed(tmp_path, lambda rows: rows[1]["groundtruth_sqls"].append("SELECT 1"))
    found = difference(old, new)
    assert found.holds
    assert (found.rows, found.lists_changed) == (6, 1)
    assert found.references_after == found.references_before + 1


def test_another_schema_is_a_difference(tmp_path: Path) -> None:
    old = write_corpus(tmp_path)
    loaded = datasets.load_from_disk(str(old), keep_in_memory=True)
    loaded.rename_column("question", "asked").save_to_disk(str(tmp_path / "renamed"))
    first = difference(old, tmp_path / "renamed").first or ""
    assert first.startswith("columns differ: ('question', 'string') in OLD, ('asked', 'string')")
    loaded.cast_column("sample_id", datasets.Value("int32")).save_to_disk(str(tmp_path / "narrow"))
    assert "int32" in (difference(old, tmp_path / "narrow").first or "")


def test_declared_features_count(tmp_path: Path) -> None:
    old, new = changed(tmp_path, lambda rows: None)
    info = json.loads((new / "dataset_info.json").read_text())
    info["features"]["question"]["dtype"] = "large_string"
    (new / "dataset_info.json").write_text(json.dumps(info))
    assert difference(old, new).first == "the declared features differ (dataset_info.json)"


def test_what_is_no_dataset_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ProvenanceError, match="cannot be read as a dataset saved to disk"):
        difference(tmp_path, tmp_path)
    assert app.run(["diff", str(tmp_path), str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
