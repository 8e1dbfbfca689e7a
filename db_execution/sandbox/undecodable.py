"""TEXT whose bytes are not UTF-8: it is asked for again, as bytes."""

from collections.abc import Iterable, Iterator

from db_execution.cells import Cell, RawText, Row

_HEAD = "WITH pairset_answer("


def rewritten(statement: str | None, columns: int) -> str:
    """A query for the rows of ``statement``, each cell as two: TEXT as bytes, and whether it was.

    MATERIALIZED keeps the statement whole: its rows are made once, in order, before any is cast.
    The closing parenthesis has a line of its own, since a comment may end the statement.
    """
    body = (statement or "").rstrip().rstrip(";")
    names = [f"c{position}" for position in range(columns)]
    cells = ", ".join(
        f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END, "
        f"typeof({name}) = 'text'"
        for name in names
    )
    head = f"{_HEAD}{', '.join(names)}) AS MATERIALIZED (\n{body}\n)"
    return f"{head} SELECT {cells} FROM pairset_answer"


def is_rewritten(statement: str) -> bool:
    """Whether ``statement`` is one of ours from ``rewritten``."""
    return statement.startswith(_HEAD)


def restored(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows of the statement that was rewritten."""
    for row in rows:
        cells = iter(row)
        yield tuple(
            [_text(cell) if is_text else cell for cell, is_text in zip(cells, cells, strict=True)]
        )


def _text(cell: Cell) -> Cell:
    assert isinstance(cell, bytes)
    try:
        return cell.decode()
    except UnicodeDecodeError:
        return RawText(cell)
