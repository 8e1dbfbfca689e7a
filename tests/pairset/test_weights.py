"""The weights of the draw are a setting: another one is another build, and the manifest says so."""

import shutil
from pathlib import Path

import polars as pl
import pytest

from pairset.build import Build
from pairset.config import load_config
from pairset.manifest import read_manifest
from pairset.manifest.render import render
from pairset.stages.pairs import PairsStage
from pairset.work import make, pending
from tests.pairset.sample_build import frame

UNIFORM = {"PAIRSET_GENERATORS__MUTANTS__WEIGHTS": "uniform"}
GIVEN = ("samples", "schemas", "golds")


@pytest.fixture
def uniform(sample: Build, tmp_path: Path) -> Build:
    """One database of the sample, with uniform weights, its pairs still to make."""
    build = Build(load_config(None, UNIFORM), tmp_path, sample.endpoints)
    for table in GIVEN:
        path = build.store.path(table, "sample", "festival")
        path.parent.mkdir(parents=True)
        shutil.copy(sample.store.path(table, "sample", "festival"), path)
    return build


def pairs_of(build: Build) -> pl.DataFrame:
    stage = PairsStage()
    make(stage, build, stage.units(build))
    return frame(build, "pairs")


def test_other_weights_draw_other_pairs_of_edits_and_the_same_single_ones(
    sample: Build, uniform: Build
) -> None:
    observed = frame(sample, "pairs").filter(db_id="festival")
    found = pairs_of(uniform)
    singles = [rows.filter(pl.col("order") == 1)["pair_id"] for rows in (observed, found)]
    doubles = [rows.filter(pl.col("order") == 2)["pair_id"] for rows in (observed, found)]
    assert set(singles[0]) == set(singles[1])
    assert set(doubles[0]) != set(doubles[1])
    assert found.equals(pairs_of(uniform))


def test_what_was_made_with_other_weights_is_made_again(sample: Build) -> None:
    stage = PairsStage()
    other = Build(load_config(None, UNIFORM), sample.root, sample.endpoints)
    assert pending(stage, sample) == []
    assert pending(stage, other) == stage.units(other)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({}, "weighted by how often models err"),
        ({"weights": "uniform"}, "every class as likely as any other"),
        ({"second_order": False}, "None has two edits."),
        ({"enabled": False}, "The grammar was off."),
    ],
)
def test_the_manifest_says_how_edits_came_together(
    sample: Build, told: dict[str, object], said: str
) -> None:
    manifest = read_manifest(sample)
    assert manifest is not None
    assert manifest["settings"]["generators"]["mutants"]["weights"] == "observed"
    manifest["settings"]["generators"]["mutants"] |= told
    assert said in render(manifest)


def test_the_manifest_counts_what_was_kept_by_operator_and_dataset(sample: Build) -> None:
    manifest = read_manifest(sample)
    assert manifest is not None
    pairs = frame(sample, "pairs")
    for row in manifest["operators"]:
        alone = pairs.filter(operator=row["operator"], dataset=row["dataset"])
        codes = pairs.filter(pl.col("order") == 2)["operator"].str.split("+")
        assert row["alone"] == alone.height
        assert row["in_two"] == codes.list.contains(row["operator"]).sum()
    assert sum(row["alone"] for row in manifest["operators"]) == (pairs["order"] == 1).sum()
