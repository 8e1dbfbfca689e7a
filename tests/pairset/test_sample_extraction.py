"""The embedded sample is proven like any corpus: its references are found again in its own file."""

import json
from shutil import copytree

import pytest

from flows.cli import app
from pairset.build import Build
from provenance.extraction import verify_extraction


def test_every_reference_of_the_embedded_sample_is_found_again(sample: Build) -> None:
    proof = verify_extraction(sample.root, sample.config.corpora)
    assert proof.holds
    rows = [sample.store.read(*place) for place in sample.store.places("pairs")]
    indices = [at for table in rows for at in table["reference_index"].to_pylist()]
    assert proof.pairs == len(indices)
    assert proof.references == sum(at >= 0 for at in indices) > 200
    assert proof.listed > proof.references


def test_the_command_needs_no_config(
    sample: Build, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path_factory.mktemp("data")
    copytree(sample.root, data / "sample")
    assert app.run(["verify-extraction", "--data", str(data), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["builder_error"] == 0
