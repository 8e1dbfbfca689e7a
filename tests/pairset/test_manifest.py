"""The manifest says what the tables say, and nothing of the machine."""

import json
from dataclasses import replace

from pairset.build import Build
from pairset.manifest import is_current, read_manifest, write_manifest
from pairset.manifest.markdown import table
from pairset.manifest.render import render
from tests.pairset.sample_build import frame
from tests.shared_data import ROOT


def test_the_page_is_rendered_from_the_json_alone(sample: Build) -> None:
    manifest = json.loads((sample.root / "manifest.json").read_text())
    assert render(manifest) == (sample.root / "MANIFEST.md").read_text()


def test_the_same_tables_give_the_same_bytes(sample: Build) -> None:
    before = [(sample.root / name).read_bytes() for name in ("MANIFEST.md", "manifest.json")]
    write_manifest(replace(sample))
    assert [
        (sample.root / name).read_bytes() for name in ("MANIFEST.md", "manifest.json")
    ] == before
    assert is_current(sample)


def test_labels_add_up_to_the_pairs(sample: Build) -> None:
    manifest = read_manifest(sample)
    assert manifest is not None
    pairs = frame(sample, "pairs").height
    for counted in (
        manifest["labels"]["all"],
        manifest["pairs"]["by_class"],
        manifest["pairs"]["by_generator"],
    ):
        assert sum(row["rows"] for row in counted) == pairs


def test_every_table_is_listed_with_its_rows(sample: Build) -> None:
    manifest = read_manifest(sample)
    assert manifest is not None
    for row in manifest["tables"]:
        assert frame(sample, row["table"]).height == row["rows"]


def test_no_folder_no_worker_count_and_no_time_is_in_it(sample: Build) -> None:
    text = (sample.root / "manifest.json").read_text()
    assert str(sample.root.parent) not in text
    assert "workers" not in text


def test_evaluation_data_is_said_in_the_first_line(sample: Build) -> None:
    manifest = read_manifest(sample)
    assert manifest is not None
    assert not render(manifest).startswith("**Holds evaluation data**")
    assert render({**manifest, "evaluation_data": True}).startswith("**Holds evaluation data**")


def test_a_build_without_one_has_no_current_manifest(sample: Build) -> None:
    assert not is_current(Build(sample.config, sample.root.parent / "nowhere"))


def test_a_table_sets_thousands_apart_and_leaves_nothing_blank_for_zero() -> None:
    assert table(("a", "b"), [(1234567, None), (0, "x")]).splitlines()[2:] == [
        "| 1,234,567 |  |",
        "| 0 | x |",
    ]


def test_the_page_at_the_repositorys_root_is_that_of_the_sample(sample: Build) -> None:
    """After a change of counts: make manifest, and look at the difference."""
    page = (ROOT / "MANIFEST.md").read_text()
    assert (sample.root / "MANIFEST.md").read_text() == page
