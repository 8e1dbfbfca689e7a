"""The first rows of an answer as a person reads them."""

from benchmark.csvtext import Table
from db_execution.cells import Cell, RawText

ROWS = 3
COLUMNS = 5
LINE = "\n       "


def preview(head: Table | None, row_count: int) -> str:
    """Up to three rows of five columns: names, a rule as long, rows; dots where there is more."""
    if head is None:
        return ""
    more = ["..."] if len(head.columns) > COLUMNS else []
    names = " | ".join([*map(shown, head.columns[:COLUMNS]), *more])
    lines = [names, "-" * len(names)]
    for row in head.rows[:ROWS]:
        lines.append(" | ".join([*map(shown, row[:COLUMNS]), *more]))
    if row_count > ROWS:
        lines.append("...")
    return LINE.join(lines)


def shown(cell: Cell) -> str:
    """A cell on one line; NULL and bytes are told from texts.

    >>> shown(None), shown(b"ab"), shown("two\\nlines")
    ('NULL', "x'6162'", 'two lines')
    """
    match cell:
        case None:
            return "NULL"
        case bytes():
            return f"x'{cell[:32].hex()}'"
        case RawText(data):
            return data[:64].decode(errors="backslashreplace")
        case str():
            return " ".join("".join(c if c.isprintable() else " " for c in cell).split(" "))[:200]
    return str(cell)
