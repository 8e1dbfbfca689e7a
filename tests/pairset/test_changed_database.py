"""A database changes by one byte between two builds: the second sees it, and reuses nothing."""

from pathlib import Path

from pairset.build import Build
from pairset.stages.runs import RunsStage
from pairset.work import pending
from tests.pairset.sample_build import built, frame
from tests.pairset.test_missing_databases import config

USER_VERSION = 63
"""The last byte of a number in the file's head that no query of the build asks for."""


def test_another_byte_is_another_database_and_every_run_is_made_anew(tmp_path: Path) -> None:
    path = config(tmp_path, "skip")
    database = tmp_path / "databases" / "here" / "here.sqlite"
    with built(tmp_path / "out", path) as build:
        before = frame(build, "runs").to_dicts()
        assert pending(RunsStage(), build) == []
    data = bytearray(database.read_bytes())
    data[USER_VERSION] ^= 1
    database.write_bytes(data)
    again = Build(build.config, build.root)
    assert [unit.db_id for unit in pending(RunsStage(), again)] == ["here"]
    with built(tmp_path / "out", path) as build:
        after = frame(build, "runs").to_dicts()
    [old] = {run["database_sha256"] for run in before}
    [new] = {run["database_sha256"] for run in after}
    assert old != new
    assert [run | {"database_sha256": new} for run in before] == after
