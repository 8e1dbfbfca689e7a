"""Folders that are published: a corpus saved to disk, an export of tasks, a page of one's own."""

import json
from pathlib import Path

import datasets
import pyarrow.parquet as pq
import pytest

from investigation.export import Wanted, export
from pairset.publish import Bundle, PublishError, prepare_folder
from pairset.publish.bundle import SUMMARY
from pairset.publish.card import Card, build_card, safe
from pairset.publish.hub import Hub
from pairset.publish.send import publish
from tests.flows.helpers import contents
from tests.pairset.publish.conftest import LIBRARY, TERMS
from tests.pairset.publish.double import Double
from tests.pairset.publish.test_send import stored

pytestmark = LIBRARY
ROWS = [
    {"question": f"q {at}", "groundtruth_sqls": [f"SELECT {at}", "SELECT '<b>'"], "db_id": "d"}
    for at in range(40)
]


def corpus(folder: Path) -> Path:
    """A corrected corpus: a dataset saved to disk, its report, and a stray of a cache."""
    datasets.disable_progress_bars()
    datasets.Dataset.from_list(ROWS).save_to_disk(str(folder))
    (folder / "FIX_REPORT.md").write_text("# what changed\n")
    (folder / "removed_references.jsonl").write_text('{"a": 1}\n')
    (folder / "cache-1.arrow").write_bytes((folder / "data-00000-of-00001.arrow").read_bytes())
    return folder


def front(bundle: Bundle) -> str:
    """The card's first part, which the Hub reads."""
    text = next(f for f in bundle.files if f.path == "README.md").source.read_text()
    return text.split("---\n")[1]


def test_a_corpus_goes_out_with_its_rows_as_parquet_and_its_reports(tmp_path: Path) -> None:
    source = corpus(tmp_path / "corpus")
    before = contents(source)
    bundle = prepare_folder(source, tmp_path / "out", TERMS)
    assert [f.path for f in bundle.files] == [
        "FIX_REPORT.md",
        "README.md",
        "data/train-00000-of-00001.parquet",
        "removed_references.jsonl",
    ]
    shard = bundle.files[2].source
    assert pq.read_table(shard).to_pylist() == ROWS
    assert contents(source) == before


def test_a_corpus_is_published_and_its_card_names_its_part(
    tmp_path: Path, double: Double, client: Hub
) -> None:
    bundle = prepare_folder(corpus(tmp_path / "corpus"), tmp_path / "out", TERMS)
    publish(bundle, client, TERMS)
    assert set(stored(double)) == {f.path for f in bundle.files} | {SUMMARY}
    loaded = datasets.load_dataset(str(tmp_path / "out"), split="train", streaming=True)
    assert [*loaded] == ROWS
    assert "extra_gated_prompt" in front(bundle)
    assert publish(bundle, client, TERMS).sent == 0


def test_an_export_of_tasks_goes_out_as_it_is_with_a_card(tmp_path: Path) -> None:
    count = export(tmp_path / "tasks", Wanted(splits=("train", "test"), count=1))
    bundle = prepare_folder(tmp_path / "tasks", tmp_path / "out", TERMS)
    paths = [f.path for f in bundle.files]
    assert set(contents(tmp_path / "tasks")) | {"README.md"} == set(paths)
    assert sum(path.endswith(".sqlite") for path in paths) == count
    assert "path: tasks.jsonl" in front(bundle)
    card = (tmp_path / "out" / "README.md").read_text().split("---\n")[2]
    assert card.strip().startswith("**Holds evaluation data**")


def test_a_folder_with_a_card_of_its_own_goes_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "README.md").write_text("---\nlicense: mit\n---\n")
    (tmp_path / "page" / ".hidden").write_text("not this")
    bundle = prepare_folder(tmp_path / "page", tmp_path / "out", TERMS)
    assert [f.path for f in bundle.files] == ["README.md"]
    summary = json.loads(bundle.summary.source.read_text())
    assert summary["kind"] == "folder"
    assert summary["complete"] is True


def test_what_cannot_be_published_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="no folder"):
        prepare_folder(tmp_path / "none", tmp_path / "out", TERMS)
    (tmp_path / "empty").mkdir()
    with pytest.raises(PublishError, match="is nothing that can be published; give a dataset"):
        prepare_folder(tmp_path / "empty", tmp_path / "out", TERMS)
    with pytest.raises(PublishError, match="is inside"):
        prepare_folder(tmp_path / "empty", tmp_path / "empty" / "out", TERMS)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "README.md").write_text("x")
    (tmp_path / "secret").write_text("a token")
    (tmp_path / "page" / "notes.md").symlink_to(tmp_path / "secret")
    with pytest.raises(PublishError, match=r"notes\.md is a link"):
        prepare_folder(tmp_path / "page", tmp_path / "out", TERMS)


@pytest.mark.parametrize(
    "broken", ["not json", "[]", "{}", '{"_data_files": [{}], "_split": null}']
)
def test_a_broken_corpus_is_refused_in_one_line(tmp_path: Path, broken: str) -> None:
    source = corpus(tmp_path / "corpus")
    (source / "state.json").write_text(broken)
    with pytest.raises(PublishError):
        prepare_folder(source, tmp_path / "out", TERMS)


def test_a_corpus_whose_rows_are_missing_is_refused(tmp_path: Path) -> None:
    source = corpus(tmp_path / "corpus")
    (source / "data-00000-of-00001.arrow").unlink()
    with pytest.raises(PublishError, match="which its state.json names"):
        prepare_folder(source, tmp_path / "out", TERMS)


def test_a_card_says_first_that_there_is_evaluation_data(bundle: Bundle) -> None:
    manifest = json.loads(
        next(f for f in bundle.files if f.path == "manifest.json").source.read_text()
    )
    card = build_card(manifest | {"evaluation_data": True}, audited=True)
    assert card.text.startswith("**Holds evaluation data**")
    assert build_card(manifest, audited=True).text.startswith("# Pairs over one")


def test_a_text_from_a_corpus_is_no_markup_on_a_card() -> None:
    assert safe("<b>|`x`\n[a](b)") == "&lt;b>\\|&#96;x&#96; &#91;a](b)"
    text = Card("a: 'b'\n---\nlicense: mit", [], "x").render(TERMS)
    assert text.count("\n---\n") == 1
    assert "\nlicense: cc-by-sa-4.0\n" in text
