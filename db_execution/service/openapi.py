"""The interface, described in OpenAPI; what it says of limits and modes comes from the code."""

from typing import Any, get_args

from db_execution import cells
from db_execution.limits import LIMITS
from db_execution.protocol import ERROR_CLASSES, FLAGS, STATUSES, Mode, Want

Schema = dict[str, Any]

DESCRIPTION = f"""\
Runs SQL on trees of SQLite databases. What a query does, its failures included, is an answer with
status 200; any other status means that it could not be asked.

`read_only` opens the database immutable and read-only. `sandbox_rollback` runs one statement on a
private copy in memory that is then gone. LIKE ignores the case of ASCII letters, and a
double-quoted word that names nothing is text, as SQLite has it by default.

How cells are written:

{cells.__doc__.partition(chr(10) * 2)[2] if cells.__doc__ else ""}
Rows as objects lose columns of the same name: ask for `"rows_as": "arrays"`, or use the batch.
"""

NAMED = {"dataset_name": "spider", "db_id": "world_1"}
DIGEST = "df09452490ec0eb3ab1c1c8d8708789d926f67dde68d52bff9c0af8e8b0e70af"
EXAMPLE_REQUEST = NAMED | {
    "sql": "SELECT Name FROM country LIMIT 1",
    "mode": "read_only",
    "timeout_ms": 5_000,
    "max_rows": 100,
}
EXAMPLE_BATCH = NAMED | {"want": "digest", "queries": ["SELECT 1", "SELECT absent"]}
EXAMPLE_LINE = {
    "status": "ok",
    "columns": ["1"],
    "row_count": 1,
    "column_count": 1,
    "multiset_digest": DIGEST,
}


def _nullable(kind: str, says: str = "") -> Schema:
    return {"type": [kind, "null"], "description": says}


def _bounded(name: str, says: str) -> Schema:
    limit = LIMITS[name]
    bounds = {"minimum": 1, "maximum": limit.maximum, "default": limit.default}
    return {"type": "integer", **bounds, "description": f"{says} When hit: {limit.answer}."}


_DAY = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
_HOUR = "([01][0-9]|2[0-3]):[0-5][0-9]"
_MOMENT = (
    f"^[1-9][0-9]{{3}}-({_DAY}|02-(0[1-9]|1[0-9]|2[0-8]))"
    f"(T{_HOUR}:[0-5][0-9](\\.[0-9]{{3}})?(Z|[+-]{_HOUR})?)?$"
)

TERMS: dict[str, Schema] = {
    "dataset_name": {"type": "string"},
    "db_id": {"type": "string"},
    "tree": {"type": "string", "default": "original"},
    "mode": {"enum": list(get_args(Mode)), "default": "read_only"},
    "want": {
        "enum": list(get_args(Want)),
        "default": "rows",
        "description": "`digest` reads the whole answer, with no row cap; `prepare` only compiles.",
    },
    "timeout_ms": _bounded("timeout_ms", "Wall time, a safety net."),
    "max_rows": _bounded("max_rows", "Rows that are sent back."),
    "max_vm_steps": _bounded("max_vm_steps", "VM steps: the same limit on every machine."),
    "clock": _nullable(
        "string",
        "ISO 8601; what date('now') and its kin say. Null: the time it is. Leap days and other "
        "forms of ISO 8601 are taken as well.",
    )
    | {"pattern": _MOMENT},
    "seed": _nullable("integer", "What random() and randomblob() follow. Null: nobody knows.")
    | {"minimum": 0, "maximum": 2**63 - 1},
}

FACTS: dict[str, Schema] = {
    "status": {"enum": list(STATUSES)},
    "error_class": {
        "enum": [None, *(name for names in ERROR_CLASSES.values() for name in names)],
        "description": "; ".join(
            f"{of}: {', '.join(names)}" for of, names in ERROR_CLASSES.items()
        ),
    },
    "error": _nullable("string", "One line."),
    "columns": {"type": "array", "items": {"type": "string"}, "description": "Names by position."},
    "rows": _nullable("array", "Each row an array of cells."),
    "row_count": _nullable("integer"),
    "column_count": {"type": "integer"},
    "list_digest": _nullable("string", "Of the rows in order."),
    "multiset_digest": _nullable("string", "Independent of order."),
    "set_digest": _nullable("string", "Of distinct rows; null above a million of them."),
    "close_digest": _nullable("string", "REALs at 9 significant digits; null where there is none."),
    "flags": {"type": "array", "items": {"enum": list(FLAGS)}},
    "truncated": {"type": "boolean", "description": "There were more rows than `max_rows`."},
    "statement_type": {"type": "string", "description": "The first keyword, in capitals."},
    "elapsed_ms": {"type": "number"},
    "sqlite_version": {"type": "string"},
    "database_sha256": {"type": "string"},
}

AS_BEFORE: dict[str, Schema] = {
    "ok": {"type": "boolean"},
    "rows": _nullable("array", "Each row an object, or an array if `rows_as` says so."),
    "pandas_result": _nullable("string", "The rows as a table without an index."),
    "notice": _nullable("string", "The mode."),
    "timed_out": {"type": "boolean"},
}


def _object(properties: dict[str, Schema], *required: str) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required)}


QUERY = _object(
    TERMS
    | {
        "sql": {"type": "string"},
        "rows_as": {"enum": ["objects", "arrays"], "default": "objects"},
    },
    *("dataset_name", "db_id", "sql"),
)
BATCH = _object(
    TERMS
    | {
        "queries": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": LIMITS["batch_queries"].default,
        }
    },
    *("dataset_name", "db_id", "queries"),
)
ERROR = _object(
    {
        "ok": {"const": False},
        "error": {"type": "string"},
        "detail": {"type": "string"},
        "error_class": {"type": "string"},
    },
    *("ok", "error", "detail"),
)
REFUSALS = {
    "401": "a token is needed",
    "403": "it was not addressed to this machine",
    "404": "no such tree, dataset or database",
    "409": "the database is there but not fit to be read",
    "413": "the body is too large",
    "422": "a field is wrong; the error names it and says what it may be",
    "429": "too much is waiting already; Retry-After says when to come again",
    "503": "the service is stopping; ask again, here or elsewhere",
}


def _content(schema: Schema, example: Any, kind: str = "application/json") -> Schema:
    return {"content": {kind: {"schema": schema, "example": example}}}


def _refused(*codes: str) -> dict[str, Schema]:
    return {
        code: {"description": REFUSALS[code]}
        | _content(ERROR, {"ok": False, "error": REFUSALS[code], "detail": REFUSALS[code]})
        for code in codes
    }


def _asking(summary: str, request: Schema, answer: Schema) -> Schema:
    answers = {"200": {"description": "answered"} | answer} | _refused(*REFUSALS)
    body = request | {"required": True}
    return {"post": {"summary": summary, "requestBody": body, "responses": answers}}


def _telling(summary: str, schema: Schema, kind: str = "application/json") -> Schema:
    told = {"200": {"description": summary, "content": {kind: {"schema": schema}}}}
    responses = told | _refused("401", "403", "429")
    return {"get": {"summary": summary, "responses": responses}}


DATABASE = _object(
    {
        "dataset": {"type": "string", "description": "`*` where the tree is flat."},
        "db_id": {"type": "string"},
        "bytes": {"type": "integer"},
        "sha256": {"type": "string"},
        "error": {"type": "string", "description": "Why it cannot be read."},
    },
    *("dataset", "db_id"),
)
LISTED = _object(
    {
        "trees": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": DATABASE},
        }
    },
    "trees",
)
HEALTH = _object({"ok": {"type": "boolean"}}, "ok")
READY = _object(
    {"ok": {"type": "boolean"}, "workers": {"type": "array", "items": {"type": "integer"}}},
    *("ok", "workers"),
)


def _trees() -> Schema:
    said = "Each tree's databases with their sha256; `?tree=` asks for one tree."
    listing = _telling(said, LISTED)
    listing["get"]["parameters"] = [
        {"name": "tree", "in": "query", "required": False, "schema": {"type": "string"}}
    ]
    listing["get"]["responses"] |= _refused("404")
    return listing


def _ready() -> Schema:
    told = _telling("It takes queries.", READY)
    told["get"]["responses"]["503"] = {
        "description": "It takes none: it is stopping, or no worker is there yet.",
        "content": {"application/json": {"schema": READY}},
    }
    return told


EXAMPLE_ANSWER = EXAMPLE_LINE | {
    "ok": True,
    "rows": [{"Name": "Aruba"}],
    "columns": ["Name"],
    "pandas_result": " Name\nAruba",
    "notice": "read_only: the database is opened immutable and read-only.",
    "error": None,
    "timed_out": False,
    "multiset_digest": None,
}

DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "db_execution", "version": "1", "description": DESCRIPTION},
    "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    "security": [{}, {"token": []}],
    "paths": {
        "/execute": _asking(
            "One query, one answer.",
            _content(QUERY, EXAMPLE_REQUEST),
            _content(_object(FACTS | AS_BEFORE, "ok", "status"), EXAMPLE_ANSWER),
        ),
        "/execute/batch": _asking(
            "Many queries of one database, answered in order, a line of JSON each; "
            "an empty line only says that the answer is being waited for.",
            _content(BATCH, EXAMPLE_BATCH),
            _content(_object(FACTS, "status"), EXAMPLE_LINE, "application/x-ndjson"),
        ),
        "/trees": _trees(),
        "/healthz/live": _telling("The process is there.", HEALTH),
        "/healthz/ready": _ready(),
        "/metrics": _telling("Counters, as Prometheus text.", {"type": "string"}, "text/plain"),
        "/openapi.json": _telling("This document.", {"type": "object"}),
    },
}
