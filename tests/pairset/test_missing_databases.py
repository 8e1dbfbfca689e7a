"""Databases that are missing: named, counted, and no hindrance to building pairs."""

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from db_execution.writer import write_database
from pairset.build import Build, Unit
from pairset.config import load_config
from pairset.corpus import CorpusError
from pairset.manifest import read_manifest
from pairset.stages.samples import ALL, SamplesStage
from pairset.stages.schemas import SchemasStage, schema_of
from pairset.work import make
from tests.pairset.sample_build import built, frame

DDL = (
    "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL UNIQUE, c REAL REFERENCES u(x));"
    "CREATE TABLE u (x INTEGER, y TEXT, UNIQUE (x, y), PRIMARY KEY (x, y));"
    "CREATE TABLE broken (;"
)
TASKS = [
    {"id": "1", "db": "here", "q": "?", "sql": "SELECT a FROM t WHERE b = 'x'"},
    {"id": "2", "db": "here", "q": "?", "sql": "SELECT absent FROM t"},
    {"id": "3", "db": "gone", "q": "?", "sql": "SELECT a FROM t WHERE c > 1 AND b = 'x'"},
]


def config(folder: Path, on_missing: str) -> Path:
    write_database(folder / "databases" / "here" / "here.sqlite", DDL.rpartition("CREATE")[0])
    (folder / "schemas.json").write_text(json.dumps({"gone": DDL, "here": DDL}))
    (folder / "tasks.jsonl").write_text("\n".join(map(json.dumps, TASKS)))
    path = folder / "config.toml"
    path.write_text(
        '[[corpora]]\nname = "own"\nlayout = "tasks"\nfile = "tasks.jsonl"\nsplit = "train"\n'
        'id_key = "id"\nquestion_key = "q"\ndb_key = "db"\ngold_key = "sql"\n'
        f'databases = "databases"\nschemas = "schemas.json"\non_missing = "{on_missing}"\n'
    )
    return path


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    folder = tmp_path_factory.mktemp("missing")
    with built(folder / "out", config(folder, "skip")) as found:
        yield found


def test_pairs_are_built_on_the_schema_that_the_ddl_declares(build: Build) -> None:
    pairs = build.store.read("pairs", "own", "gone")
    assert pairs.num_rows > 5
    schemas = build.store.read("schemas", "own", "gone")
    assert set(schemas["tree"].to_pylist()) == {"schema"}
    table = schema_of(schemas).table("T")
    assert table is not None
    assert table.keys == (frozenset({"a"}), frozenset({"b"}))
    assert table.foreign_keys == ((("c",), "u", ("x",)),)


def test_what_the_engine_refused_of_a_ddl_is_listed(build: Build) -> None:
    [refused] = frame(build, "refused_schemas").to_dicts()
    assert (refused["reason"], refused["db_id"]) == ("ddl_refused", "gone")
    assert "broken" in refused["sql"]
    assert "syntax error" in refused["note"]


def test_a_gold_without_a_database_is_refused_by_name_and_its_pairs_have_no_label(
    build: Build,
) -> None:
    [refused] = frame(build, "refused_runs").to_dicts()
    assert (refused["reason"], refused["db_id"]) == ("missing_database", "gone")
    assert build.store.read("labels", "own", "gone").num_rows == 0


def test_a_gold_that_names_a_missing_column_is_a_gold_error(build: Build) -> None:
    wrong = frame(build, "golds").filter(pl.col("gold_sql") == TASKS[1]["sql"])["gold_id"][0]
    pairs = frame(build, "pairs").filter(pl.col("gold_id") == wrong)
    labels = frame(build, "labels").join(pairs, on="pair_id")
    assert labels.height > 0
    assert set(labels["label"]) <= {"gold_error", "both_error"}


def test_a_pair_without_a_label_stays_in_every_reading(build: Build) -> None:
    manifest = read_manifest(build)
    assert manifest is not None
    for rows in manifest["labels"].values():
        assert sum(row["rows"] for row in rows if row["label"] is None) > 5


def test_the_manifest_counts_them(build: Build) -> None:
    page = (build.root / "MANIFEST.md").read_text()
    assert "| runs | own | missing_database | 1 |" in page
    assert "| schemas | own | ddl_refused | 1 |" in page


def test_a_build_that_may_not_miss_any_stops_with_one_line(tmp_path: Path) -> None:
    build = Build(load_config(config(tmp_path, "stop"), {}), tmp_path / "out")
    make(SamplesStage(), build, [ALL])
    with pytest.raises(CorpusError, match=r"own: 1 of 2 databases are missing \(gone\); name the"):
        SchemasStage().units(build)


def test_a_database_that_changes_by_a_byte_is_another_input(tmp_path: Path) -> None:
    path = config(tmp_path, "skip")
    build = Build(load_config(path, {}), tmp_path / "out")
    before = SchemasStage().inputs(build, Unit("own", "here"))
    database = tmp_path / "databases" / "here" / "here.sqlite"
    database.write_bytes(database.read_bytes()[:-1] + b"!")
    after = SchemasStage().inputs(Build(build.config, build.root), Unit("own", "here"))
    assert before != after
