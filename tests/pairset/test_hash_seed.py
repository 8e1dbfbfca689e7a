"""The bytes of a build do not hang on the hash seed: sets and dictionaries decide nothing."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import astuple
from pathlib import Path

import pytest

from pairset.build import Build
from tests.flows.helpers import contents
from tests.shared_data import ROOT

GIVEN = ("samples", "schemas")
MADE = ("golds", "refused_golds", "pairs", "yields", "refused_pairs")
SCRIPT = """
import json, sys
from pathlib import Path
from db_execution.endpoints import Endpoint
from pairset.build import Build
from pairset.config import load_config
from pairset.stages.golds import GoldsStage
from pairset.stages.pairs import PairsStage
from pairset.work import make

endpoints = tuple(Endpoint(*words) for words in json.loads(sys.argv[2]))
build = Build(load_config(None, {}), Path(sys.argv[1]), endpoints)
for stage in (GoldsStage(), PairsStage()):
    make(stage, build, stage.units(build))
print(hash("pairset"))
"""


@pytest.mark.parametrize("seed", ["1", "77"])
def test_the_same_bytes_under_another_hash_seed(sample: Build, tmp_path: Path, seed: str) -> None:
    for table in GIVEN:
        shutil.copytree(sample.root / table, tmp_path / table)
    endpoints = json.dumps([astuple(endpoint) for endpoint in sample.endpoints])
    made = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), endpoints],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert int(made.stdout) != hash("pairset")
    for table in MADE:
        assert contents(tmp_path / table) == contents(sample.root / table), table
    assert len(contents(tmp_path / "pairs")) == 5
