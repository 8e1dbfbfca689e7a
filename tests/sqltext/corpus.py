"""The corpus queries and the databases they are asked on."""

import functools
import json

import apsw

from sqltext.schema import Schema
from tests.shared_data import shared
from tests.sqltext.engine import database, schema_of


@functools.cache
def queries() -> tuple[tuple[str, str], ...]:
    """(db_id, sql) of every training gold and every published prediction, once each."""
    found: dict[tuple[str, str], None] = {}
    for name in ("train_spider", "train_others"):
        for row in json.loads(shared("corpora", "spider", f"{name}.json").read_text()):
            found[row["db_id"], row["query"]] = None
    for row in json.loads(shared("corpora", "bird", "train", "train.json").read_text()):
        found[row["db_id"], row["SQL"]] = None
    for path in sorted(shared("predictions").glob("*/*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            if row["sql"]:
                found[row["db_id"], row["sql"]] = None
    return tuple(found)


@functools.cache
def empty_database(db_id: str) -> apsw.Connection:
    """The database's tables, without rows."""
    return database(_bird_ddl().get(db_id) or _spider_ddl(db_id))


@functools.cache
def schema(db_id: str) -> Schema:
    """The database's schema."""
    return schema_of(empty_database(db_id))


@functools.cache
def _bird_ddl() -> dict[str, str]:
    found: dict[str, str] = json.loads(
        shared("corpora", "bird", "train", "train_ddl.json").read_text()
    )
    return found


@functools.cache
def filled_database(db_id: str) -> apsw.Connection:
    """A Spider database with its rows, to read."""
    path = shared("corpora", "spider", "database", db_id, f"{db_id}.sqlite")
    return apsw.Connection(f"file:{path}?mode=ro&immutable=1", apsw.SQLITE_OPEN_URI | 1)


def _spider_ddl(db_id: str) -> str:
    folders = ("spider/database", "bird/dev/dev_databases")
    paths = [shared("corpora") / folder / db_id / f"{db_id}.sqlite" for folder in folders]
    path = next((path for path in paths if path.exists()), None)
    if path is None:
        return ""
    connection = apsw.Connection(f"file:{path}?mode=ro&immutable=1", apsw.SQLITE_OPEN_URI | 1)
    rows = connection.execute(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
    )
    return ";\n".join(str(sql) for (sql,) in rows)
