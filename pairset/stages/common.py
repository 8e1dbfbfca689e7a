"""What the stages share: a piece a database, and the digests of what it is made from."""

import pyarrow as pa

from pairset.build import Build, Place, Rows, Unit
from pairset.ids import digest
from pairset.store import StoreError


class DatabaseStage:
    """A stage whose pieces are the databases of another table, with a shard of each of its own."""

    tables: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    """The tables it reads; there is a piece for each shard of the first."""

    def units(self, build: Build) -> list[Unit]:
        """One piece for each database that there is something of."""
        shards = build.store.shards(self.reads[0])
        return [Unit(shard.dataset, shard.db_id, shard.rows) for shard in shards]

    def inputs(self, build: Build, unit: Unit) -> dict[str, str]:
        """The content digests of the shards that the piece reads."""
        return {table: content(build, unit, table) for table in self.reads}

    def places(self, build: Build, unit: Unit) -> list[Place]:
        """A shard of each of its tables."""
        return [(table, *unit.place) for table in self.tables]


def content(build: Build, unit: Unit, table: str) -> str:
    """The content digest of one shard; raises `StoreError` where it is not made."""
    shard = build.store.shard(table, *unit.place)
    if shard is None:
        raise StoreError(
            f"no table '{table}' of {unit.dataset}/{unit.db_id}; make it with: pairset {table}"
        )
    return shard.content


def rows(unit: Unit, **tables: pa.Table) -> Rows:
    """The tables of one piece, under its dataset and database."""
    return {(name, *unit.place): table for name, table in tables.items()}


def settings_digest(*settings: object) -> str:
    """A digest of settings that change what is made."""
    return digest([repr(setting) for setting in settings])
