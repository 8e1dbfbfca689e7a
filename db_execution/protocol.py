"""What is asked of the executor and what it answers: the words of the wire, for both sides."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol, get_args

from db_execution.cells import Row, row_from_json, row_to_json
from db_execution.limits import LIMITS, default

Mode = Literal["read_only", "sandbox_rollback"]
Want = Literal["rows", "digest", "prepare"]
Status = Literal["ok", "error", "timeout", "too_large", "refused"]

STATUSES: tuple[Status, ...] = get_args(Status)

ERROR_CLASSES: dict[Status, tuple[str, ...]] = {
    "ok": (),
    "error": (
        "no_such_table",
        "no_such_column",
        "ambiguous_column",
        "no_such_function",
        "wrong_arguments",
        "misuse_of_aggregate",
        "column_count",
        "syntax_error",
        "too_complex",
        "malformed_json",
        "integer_overflow",
        "constraint",
        "corrupt_database",
        "undecodable",
        "other",
    ),
    "timeout": ("vm_steps", "wall_time"),
    "too_large": ("value_bytes", "memory", "result_bytes", "copy_bytes", "rows", "worker_lost"),
    "refused": (
        "not_authorized",
        "not_one_statement",
        "no_statement",
        "parameters",
        "explain",
        "not_text",
        "sql_bytes",
        "nesting",
        "expansion",
    ),
}
"""Which ``error_class`` each status may come with. The names are stable."""

WALL_TIME = "wall_time"
"""The flag of a run that the safety net ended: on a faster machine it might have gone on."""

NOT_UTF8 = "not_utf8"
"""The flag of an answer with TEXT whose bytes are not UTF-8: no driver gives it as a text."""

FLAGS = (WALL_TIME, NOT_UTF8)


TOKEN_VARIABLE = "PAIRSET_DB_TOKEN"
"""The environment variable that a service takes its token from."""


class BadRequest(ValueError):
    """A request that no executor could run; says which field and what it may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """On what terms queries are run: where, how, for how long, and what is wanted of their answers.

    ``timeout_ms`` is wall time and only a safety net: what ends an endless query the same on every
    machine is ``max_vm_steps``. ``clock`` (ISO 8601, UTC where it names no zone) is what
    ``date('now')`` and its kin say, and ``seed`` what ``random()`` follows, in each query afresh.
    """

    dataset_name: str
    db_id: str
    tree: str = "original"
    mode: Mode = "read_only"
    want: Want = "rows"
    timeout_ms: int = default("timeout_ms")
    max_rows: int = default("max_rows")
    max_vm_steps: int = default("max_vm_steps")
    clock: str | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query(Terms):
    """One query."""

    sql: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch(Terms):
    """Many queries of one database, answered in order."""

    queries: tuple[str, ...]


class Answer(NamedTuple):
    """What became of one query. A tuple, as millions are made; its fields are read by name.

    ``rows`` are there when rows were wanted, the digests when digests were, and neither for a
    statement that answers with no columns. ``error`` is one line and names no path of the server.
    """

    status: Status
    error_class: str | None = None
    error: str | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] | None = None
    row_count: int | None = None
    column_count: int = 0
    list_digest: str | None = None
    multiset_digest: str | None = None
    set_digest: str | None = None
    close_digest: str | None = None
    flags: tuple[str, ...] = ()
    truncated: bool = False
    statement_type: str = "UNKNOWN"
    elapsed_ms: float = 0.0
    sqlite_version: str = ""
    database_sha256: str = ""


class Executor(Protocol):
    """Whoever runs queries: services that are asked over HTTP, or workers of this process."""

    def execute(self, query: Query) -> Answer:
        """The answer to one query."""

    def batch(self, batch: Batch) -> Iterator[Answer]:
        """The answers to the batch's queries, in order and one each, as they come."""


TERMS = tuple(field.name for field in fields(Terms))
ANSWER = Answer._fields
_COLUMNS, _FLAGS = ANSWER.index("columns"), ANSWER.index("flags")


def query_from_json(body: object) -> Query:
    """The query that a request's JSON body asks for; BadRequest names the field that is wrong."""
    document = _object(body)
    return Query(sql=_text(document, "sql"), **_terms(document))


def batch_from_json(body: object, *, most: int = default("batch_queries")) -> Batch:
    """The batch that a request's JSON body asks for; BadRequest names the field that is wrong."""
    document = _object(body)
    queries = document.get("queries")
    if not isinstance(queries, list) or not all(isinstance(query, str) for query in queries):
        raise BadRequest("queries: expected a list of strings")
    if len(queries) > most:
        raise BadRequest(f"queries: at most {most} in one batch, got {len(queries)}")
    return Batch(queries=tuple(queries), **_terms(document))


def terms_to_json(terms: Terms) -> dict[str, Any]:
    """The fields of ``terms`` that the wire carries, without the SQL."""
    return {name: getattr(terms, name) for name in TERMS}


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """``answer`` as a JSON object, rows as arrays."""
    document = answer._asdict()
    if answer.rows is not None:
        document["rows"] = [row_to_json(row) for row in answer.rows]
    return document


def answer_from_json(document: Mapping[str, Any]) -> Answer:
    """The answer in a JSON object; fields that this version does not know are passed over."""
    if tuple(document) == ANSWER and document["rows"] is None and not document["flags"]:
        values = list(document.values())  # as this version writes them: nothing to look for
        values[_COLUMNS], values[_FLAGS] = tuple(values[_COLUMNS]), ()
        return Answer._make(values)
    known = {name: document[name] for name in ANSWER if name in document}
    known["columns"] = tuple(known.get("columns") or ())
    known["flags"] = tuple(known.get("flags") or ())
    if known.get("rows") is not None:
        known["rows"] = tuple([row_from_json(row) for row in known["rows"]])
    return Answer(**known)


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def to_bytes(document: object) -> bytes:
    """``document`` as one line of JSON; NaN and infinities are a bug, never a number."""
    return _encode(document).encode()


_BEFORE_KEYWORD = re.compile(r"(?:[\s;(]+|--[^\n]*(?:\n|$)|/\*.*?(?:\*/|$))*", re.DOTALL)
_WORD = re.compile(r"[A-Za-z]+")


def statement_type(sql: str) -> str:
    """The first keyword of ``sql`` in capitals, or ``UNKNOWN``.

    >>> statement_type("/* gold */ select 1")
    'SELECT'
    """
    word = _WORD.match(sql, _keyword_position(sql))
    return word.group().upper() if word else "UNKNOWN"


def _keyword_position(sql: str) -> int:
    start = _BEFORE_KEYWORD.match(sql)
    return start.end() if start else 0


def _object(body: object) -> Mapping[str, Any]:
    if not isinstance(body, dict):
        raise BadRequest("body: expected a JSON object")
    return body


def _terms(document: Mapping[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = {name: _text(document, name) for name in ("dataset_name", "db_id")}
    asked |= {name: value for name, value in _optional(document)}
    return asked


def _optional(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if "tree" in document:
        yield "tree", _text(document, "tree")
    for name, words in (("mode", get_args(Mode)), ("want", get_args(Want))):
        if name in document:
            yield name, _one_of(document, name, words)
    for name in ("timeout_ms", "max_rows", "max_vm_steps"):
        if document.get(name) is not None:
            yield name, _count(document, name)
    if document.get("clock") is not None:
        yield "clock", _moment(document)
    if document.get("seed") is not None:
        yield "seed", _seed(document)


def _text(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    if not isinstance(value, str):
        raise BadRequest(f"{name}: expected a string")
    return value


def _one_of(document: Mapping[str, Any], name: str, words: tuple[str, ...]) -> str:
    if document[name] not in words:
        raise BadRequest(f"{name}: expected one of {', '.join(words)}")
    return str(document[name])


def _count(document: Mapping[str, Any], name: str) -> int:
    value, most = _whole(document[name]), LIMITS[name].maximum
    if value is None or not 1 <= value <= most:
        raise BadRequest(f"{name}: expected an integer from 1 to {most}")
    return value


def _whole(value: object) -> int | None:
    """The integer that a JSON number is, if it is one: in JSON, 1.0 is 1."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def _moment(document: Mapping[str, Any]) -> str:
    text = _text(document, "clock")
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise BadRequest("clock: expected an ISO 8601 date and time") from None
    return text


def _seed(document: Mapping[str, Any]) -> int:
    seed = _whole(document["seed"])
    if seed is None or not 0 <= seed < 2**63:
        raise BadRequest("seed: expected an integer from 0 to 2^63 - 1")
    return seed
