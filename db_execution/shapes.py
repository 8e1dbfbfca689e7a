"""The two forms an answer takes on the wire: a line of a batch, and the body of ``/execute``."""

from collections.abc import Sequence
from json.encoder import encode_basestring as _quoted
from typing import Any, Literal

from db_execution.cells import Cell, Row, row_to_json, to_json
from db_execution.protocol import ANSWER, Answer, Mode, answer_to_json, to_bytes

Shape = Literal["line", "arrays", "objects"]
"""A line of a batch; the body of ``/execute`` with rows as arrays; that with rows as objects."""

EMPTY = "Empty result set"
NOTICES: dict[Mode, str] = {
    "read_only": "read_only: the database is opened immutable and read-only.",
    "sandbox_rollback": "sandbox_rollback: ran on a private copy, which is gone.",
}


def shaped(answer: Answer, shape: Shape, mode: Mode) -> bytes:
    """``answer`` as one line of JSON without its end."""
    if shape == "line":
        return line(answer)
    return to_bytes(answer_to_json(answer) | _as_before(answer, shape, mode))


def line(answer: Answer) -> bytes:
    """``answer`` as JSON, in the very bytes of ``to_bytes``; quick where there are no rows.

    A batch of digests is thousands of such lines a second, so theirs are put together by hand.
    """
    if answer.rows is not None or answer[:3] != _FINE or answer.flags:
        return to_bytes(answer_to_json(answer))
    columns = ",".join(map(_quoted, answer.columns))
    digests = ",".join(
        [
            f'"{name}":"{digest}"' if digest else f'"{name}":null'
            for name, digest in zip(_DIGESTS, answer[_FIRST_DIGEST:_AFTER_DIGESTS], strict=True)
        ]
    )
    return (
        f'{{"status":"ok","error_class":null,"error":null,"columns":[{columns}],"rows":null,'
        f'"row_count":{"null" if answer.row_count is None else answer.row_count},'
        f'"column_count":{answer.column_count},{digests},"flags":[],'
        f'"truncated":{"true" if answer.truncated else "false"},'
        f'"statement_type":"{answer.statement_type}","elapsed_ms":{answer.elapsed_ms!r},'
        f'"sqlite_version":"{answer.sqlite_version}","database_sha256":"{answer.database_sha256}"}}'
    ).encode()


_FINE = ("ok", None, None)
_DIGESTS = ("list_digest", "multiset_digest", "set_digest", "close_digest")
_FIRST_DIGEST = ANSWER.index(_DIGESTS[0])
_AFTER_DIGESTS = _FIRST_DIGEST + len(_DIGESTS)


def _as_before(answer: Answer, shape: Shape, mode: Mode) -> dict[str, Any]:
    """The fields that clients of the earlier service read, with the meaning they had there."""
    return {
        "ok": answer.status == "ok",
        "rows": _rows(answer, shape),
        "pandas_result": None if answer.rows is None else as_table(answer.columns, answer.rows),
        "notice": NOTICES[mode] if answer.status == "ok" else None,
        "timed_out": answer.status == "timeout",
    }


def _rows(answer: Answer, shape: Shape) -> list[Any] | None:
    if answer.rows is None:
        return None
    if shape == "arrays":
        return [row_to_json(row) for row in answer.rows]
    return [dict(zip(answer.columns, map(to_json, row), strict=False)) for row in answer.rows]


def as_table(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """The rows under their column names, right-aligned, without an index.

    >>> print(as_table(["id", "name"], [(1, "a"), (12, None)]))
    id name
     1    a
    12 None
    """
    if not rows:
        return EMPTY
    lines = [list(columns), *([_shown(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=False)]
    return "\n".join(
        " ".join(text.rjust(width) for text, width in zip(line, widths, strict=False))
        for line in lines
    )


def _shown(cell: Cell) -> str:
    return str(cell) if not isinstance(cell, str) else " ".join(cell.splitlines())
