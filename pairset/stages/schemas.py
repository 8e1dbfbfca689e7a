"""schemas: the tables of every database as the engine reports them.

A database that is there is asked through the executor. One that is missing is made empty from the
DDL its corpus declares, and asked in the same way: one reader of schemas, the engine.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from db_execution.client import Client
from db_execution.protocol import Query
from pairset.build import Build, Rows, Unit
from pairset.corpus import CorpusError
from pairset.frames import refused_table, to_table
from pairset.rows import Refusal
from pairset.stages.common import DatabaseStage, rows
from pairset.store import StoreError
from pairset.trees import ORIGINAL, SCHEMA, database_digest, declared_schema, write_empty
from sqltext.lexer import fold
from sqltext.schema import Schema, TableSchema

NO_SCHEMA = "no_schema"
_COLUMNS = """
SELECT m.name, c.name, c.type, c."notnull", c.pk
FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS c
WHERE m.type IN ('table', 'view') AND substr(m.name, 1, 7) <> 'sqlite_' AND c.hidden <> 1
ORDER BY m.rowid, c.cid
"""
_UNIQUES = """
SELECT m.name, l.name, i.name
FROM sqlite_schema AS m JOIN pragma_index_list(m.name) AS l JOIN pragma_index_info(l.name) AS i
WHERE m.type = 'table' AND l."unique" AND NOT l.partial
ORDER BY m.rowid, l.seq, i.seqno
"""
_COLLATED = """
SELECT name FROM sqlite_schema WHERE type = 'table' AND instr(upper(sql), 'COLLATE') > 0
"""
_FOREIGN_KEYS = """
SELECT m.name, f.id, f."from", f."table", f."to"
FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS f
WHERE m.type = 'table' ORDER BY m.rowid, f.id, f.seq
"""


class SchemasStage(DatabaseStage):
    """Where a database is missing, the corpus's ``on_missing`` says whether to go on."""

    name = "schemas"
    version = 1
    tables = ("schemas", "refused_schemas")
    reads = ("samples",)
    asks_executor = True

    def units(self, build: Build) -> list[Unit]:
        """Every database of the samples; stops where one is missing and may not be."""
        units = super().units(build)
        _stop_at_missing(build, units)
        return units

    def inputs(self, build: Build, unit: Unit) -> dict[str, str]:
        """The database's bytes, or the DDL that stands for it."""
        found = database_digest(build, *unit.place)
        if found is not None:
            return {"database": found}
        return {"ddl": declared_schema(build, *unit.place) or ""}

    def make(self, build: Build, unit: Unit) -> Rows:
        """A row a table, and what stood in the way."""
        tree, refused = ORIGINAL, list[Refusal]()
        if database_digest(build, *unit.place) is None:
            tree, refused = SCHEMA, _write_empty(build, unit)
        with build.client() as client:
            found = [] if _has_none(refused) else list(read_tables(client, tree, unit))
        return rows(
            unit,
            schemas=to_table("schemas", found),
            refused_schemas=refused_table("schemas", refused),
        )


def schema_of(table: pa.Table) -> Schema:
    """The schema that the rows of one database say."""
    return Schema(_table_schema(row) for row in table.to_pylist())


def _table_schema(row: dict[str, Any]) -> TableSchema:
    return TableSchema(
        name=row["table"],
        columns=tuple(row["columns"]),
        types=tuple(row["types"]),
        not_null=tuple(row["not_null"]),
        collations=tuple(row["collations"]),
        keys=tuple(frozenset(map(fold, key)) for key in row["keys"]),
        foreign_keys=tuple(
            (tuple(own), table, tuple(other))
            for own, table, other in json.loads(row["foreign_keys"])
        ),
    )


def read_tables(client: Client, tree: str, unit: Unit) -> Iterator[dict[str, Any]]:
    """A row a table or view, as the engine reports it."""
    columns, sha256 = _ask(client, tree, unit, _COLUMNS)
    uniques, _ = _ask(client, tree, unit, _UNIQUES)
    foreign, _ = _ask(client, tree, unit, _FOREIGN_KEYS)
    collated, _ = _ask(client, tree, unit, _COLLATED)
    for table, found in _by_first(columns).items():
        not_null = {name: bool(flag) for name, _, flag, _ in found}
        primary = [name for name, _, _, at in sorted(found, key=lambda c: c[3]) if at]
        unique = [key for key in _keys(_by_first(uniques).get(table, [])) if _all(not_null, key)]
        yield {
            "dataset": unit.dataset,
            "db_id": unit.db_id,
            "tree": tree,
            "table": table,
            "columns": [name for name, _, _, _ in found],
            "types": [kind for _, kind, _, _ in found],
            "not_null": list(not_null.values()),
            # No PRAGMA says which column: where a table names one, none is taken for plain.
            "collations": ["some" if (table,) in collated else ""] * len(found),
            "keys": [primary, *unique] if primary else unique,
            "foreign_keys": json.dumps(_references(_by_first(foreign).get(table, []))),
            "database_sha256": sha256,
        }


def _ask(client: Client, tree: str, unit: Unit, sql: str) -> tuple[list[tuple[Any, ...]], str]:
    asked = Query(dataset_name=unit.dataset, db_id=unit.db_id, tree=tree, sql=sql, max_rows=50_000)
    answer = client.execute(asked)
    if answer.status != "ok" or answer.rows is None or answer.truncated:
        raise StoreError(
            f"the schema of {unit.dataset}/{unit.db_id} on tree {tree!r} cannot be read: "
            f"{answer.error or 'too many rows'}; mend the database, or take it out of its folder"
        )
    return list(answer.rows), answer.database_sha256


def _by_first(found: Iterable[tuple[Any, ...]]) -> dict[str, list[tuple[Any, ...]]]:
    """Rows by their first cell, which is left out of them; order kept."""
    grouped: dict[str, list[tuple[Any, ...]]] = {}
    for first, *rest in found:
        grouped.setdefault(first, []).append(tuple(rest))
    return grouped


def _keys(uniques: Iterable[tuple[Any, ...]]) -> list[list[str]]:
    """The columns of each unique index; one over an expression has no name, and is no key."""
    grouped = _by_first(uniques).values()
    named = [[name for (name,) in columns] for columns in grouped]
    return sorted(columns for columns in named if None not in columns)


def _all(not_null: dict[str, bool], key: list[str]) -> bool:
    return all(not_null.get(name, False) for name in key)


def _references(foreign: Iterable[tuple[Any, ...]]) -> list[list[Any]]:
    """(own columns, other table, other columns) of each foreign key."""
    found: dict[int, list[Any]] = {}
    for number, own, table, other in foreign:
        entry = found.setdefault(number, [[], table, []])
        entry[0].append(own)
        entry[2].append(other)
    return sorted(found.values(), key=str)


def _write_empty(build: Build, unit: Unit) -> list[Refusal]:
    """Make the database from its DDL; what the engine refused of it, and that there is none."""
    ddl = declared_schema(build, *unit.place)
    if ddl is None:
        return [
            _refusal(unit, NO_SCHEMA, note="no database, and its corpus declares no DDL for it")
        ]
    failed = write_empty(build, *unit.place, ddl)
    return [_refusal(unit, "ddl_refused", sql=text, note=reason) for text, reason in failed]


def _refusal(unit: Unit, reason: str, *, sql: str = "", note: str) -> Refusal:
    return Refusal("schemas", reason, *unit.place, place=unit.db_id, sql=sql, note=note)


def _has_none(refused: Sequence[Refusal]) -> bool:
    return any(refusal.reason == NO_SCHEMA for refusal in refused)


def _stop_at_missing(build: Build, units: Sequence[Unit]) -> None:
    """Raise for the first corpus that must have all its databases and lacks some."""
    stops = {c.dataset: c for c in build.config.corpora if c.on_missing == "stop"}
    for dataset, corpus in stops.items():
        own = [u for u in units if u.dataset == dataset]
        missing = [u.db_id for u in own if database_digest(build, *u.place) is None]
        if missing:
            named = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
            raise CorpusError(
                f"{corpus.name}: {len(missing)} of {len(own)} databases are missing ({named}); "
                "name the folder that has them under 'databases', or set on_missing = \"skip\" to "
                "build their pairs without running them"
            )
