"""A Ray cluster gives the bytes of threads; for machines on which prefect-ray is installed."""

import importlib.util
import json
from pathlib import Path

import pytest

from tests.flows.helpers import contents, python

MAIN = "from flows.cli import main; main()"
HERE = importlib.util.find_spec("prefect_ray") is not None


@pytest.mark.flow
@pytest.mark.skipif(not HERE, reason="prefect-ray is not installed: pip install prefect-ray")
def test_two_ray_workers_give_the_bytes_of_threads(tmp_path: Path, prefect: dict[str, str]) -> None:
    path = tmp_path / "pairset.toml"
    path.write_text("workers = 2\ngenerators.mutants.cap = 3\n[executor]\nrunner = 'ray'\n")
    asked = ("run", "--config", str(path), "--json", "--data")
    direct = python("-c", MAIN, *asked, str(tmp_path / "threads"), "--direct")
    ray = python("-c", MAIN, *asked, str(tmp_path / "ray"), env=prefect)
    assert (direct.returncode, ray.returncode) == (0, 0), ray.stderr
    assert json.loads(ray.stdout)["made"] == json.loads(direct.stdout)["made"] > 20
    assert contents(tmp_path / "ray" / "sample") == contents(tmp_path / "threads" / "sample")
