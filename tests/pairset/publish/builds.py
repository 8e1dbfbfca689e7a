"""A build of many small databases, made of numbers alone, that is quickly published."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from pairset.build import Build
from pairset.config import load_config
from pairset.manifest import write_manifest
from pairset.schema import TABLES
from pairset.store import Made, Store

DATABASES = tuple(f"db_{at:02}" for at in range(24))
MADE = Made("test/1", {})
REPO = "ann/pairs"


def word(*parts: object) -> str:
    """A text of 64 digits that looks like no other."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def table(name: str, rows: Iterable[dict[str, Any]]) -> pa.Table:
    """A table of that name; what a row does not say is null."""
    schema = TABLES[name].schema
    return pa.Table.from_pylist(list(rows), schema=schema)


def write(store: Store, dataset: str, db_id: str, count: int, salt: object = 0) -> None:
    """One database's pairs, runs and labels; the last pair in ten has no label."""
    place = {"dataset": dataset, "db_id": db_id}
    ids = [word(db_id, salt, at) for at in range(count)]
    pairs = [
        place
        | {"pair_id": one, "gold_id": word(db_id, at // 9), "gold_sql": f"SELECT {word(at)}"}
        | {"neighbor_sql": f"SELECT '{one}'", "question": f"<b>{db_id}?</b>", "order": 1}
        | {"generator": "mutant_grammar", "source_sample_ids": [f"s-{at}"], "of_record": True}
        for at, one in enumerate(ids)
    ]
    labels = [
        place
        | {"pair_id": one, "tree": "original", "label": "tied" if at % 5 == 0 else "separated"}
        | {"gold_row_count": at, "neighbor_row_count": at, "exec_flags": ["gold_cut"]}
        for at, one in enumerate(ids)
        if at % 10 != 9
    ]
    runs = [
        place
        | {"query_id": one, "tree": tree, "sql": f"SELECT '{one}'", "status": "ok", "flags": []}
        | {"row_count": 1, "set_digest": word(one), "sqlite_version": "3"}
        for tree, one in [("original", one) for one in ids] + [("schema", word(db_id))]
    ]
    for name, rows in (("pairs", pairs), ("labels", labels), ("runs", runs)):
        store.write((name, dataset, db_id), table(name, rows), MADE)


def built(root: Path, count: int = 60, *, config: Path | None = None) -> Build:
    """The build, under ``root``, with its manifest."""
    build = Build(load_config(config, {}), root)
    sample = {"corpus_row": 0, "sample_id": "s", "dataset": "one", "db_id": "db_00"}
    rows = [sample | {"gold_sql": "SELECT 1", "references": []}]
    build.store.write(("samples", "one", "db_00"), table("samples", rows), MADE)
    for db_id in DATABASES:
        write(build.store, "one", db_id, count)
    write_manifest(build)
    return build


def digests(summary: bytes) -> dict[str, str]:
    """The sha256 of every file that a summary names."""
    files = json.loads(summary)["files"]
    return {path: one["sha256"] for path, one in files.items()}
