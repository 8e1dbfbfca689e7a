"""Hostile golds in a whole build: each is handled, or refused by name and counted; it goes on."""

import json
from collections.abc import Iterator

import polars as pl
import pytest

from db_execution.writer import write_database
from pairset.build import Build
from pairset.manifest import read_manifest
from tests.pairset.hostile_golds import HOSTILE, MADE
from tests.pairset.sample_build import built, frame

ROWS = ",".join(f"({n}, 'v{n}', {n / 2})" for n in range(20))
DDL = f"CREATE TABLE t (a INTEGER, b TEXT, c REAL); INSERT INTO t VALUES {ROWS};"
PLAIN = "SELECT b FROM t WHERE a > 5"
CONFIG = """
[[corpora]]
name = "own"
layout = "tasks"
file = "tasks.jsonl"
split = "train"
id_key = "id"
question_key = "q"
db_key = "db"
gold_key = "sql"
databases = "databases"
on_missing = "skip"

[generators.mutants]
cap = 12

[executor]
max_vm_steps = 20000
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    """A corpus of nothing but hostile golds, between two plain ones."""
    folder = tmp_path_factory.mktemp("hostile")
    write_database(folder / "databases" / "db" / "db.sqlite", DDL)
    texts = {"first": PLAIN} | {name: one.sql for name, one in HOSTILE.items()}
    texts["last"] = PLAIN.replace("5", "6")
    rows = ({"id": name, "db": "db", "q": "?", "sql": sql} for name, sql in texts.items())
    (folder / "tasks.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "config.toml").write_text(CONFIG)
    with built(folder / "out", folder / "config.toml") as found:
        yield found


def fates(build: Build) -> dict[str, str]:
    """What became of every gold, by the id of its sample."""
    found = {row["sample_id"]: row["reason"] for row in frame(build, "refused_samples").to_dicts()}
    for row in frame(build, "refused_golds").to_dicts():
        found[row["sample_id"]] = row["note"].partition(":")[0]
    for ids in frame(build, "pairs").group_by("gold_id").agg(pl.first("source_sample_ids")).rows():
        found[ids[1][0]] = MADE
    return found


def test_every_hostile_gold_is_handled_or_refused_by_name(build: Build) -> None:
    expected = {name: one.fate for name, one in HOSTILE.items()}
    assert fates(build) == expected | {"first": MADE, "last": MADE}


def test_what_is_refused_is_counted_in_the_manifest(build: Build) -> None:
    manifest = read_manifest(build)
    assert manifest is not None
    counted = {(row["stage"], row["reason"]): row["rows"] for row in manifest["refused"]}
    of_samples = [f for one in HOSTILE.values() if (f := one.fate) in ("not_unicode", "empty_gold")]
    unread = [one for one in HOSTILE.values() if one.fate not in (MADE, *of_samples)]
    assert counted == {
        ("samples", "empty_gold"): of_samples.count("empty_gold"),
        ("samples", "not_unicode"): of_samples.count("not_unicode"),
        ("golds", "gold_does_not_parse"): len(unread),
    }


def test_every_query_that_was_made_has_a_named_end(build: Build) -> None:
    runs = frame(build, "runs")
    pairs = frame(build, "pairs")
    golds = frame(build, "golds")
    assert runs.height == len(set(pairs["neighbor_sql"]) | set(golds["gold_sql"]))
    ended = set(runs.filter(pl.col("status") != "ok")["error_class"])
    assert None not in ended
    assert {"vm_steps"} <= ended
    assert frame(build, "labels").height == pairs.height


def test_plain_golds_beside_them_are_as_if_alone(build: Build) -> None:
    labels = frame(build, "labels").join(frame(build, "pairs"), on="pair_id")
    plain = labels.filter(pl.col("gold_sql") == PLAIN)
    assert plain.height == 12
    assert {"tied", "separated"} == set(plain["label"])


def test_a_mutant_of_a_hostile_gold_is_its_text_with_one_span_replaced(build: Build) -> None:
    for row in frame(build, "pairs").filter(pl.col("order") == 1).to_dicts():
        gold, mutant = row["gold_sql"], row["neighbor_sql"]
        assert mutant.startswith(gold[: row["edit_start"]])
        assert mutant.endswith(gold[row["edit_end"] :])
