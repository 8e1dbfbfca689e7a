"""Sets decide nothing: the same verdicts, scores and lists under another hash seed."""

import json
import os
import subprocess
import sys
from dataclasses import astuple
from pathlib import Path
from shutil import copytree, rmtree

from pairset.build import Build
from tests.flows.helpers import contents
from tests.provenance.conftest import data_of
from tests.shared_data import ROOT

MADE = ("audit", "provenance_scores", "reference_audit", "removed_references")
SCRIPT = """
import json, sys
from pathlib import Path
from db_execution.endpoints import Endpoint
from pairset.build import Build
from pairset.config import load_config
from pairset.work import make
from provenance.audit import AuditStage
from provenance.stage import ReferencesStage

config, root, endpoints = sys.argv[1:]
endpoints = tuple(Endpoint(*words) for words in json.loads(endpoints))
build = Build(load_config(Path(config), {}), Path(root), endpoints)
for stage in (AuditStage(), ReferencesStage()):
    make(stage, build, stage.units(build))
print(hash("pairset"))
"""


def test_the_same_bytes_under_another_hash_seed(harbour: Build, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    copytree(harbour.root, root)
    for table in MADE:
        rmtree(root / table)
    config = str(data_of(harbour).parent / "config.toml")
    endpoints = json.dumps([astuple(one) for one in harbour.endpoints])
    made = subprocess.run(
        [sys.executable, "-c", SCRIPT, config, str(root), endpoints],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert int(made.stdout) != hash("pairset")
    for table in MADE:
        assert contents(root / table) == contents(harbour.root / table), table
