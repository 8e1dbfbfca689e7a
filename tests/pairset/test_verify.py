"""The proofs over a finished build find what is wrong, and nothing where all is right."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pyarrow as pa

from pairset.build import Build
from pairset.store import Made
from pairset.verify import verify_comparator


def test_every_label_of_the_sample_is_the_comparators_own(sample: Build) -> None:
    found = verify_comparator(sample, sample=400)
    assert found.holds
    assert (found.pairs, found.pairs_agreed) == (400, 400)
    assert (found.golds, found.golds_tied_with_themselves) == (80, 80)


def test_a_wrong_label_is_found(sample: Build, tmp_path: Path) -> None:
    copytree(sample.root, tmp_path / "copy")
    build = replace(sample, root=tmp_path / "copy")
    place = build.store.places("labels")[0]
    labels = build.store.read(*place)
    at = labels.schema.get_field_index("label")
    turned = [
        {"tied": "separated", "separated": "tied"}.get(x, x) for x in labels["label"].to_pylist()
    ]
    build.store.write(place, labels.set_column(at, "label", pa.array(turned)), Made("labels/1", {}))
    found = verify_comparator(build, sample=400)
    assert not found.holds
    assert found.pairs_agreed < found.pairs


def test_a_gold_that_answers_otherwise_than_it_did_is_found(sample: Build, tmp_path: Path) -> None:
    copytree(sample.root, tmp_path / "copy")
    build = replace(sample, root=tmp_path / "copy")
    place = build.store.places("runs")[0]
    runs = build.store.read(*place)
    at = runs.schema.get_field_index("multiset_digest")
    build.store.write(
        place,
        runs.set_column(at, "multiset_digest", pa.array(["0" * 64] * len(runs))),
        Made("runs/1", {}),
    )
    found = verify_comparator(build, sample=1)
    assert found.golds_tied_with_themselves < found.golds
    assert "gold differs from itself" in found.disagreements[0]
