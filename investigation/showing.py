"""What an agent is shown: the schema of its database, and the rows of its own queries."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from db_execution.cells import Cell, RawText, Row, to_json
from investigation.instance import Table

CHARACTERS = 20_000
"""The most characters of JSON that the rows of one result are shown in."""
CELL_CHARACTERS = 2_000
"""The most of one text that is shown; of a BLOB, so many bytes."""
ELLIPSIS = "..."


def schema(tables: Iterable[Table]) -> str:
    """The CREATE TABLE statements, and how many rows each table has."""
    made = tuple(tables)
    statements = [table.ddl.rstrip().rstrip(";") + ";" for table in made]
    counts = [f"-- {table.name}: {len(table.rows)} rows" for table in made]
    return "\n".join(statements + counts)


def shown(rows: Sequence[Row]) -> tuple[list[list[Any]], bool]:
    """The rows as JSON, as far as ``CHARACTERS`` goes, and whether anything was left out."""
    kept: list[list[Any]] = []
    room, cut = CHARACTERS, False
    for row in rows:
        cells = [shorter(cell) for cell in row]
        cut = cut or any(short is not cell for short, cell in zip(cells, row, strict=True))
        values = [to_json(cell) for cell in cells]
        room -= len(json.dumps(values, ensure_ascii=False))
        if room < 0:
            return kept, True
        kept.append(values)
    return kept, cut


def shorter(cell: Cell) -> Cell:
    """The cell, or the beginning of it if it is long."""
    match cell:
        case str() if len(cell) > CELL_CHARACTERS:
            return cell[:CELL_CHARACTERS] + ELLIPSIS
        case bytes() if len(cell) > CELL_CHARACTERS:
            return cell[:CELL_CHARACTERS]
        case RawText(data) if len(data) > CELL_CHARACTERS:
            return RawText(data[:CELL_CHARACTERS])
        case _:
            return cell
