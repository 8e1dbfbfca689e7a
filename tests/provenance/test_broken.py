"""Lists that hold what is no reference, in a question file: named, counted, and the rest goes on."""

import json
from collections import Counter
from pathlib import Path

import polars as pl

from db_execution.writer import write_database
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


def test_what_is_no_reference_is_named_and_the_rest_is_audited(tmp_path: Path) -> None:
    with made(config_of(tmp_path), tmp_path / "build") as build:
        audit = frame(build, "reference_audit")
        reasons = Counter(audit["reason"].to_list())
        assert reasons == {
            "reference_is_no_text": 5, "reference_is_empty": 1, "does_not_parse: too_long": 1,
            "does_not_parse: not_a_query": 1, "does_not_parse: two_statements": 1, None: 1,
            "gold_fails: no_such_column": 1, "database_is_missing": 1,
        }  # fmt: skip
        verdicts = frame(build, "audit")
        (other,) = verdicts.filter(pl.col("provenance_check") != "ok").to_dicts()
        assert other["provenance_note"].startswith("belongs to sample asked-0 of the same database")
        assert verdicts.height == frame(build, "pairs").height
        assert frame(build, "refused_samples")["reason"].to_list() == ["references_not_a_list"]
        proof = verify_extraction(build.root, build.config.corpora)
        assert (proof.errors, proof.listed) == ([], len(ODD) + 2)


def test_a_pair_that_is_no_query_is_the_builder_s_error(tmp_path: Path) -> None:
    with made(config_of(tmp_path), tmp_path / "build") as build:
        for table, column in (("pairs", "neighbor_sql"), ("samples", "references")):
            place = (table, "asked", "port")
            rows = build.store.read(*place).to_pylist()
            text = json.dumps(rows).replace(ON_TIME_AGAIN, "SELECT FROM")
            assert column in text
            build.store.write(place, to_table(table, json.loads(text)), Made(f"{table}/1", {}))
        stage = AuditStage()
        make(stage, build, stage.units(build))
        notes = frame(build, "audit")["provenance_note"].to_list()
    assert notes.count("its gold or its neighbour is no query") == 2
