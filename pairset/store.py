"""Where the tables of a build lie: a Parquet file a table and database, which says what made it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pairset.content import content_digest
from pairset.files import write_atomically
from pairset.ids import canonical_json
from pairset.schema import TABLES, Table

_META = b"pairset"
_ROW_GROUP = 131_072


class StoreError(Exception):
    """A table that is not there, or not whole; the message says how to make it."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One file: its table and place, its rows, and the digest over them."""

    table: str
    dataset: str
    db_id: str
    rows: int
    content: str


@dataclass(frozen=True, slots=True)
class Made:
    """What a shard was made from: the stage with its version, and the digests of its inputs."""

    stage: str
    inputs: Mapping[str, str]


class Store:
    """The folder of one build."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, table: str, dataset: str, db_id: str) -> Path:
        """Where the file of that table and database lies."""
        return self.root / table / dataset / f"{db_id}.parquet"

    def write(self, shard: tuple[str, str, str], rows: pa.Table, made: Made) -> Shard:
        """Write ``rows``, sorted by the table's key, at (table, dataset, db_id); all or nothing."""
        name, dataset, db_id = shard
        declared = TABLES[name]
        rows = _in_order(rows.select(declared.schema.names).cast(declared.schema), declared)
        content = content_digest(rows)
        described = rows.replace_schema_metadata({_META: _meta(declared, made, content)})
        write_atomically(self.path(*shard), lambda path: _write_parquet(described, path))
        return Shard(name, dataset, db_id, rows.num_rows, content)

    def read(
        self, table: str, dataset: str, db_id: str, *, columns: Sequence[str] | None = None
    ) -> pa.Table:
        """The rows of one shard, or some columns; raises `StoreError` where it is not there."""
        path = self.path(table, dataset, db_id)
        if not path.exists():
            raise StoreError(
                f"no table '{table}' of {dataset}/{db_id}; make it with: pairset {table}"
            )
        wanted = list(columns or TABLES[table].schema.names)
        with pq.ParquetFile(path) as file:
            if not set(wanted) <= set(file.schema_arrow.names):
                raise StoreError(
                    f"table '{table}' of {dataset}/{db_id} is of another version; "
                    f"make it again with: pairset {table}"
                )
            return file.read(columns=wanted).select(wanted).replace_schema_metadata()

    def shard(self, table: str, dataset: str, db_id: str) -> Shard | None:
        """What the file says of itself, or None where there is none that is whole."""
        meta = self._meta(table, dataset, db_id)
        if meta is None:
            return None
        return Shard(table, dataset, db_id, meta["rows"], meta["content"])

    def is_current(self, table: str, dataset: str, db_id: str, made: Made) -> bool:
        """Whether the file is there and was made by that stage version from just those inputs."""
        meta = self._meta(table, dataset, db_id)
        return meta is not None and (meta["schema"], meta["stage"], meta["inputs"]) == (
            TABLES[table].identity,
            made.stage,
            dict(made.inputs),
        )

    def places(self, table: str) -> list[tuple[str, str, str]]:
        """Where the shards of a table lie, by dataset and database in the order of their names."""
        paths = (self.root / table).glob("*/*.parquet")
        return sorted((table, path.parent.name, path.stem) for path in paths)

    def shards(self, table: str) -> Iterator[Shard]:
        """What every shard of a table says of itself, in the order of their places."""
        for place in self.places(table):
            found = self.shard(*place)
            if found is not None:
                yield found

    def remove(self, table: str, dataset: str, db_id: str) -> None:
        """Take a shard away whose database the build no longer has."""
        self.path(table, dataset, db_id).unlink(missing_ok=True)

    def clear_leftovers(self) -> None:
        """Take away what a killed writer left: files that never got their name."""
        for path in self.root.glob("*/*/.*.partial"):
            path.unlink(missing_ok=True)

    def _meta(self, table: str, dataset: str, db_id: str) -> dict[str, Any] | None:
        path = self.path(table, dataset, db_id)
        try:
            footer = pq.read_metadata(path)
        except (FileNotFoundError, pa.ArrowInvalid):
            return None
        found = (footer.metadata or {}).get(_META)
        if found is None:
            return None
        return {**json.loads(found), "rows": footer.num_rows}


def _in_order(rows: pa.Table, declared: Table) -> pa.Table:
    return rows.sort_by([(column, "ascending") for column in declared.key]).combine_chunks()


def _meta(declared: Table, made: Made, content: str) -> bytes:
    return canonical_json(
        {
            "schema": declared.identity,
            "stage": made.stage,
            "inputs": dict(made.inputs),
            "content": content,
        }
    )


def _write_parquet(rows: pa.Table, path: Path) -> None:
    pq.write_table(rows, path, compression="zstd", compression_level=3, row_group_size=_ROW_GROUP)
