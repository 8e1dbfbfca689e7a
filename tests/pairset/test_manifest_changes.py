"""What changed since another build, and manifest.json held to its published schema."""

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import jsonschema
import pyarrow as pa
import pytest

from pairset.build import Build
from pairset.manifest import read_manifest, write_manifest
from pairset.manifest.render import render
from pairset.scores.tied import tied_set
from pairset.store import Made, StoreError
from tests.shared_data import ROOT

SCHEMA = json.loads((ROOT / "pairset" / "manifest" / "schema.json").read_text())


def faults(manifest: dict[str, Any]) -> list[str]:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    found = jsonschema.Draft202012Validator(SCHEMA).iter_errors(manifest)
    return sorted(error.json_path for error in found)


@pytest.fixture
def changed(sample: Build, tmp_path: Path) -> Build:
    """The sample's build with some labels turned, and one pair's label gone."""
    copytree(sample.root, tmp_path / "sample")
    build = replace(sample, root=tmp_path / "sample")
    place = build.store.places("labels")[0]
    labels = build.store.read(*place)
    kept = labels.slice(1)
    turned = ["tied" if at < 3 else label for at, label in enumerate(kept["label"].to_pylist())]
    at = labels.schema.get_field_index("label")
    build.store.write(place, kept.set_column(at, "label", pa.array(turned)), Made("labels/1", {}))
    return build


def test_the_samples_manifest_is_as_the_schema_says(sample: Build) -> None:
    manifest = read_manifest(sample)
    assert manifest is not None
    assert faults(manifest) == []


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [("state", "short", "$.state"), ("more", 1, "$"), ("tied_set", {}, "$.tied_set")],
)
def test_a_manifest_of_another_shape_is_not(
    key: str, value: object, fault: str, sample: Build
) -> None:
    manifest = deepcopy(read_manifest(sample)) or {}
    assert fault in faults(manifest | {key: value})


def test_the_tied_sets_digest_is_on_the_page(sample: Build) -> None:
    page = (sample.root / "MANIFEST.md").read_text()
    assert tied_set(sample).sha256 in page.split("\n\n")[1]


def test_nothing_changed_against_itself(sample: Build, tmp_path: Path) -> None:
    copytree(sample.root, tmp_path / "sample")
    build = replace(sample, root=tmp_path / "sample")
    manifest = write_manifest(build, against=sample.root)
    assert manifest["changes"]["same"]
    assert manifest["changes"]["tables"] == []
    assert "build in the state" in render(manifest)
    assert faults(manifest) == []


def test_rows_and_labels_that_changed_are_counted(sample: Build, changed: Build) -> None:
    found = write_manifest(changed, against=sample.root)
    changes = found["changes"]
    [labels] = changes["tables"]
    before = {
        row["pair_id"]: row["label"]
        for place in sample.store.places("labels")[:1]
        for row in sample.store.read(*place).to_pylist()
    }
    turned = [label for label in list(before.values())[1:4] if label != "tied"]
    assert turned, "the first labels must not all be tied for this test to tell"
    assert (labels["table"], labels["before"] - labels["now"]) == ("labels", 1)
    assert (labels["added"], labels["removed"]) == (len(turned), len(turned) + 1)
    assert sum(row["pairs"] for row in changes["relabelled"]) == len(turned)
    assert {row["now"] for row in changes["relabelled"]} == {"tied"}
    assert faults(found) == []
    page = (changed.root / "MANIFEST.md").read_text()
    assert page.index("## What changed") < page.index("## Labels")
    assert "Pairs of both builds whose label changed" in page


def test_against_a_manifest_alone_counts_are_compared(
    sample: Build, changed: Build, tmp_path: Path
) -> None:
    lone = tmp_path / "lone" / "manifest.json"
    lone.parent.mkdir()
    lone.write_bytes((sample.root / "manifest.json").read_bytes())
    changes = write_manifest(changed, against=lone)["changes"]
    assert changes["relabelled"] is None
    assert [(row["table"], row["added"]) for row in changes["tables"]] == [("labels", None)]
    assert "no label" in {row["label"] for row in changes["labels"]}


@pytest.mark.parametrize("content", [None, "{}", "no JSON"])
def test_what_is_no_manifest_is_refused(content: str | None, sample: Build, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(StoreError, match="manifest"):
        write_manifest(replace(sample), against=tmp_path)
