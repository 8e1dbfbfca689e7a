"""What a database declares, word for word, as its engine keeps it; and where two differ."""

from collections.abc import Mapping

from db_execution.cells import RawText
from db_execution.client import Client
from db_execution.errors import BadTree
from db_execution.protocol import Query, Terms

Ddl = Mapping[tuple[str, str], str]
"""The text of each table, index, view and trigger, by kind and name, in the order of creation."""

# What SQLite keeps for itself (sqlite_stat1, sqlite_sequence, automatic indexes) nobody declared.
_DECLARED = """
SELECT type, name, sql FROM sqlite_schema
WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid
"""
_SHOWN = 3


class Unreadable(Exception):
    """The database is there, and the engine cannot read it; the message is the engine's word."""


def declared(client: Client, terms: Terms) -> Ddl:
    """What the database declares; raises `Unreadable` for one that is damaged or none at all."""
    rows = ask(client, terms, _DECLARED)
    return {(str(kind), str(name)): _text(sql) for kind, name, sql in rows}


def ask(client: Client, terms: Terms, sql: str) -> tuple[tuple[object, ...], ...]:
    """The rows of a question of ours on those terms; raises `Unreadable`."""
    asked = Query(
        sql=sql,
        dataset_name=terms.dataset_name,
        db_id=terms.db_id,
        tree=terms.tree,
        max_rows=50_000,
    )
    try:
        answer = client.execute(asked)
    except BadTree as error:
        raise Unreadable(str(error)) from None
    if answer.status != "ok" or answer.rows is None or answer.truncated:
        raise Unreadable(answer.error or "more rows than one answer carries")
    return answer.rows


def difference(original: Ddl, other: Ddl) -> str:
    """Where ``other`` declares something else, in words; empty where it is the same to the byte.

    The order in which tables were created does not count.
    """
    found = [f"no {kind} {name}" for kind, name in original if (kind, name) not in other]
    found += [
        f"{kind} {name} is not the original's"
        for kind, name in other
        if (kind, name) not in original
    ]
    found += [
        f"{kind} {name} is declared otherwise"
        for (kind, name), text in original.items()
        if other.get((kind, name), text) != text
    ]
    more = f", and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "; ".join(found[:_SHOWN]) + more


def _text(sql: object) -> str:
    return sql.data.decode("utf-8", "surrogateescape") if isinstance(sql, RawText) else str(sql)
