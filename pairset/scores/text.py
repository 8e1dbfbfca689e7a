"""The report as text for a terminal."""

import re
from collections.abc import Iterator
from textwrap import wrap

from pairset.scores.views import Report, Table, head, tables

_WIDTH = 100
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def lines(found: Report) -> Iterator[str]:
    """The lines of the report."""
    yield from wrap(head(found), _WIDTH)
    for table in tables(found):
        yield from ("", table.title, *_aligned(table))
        yield from wrap(table.note, _WIDTH)


def _aligned(table: Table) -> Iterator[str]:
    """Columns set apart by two blanks; the first to the left, numbers to the right."""
    rows = [table.heads, *table.rows]
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(table.heads))]
    for row in cells:
        padded = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, table.numeric, strict=True)
        ]
        yield "  ".join(padded).rstrip()


def printable(text: str) -> str:
    """Names come from folders and corpora: no control character of theirs reaches a terminal."""
    return _CONTROL.sub("?", text)
