"""Servers that know only the earlier contract: ``/execute``, rows as objects, no digests.

What is lost there is said in the answer, never guessed: an answer at the row cap is ``too_large``,
and an empty one has no columns to count.
"""

from collections.abc import Mapping
from typing import Any

from db_execution.cells import from_json, row_from_json
from db_execution.digest import digests_of
from db_execution.limits import LIMITS
from db_execution.messages import class_of
from db_execution.protocol import Answer, Query, statement_type

ROW_CAP = LIMITS["max_rows"].maximum
LONGEST_MS = 120_000


def plain_request(query: Query) -> dict[str, Any]:
    """The body that such a server takes for ``query``."""
    return {
        "dataset_name": query.dataset_name,
        "db_id": query.db_id,
        "sql": query.sql,
        "mode": query.mode,
        "timeout_ms": min(query.timeout_ms, LONGEST_MS),
        "max_rows": ROW_CAP if query.want == "digest" else query.max_rows,
    }


def plain_answer(query: Query, document: Mapping[str, Any]) -> Answer:
    """The answer in such a server's response, digested on this side if digests are wanted."""
    kind = statement_type(query.sql)
    if not document.get("ok"):
        return _failure(document, kind)
    columns = _columns(document)
    rows = tuple(_row(row) for row in document.get("rows") or ())
    if query.want == "digest" and len(rows) >= ROW_CAP:
        error = f"the server gives at most {ROW_CAP} rows, so the whole answer cannot be known"
        return Answer(status="too_large", error_class="rows", error=error, statement_type=kind)
    known = Answer(status="ok", columns=columns, column_count=len(columns), statement_type=kind)
    return _with_rows(known, rows, query)


def _with_rows(answer: Answer, rows: tuple[Any, ...], query: Query) -> Answer:
    facts = {
        name: getattr(answer, name)
        for name in ("status", "columns", "column_count", "statement_type")
    }
    if query.want == "prepare":
        return Answer(**facts)
    if query.want == "rows":
        return Answer(
            **facts, rows=rows, row_count=len(rows), truncated=len(rows) >= query.max_rows
        )
    digests = digests_of(rows)
    return Answer(**facts, **digests._asdict())


def _columns(document: Mapping[str, Any]) -> tuple[str, ...]:
    if document.get("columns") is not None:
        return tuple(document["columns"])
    rows = document.get("rows") or ()
    return tuple(rows[0]) if rows and isinstance(rows[0], Mapping) else ()


def _row(row: Any) -> Any:
    if isinstance(row, Mapping):
        return tuple(from_json(value) for value in row.values())
    return row_from_json(row)


def _failure(document: Mapping[str, Any], kind: str) -> Answer:
    error = str(document.get("error") or document.get("detail") or "no reason given")
    if document.get("timed_out"):
        flags = ("wall_time",)
        return Answer(
            status="timeout", error_class="wall_time", error=error, flags=flags, statement_type=kind
        )
    return Answer(status="error", error_class=class_of(error), error=error, statement_type=kind)
