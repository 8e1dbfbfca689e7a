"""The values SQLite answers with, and how each survives JSON.

====================  =====================================================
a cell                in JSON
====================  =====================================================
NULL                  ``null``
INTEGER               a number; from 2^53 on ``{"$integer": "9007199254740993"}``
REAL                  a number with a point or an exponent; ``{"$real": "+inf"}`` or ``"-inf"``
TEXT                  a string; bytes that are not UTF-8 ``{"$text": "<base64>"}``
BLOB                  ``{"$blob": "<base64>"}``
====================  =====================================================

No cell of SQLite is a JSON object, so an object is always one of these.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

EXACT_IN_JSON = 2**53
"""From here on, either sign, integers are written as text: many readers hold numbers as doubles."""


@dataclass(frozen=True, slots=True)
class RawText:
    """A TEXT value whose bytes are not UTF-8. It is an answer like any other."""

    data: bytes


Cell = None | int | float | str | bytes | RawText
Row = tuple[Cell, ...]


def to_json(cell: Cell) -> Any:
    """What stands for ``cell`` in a JSON document."""
    match cell:
        case int() if not -EXACT_IN_JSON < cell < EXACT_IN_JSON:
            return {"$integer": str(cell)}
        case float() if cell in (inf, -inf):
            return {"$real": "+inf" if cell > 0 else "-inf"}
        case bytes():
            return {"$blob": b64encode(cell).decode()}
        case RawText(data):
            return {"$text": b64encode(data).decode()}
        case _:
            return cell


_READ: dict[str, Callable[[str], Cell]] = {
    "$integer": int,
    "$real": float,
    "$blob": b64decode,
    "$text": lambda text: RawText(b64decode(text)),
}


def from_json(value: Any) -> Cell:
    """The cell that ``value`` stands for; ValueError for what no cell is written as."""
    if not isinstance(value, dict):
        return _scalar(value)
    [(tag, body)] = value.items() if len(value) == 1 else [("", "")]
    if tag not in _READ:
        raise ValueError(f"no cell is written as {value!r}")
    return _READ[tag](body)


def _scalar(value: Any) -> Cell:
    if value is None or isinstance(value, (int, float, str)):
        return value
    raise ValueError(f"no cell is written as {value!r}")


def size_of(cell: Cell) -> int:
    """About how many bytes ``cell`` takes in an answer.

    >>> size_of(RawText(b"abc")) == size_of("abc") > size_of(None)
    True
    """
    if isinstance(cell, (str, bytes)):
        return len(cell) + 8
    return len(cell.data) + 8 if isinstance(cell, RawText) else 8


_AS_THEY_ARE = frozenset((str, type(None)))
_SCALARS = _AS_THEY_ARE | {int, float, bool}


def row_to_json(row: Sequence[Cell]) -> list[Any]:
    """``row`` as a JSON array."""
    return [cell if type(cell) in _AS_THEY_ARE else to_json(cell) for cell in row]


def row_from_json(values: Sequence[Any]) -> Row:
    """The row that a JSON array stands for."""
    if _SCALARS.issuperset(map(type, values)):  # most rows
        return tuple(values)
    return tuple([from_json(value) for value in values])
