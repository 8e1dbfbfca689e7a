"""Lists that hold what is no reference, in a question file: named, counted, and the rest goes on."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import polars as pl
import pytest

from db_execution.writer import write_database
from pairset.build import Build
from pairset.frames import to_table
from pairset.store import Made
from pairset.work import make
from provenance.audit import AuditStage
from provenance.extraction import verify_extraction
from tests.pairset.sample_build import frame
from tests.provenance.small import LATE, ON_TIME, ON_TIME_AGAIN, SCRIPT, made

ODD = [
    None, "", ["SELECT 1"], 7, {"sql": "SELECT 1"}, f"SELECT '{'x' * 1_000_000}'", "no SQL",
    "SELECT 1; SELECT 2", "\ud800", ON_TIME_AGAIN,
]  # fmt: skip
QUESTIONS = [
    {"db": "port", "q": "on time?", "sql": ON_TIME, "more": ODD},
    {"db": "port", "q": "late?", "sql": LATE, "more": ON_TIME},
    {"db": "port", "q": "fails?", "sql": "SELECT nope FROM Calls", "more": [ON_TIME_AGAIN]},
    {"db": "gone", "q": "no database?", "sql": ON_TIME, "more": [ON_TIME_AGAIN]},
]


def config_of(folder: Path) -> Path:
    """The config of a build of those questions; of two databases, one is there."""
    (folder / "asked.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)))
    write_database(folder / "databases" / "port" / "port.sqlite", SCRIPT)
    (folder / "schemas.json").write_text(json.dumps({"gone": SCRIPT.partition("INSERT")[0]}))
    config = folder / "config.toml"
    config.write_text(
        f"""
        [[corpora]]
        name = "asked"
        layout = "tasks"
        file = {json.dumps(str(folder / "asked.jsonl"))}
        split = "train"
        question_key = "q"
        db_key = "db"
        gold_key = "sql"
        references_key = "more"
        databases = {json.dumps(str(folder / "databases"))}
        schemas = {json.dumps(str(folder / "schemas.json"))}
        on_missing = "skip"
        [generators.mutants]
        cap = 2
        """
    )
    return config


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    """The build of those questions; look, do not change."""
    folder = tmp_path_factory.mktemp("asked")
    with made(config_of(folder), folder / "build") as build:
        yield build


def test_what_is_no_reference_is_named_and_the_rest_is_audited(asked: Build) -> None:
    reasons = Counter(frame(asked, "reference_audit")["reason"].to_list())
    assert reasons == {
        "reference_is_no_text": 5, "reference_is_empty": 1, "does_not_parse: too_long": 1,
        "does_not_parse: not_a_query": 1, "does_not_parse: two_statements": 1, None: 1,
        "gold_fails: no_such_column": 1, "database_is_missing": 1,
    }  # fmt: skip
    verdicts = frame(asked, "audit")
    (other,) = verdicts.filter(pl.col("provenance_check") != "ok").to_dicts()
    assert other["provenance_note"].startswith("belongs to sample asked-0 of the same database")
    assert verdicts.height == frame(asked, "pairs").height
    assert frame(asked, "refused_samples")["reason"].to_list() == ["references_not_a_list"]


def test_what_is_no_reference_is_found_again_too(asked: Build) -> None:
    proof = verify_extraction(asked.root, asked.config.corpora)
    assert (proof.errors, proof.listed) == ([], len(ODD) + 2)


def test_a_pair_that_is_no_query_is_the_builder_s_error(asked: Build, tmp_path: Path) -> None:
    copytree(asked.root, tmp_path / "copy")
    build = replace(asked, root=tmp_path / "copy")
    for table in ("pairs", "samples"):
        place = (table, "asked", "port")
        text = json.dumps(build.store.read(*place).to_pylist())
        changed = json.loads(text.replace(ON_TIME_AGAIN, "SELECT FROM"))
        build.store.write(place, to_table(table, changed), Made(f"{table}/1", {}))
    stage = AuditStage()
    make(stage, build, stage.units(build))
    notes = frame(build, "audit")["provenance_note"].to_list()
    assert notes.count("its gold or its neighbour is no query") == 2
