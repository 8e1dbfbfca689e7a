"""An answer as the csv text that stands for it in a run folder."""

from collections.abc import Iterable

from db_execution.cells import Cell, RawText, Row

_SPECIAL = frozenset(',"\r\n')


def csv_text(columns: Iterable[str], rows: Iterable[Row]) -> str:
    """A line of names and a line a row, every value in full; NULL is empty, '' is ``""``.

    >>> csv_text(["n", "t"], [(9007199254740993, "a,b"), (None, "")])
    'n,t\\n9007199254740993,"a,b"\\n,""\\n'
    """
    lines = [",".join(map(_quoted, columns)), *(_line(row) for row in rows)]
    return "".join(f"{line}\n" for line in lines)


def _line(row: Row) -> str:
    return ",".join(_cell(cell) for cell in row)


def _cell(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case str():
            return _quoted(cell)
        case RawText(data):
            return _quoted(data.decode(errors="replace"))
        case bytes():
            return _quoted(repr(cell))
    return str(cell)


def _quoted(text: str) -> str:
    """An empty text is quoted: that tells it from NULL for a reader that looks."""
    if text and not _SPECIAL.intersection(text):
        return text
    return '"' + text.replace('"', '""') + '"'
