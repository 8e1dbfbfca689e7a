"""Answers that are csv texts, and what a csv text cannot say.

A csv has no NULL, no types and no bytes. What it cannot tell apart is taken for equal, and said.
"""

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from db_execution.cells import Cell, RawText, Row

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
NULL_OR_EMPTY = "an empty cell may be NULL or an empty text"
NUMBER_OR_TEXT = "a number may be a text of the same digits"
BYTES = "bytes are written as a text"
Key = tuple[str, object]


@dataclass(frozen=True, slots=True)
class Table:
    """An answer's columns, by position, and its rows."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    is_csv: bool = False


class BadCsv(ValueError):
    """A csv text that is no answer; says why."""


class NoColumns(BadCsv):
    """A csv text without even a line of names: the agent gave nothing."""


def parse_csv(text: str) -> Table:
    """The answer that a csv text says, every cell a text; NoColumns or BadCsv where it is none."""
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), strict=True)
    try:
        lines = list(reader)
    except csv.Error as error:
        raise BadCsv(f"line {reader.line_num} of the csv: {error}") from None
    while lines and lines[0] in ([], [""]) and not any(lines[0]):
        lines.pop(0)
    if not lines:
        raise NoColumns("the csv holds no columns")
    head, *rest = lines
    return Table(tuple(head), tuple(_rows(head, rest)), is_csv=True)


def _rows(head: Sequence[str], lines: Sequence[Sequence[str]]) -> Iterator[Row]:
    for number, line in enumerate(lines, 1):
        if not line and len(head) == 1:
            yield ("",)  # how some writers put an empty cell in a table of one column
        elif len(line) != len(head):
            raise BadCsv(f"row {number} of the csv has {len(line)} cells under {len(head)} columns")
        else:
            yield tuple(line)


def csv_key(cell: Cell) -> Key:
    """What a csv can still say of a cell: a key that is equal for cells it cannot tell apart.

    >>> csv_key(7) == csv_key("7") == csv_key(7.0), csv_key("007") == csv_key(7)
    (True, False)
    """
    match cell:
        case None | "":
            return ("empty", None)
        case float() if not math.isfinite(cell):
            return ("text", str(cell))
        case int() | float():
            return ("number", Decimal(repr(cell)))
        case str():
            return ("number", Decimal(cell)) if _NUMBER.fullmatch(cell) else ("text", cell)
        case RawText(data):
            return ("text", data.decode(errors="replace"))
        case bytes():
            return ("text", repr(cell))


def doubts(*tables: Table) -> tuple[str, ...]:
    """What the csv among ``tables`` could not say about the cells that are compared."""
    if not any(table.is_csv for table in tables):
        return ()
    cells = [cell for table in tables for row in table.rows for cell in row]
    typed = [cell for table in tables if not table.is_csv for row in table.rows for cell in row]
    found = {
        NULL_OR_EMPTY: any(cell is None or cell == "" for cell in cells),
        NUMBER_OR_TEXT: any(isinstance(one, str) and _NUMBER.fullmatch(one) for one in typed),
        BYTES: any(isinstance(cell, bytes | RawText) for cell in typed),
    }
    return tuple(name for name, there in found.items() if there)
