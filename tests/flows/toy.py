"""A toy build: three small stages that read and write real shards, and a command line over them.

What it makes is told by ``toy.json`` in the folder of the builds: databases with their number of
samples, which piece takes how many seconds, and which one kills its worker.
"""

import hashlib
import json
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from db_execution.errors import Unreachable
from flows.parts import Parts
from pairset.build import Build, Place, Rows, Unit
from pairset.files import write_atomically
from pairset.ids import gold_id
from pairset.schema import TABLES

DATABASES = {"airline": 3, "books": 5, "clinic": 2, "films": 8}
DATASET = "toy"


def told(build: Build) -> dict[str, Any]:
    """What ``toy.json`` says, over the defaults."""
    path = build.root.parent / "toy.json"
    return {"databases": DATABASES} | (json.loads(path.read_text()) if path.exists() else {})


def tell(data: Path, **facts: object) -> None:
    """Write ``toy.json``."""
    data.mkdir(parents=True, exist_ok=True)
    (data / "toy.json").write_text(json.dumps(facts))


@dataclass(frozen=True, slots=True)
class Toy:
    """What the toy stages have in common."""

    name: str
    tables: tuple[str, ...]
    reads: str | None = None
    version: int = 1
    asks_executor: bool = False

    def units(self, build: Build) -> list[Unit]:
        return [Unit(DATASET, db_id, count) for db_id, count in told(build)["databases"].items()]

    def inputs(self, build: Build, unit: Unit) -> dict[str, str]:
        if self.reads is None:
            return {"corpus": f"{unit.db_id} {unit.weight}"}
        shard = build.store.shard(self.reads, unit.dataset, unit.db_id)
        if shard is None:
            build.store.read(self.reads, unit.dataset, unit.db_id)  # raises, and says what to do
            raise AssertionError
        return {self.reads: shard.content}

    def places(self, build: Build, unit: Unit) -> list[Place]:
        return [(table, *unit.place) for table in self.tables]

    def make(self, build: Build, unit: Unit) -> Rows:
        facts = told(build)
        time.sleep(facts.get("seconds", {}).get(f"{self.name}/{unit.db_id}", 0))
        if facts.get("kills") == f"{self.name}/{unit.db_id}":
            os.kill(os.getpid(), signal.SIGKILL)
        if (build.root.parent / f"{self.name}.down").exists():
            raise Unreachable("no executor answers at http://127.0.0.1:1")
        source = build.store.read(self.reads, DATASET, unit.db_id) if self.reads else None
        rows = MAKERS[self.name](unit, source)
        return {(table, DATASET, unit.db_id): rows[table] for table in self.tables}


def samples_of(unit: Unit, source: pa.Table | None) -> dict[str, pa.Table]:
    base = int(hashlib.sha256(unit.db_id.encode()).hexdigest()[:6], 16)
    rows = [
        {"corpus_row": base + at, "db_id": unit.db_id, "gold_sql": f"SELECT {at % 3}"}
        for at in range(unit.weight)
    ]
    return {"samples": filled("samples", rows)}


def golds_of(unit: Unit, source: pa.Table | None) -> dict[str, pa.Table]:
    assert source is not None
    texts = sorted(set(source["gold_sql"].to_pylist()))
    rows = [{"gold_id": gold_id(DATASET, unit.db_id, sql), "gold_sql": sql} for sql in texts]
    return {"golds": filled("golds", rows), "refused_golds": filled("refused_golds", [])}


def labels_of(unit: Unit, source: pa.Table | None) -> dict[str, pa.Table]:
    assert source is not None
    rows = [
        {"pair_id": key, "label": "tied" if key < "8" else "separated"}
        for key in source["gold_id"].to_pylist()
    ]
    return {"labels": filled("labels", rows)}


def filled(table: str, rows: list[dict[str, Any]]) -> pa.Table:
    """Rows of a table whose other columns are null."""
    schema = TABLES[table].schema
    return pa.Table.from_pylist([dict.fromkeys(schema.names) | row for row in rows], schema)


MAKERS = {"samples": samples_of, "golds": golds_of, "labels": labels_of}
STAGES = (
    Toy("samples", ("samples",)),
    Toy("golds", ("refused_golds", "golds"), reads="samples"),
    Toy("labels", ("labels",), reads="golds"),
)


def manifest_text(build: Build) -> str:
    lines = [
        f"{shard.table} {shard.db_id} {shard.rows} {shard.content}\n"
        for stage in STAGES
        for table in stage.tables
        for shard in build.store.shards(table)
    ]
    return "".join(lines)


def manifest_is_current(build: Build) -> bool:
    path = build.root / "MANIFEST.md"
    return path.exists() and path.read_text() == manifest_text(build)


def write_manifest(build: Build) -> None:
    def write(path: Path) -> None:
        path.write_text(manifest_text(build))

    write_atomically(build.root / "MANIFEST.md", write)


PARTS = Parts(STAGES, manifest_is_current, write_manifest)


def main() -> None:
    """The command line, over the toy build; says at the end whether Prefect was imported."""
    from flows.cli import main as pairset

    try:
        pairset(parts=PARTS)
    finally:
        print("imported prefect" if "prefect" in sys.modules else "no prefect", file=sys.stderr)


if __name__ == "__main__":
    main()
