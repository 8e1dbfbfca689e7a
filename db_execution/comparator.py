"""The canonical comparator: when two answers are the same. Pure; the digests must agree with it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from db_execution.cells import Cell, RawText

Key = tuple[str, object]


def same_answer(
    gold_rows: Iterable[Sequence[Cell]], neighbor_rows: Iterable[Sequence[Cell]], *, ordered: bool
) -> bool:
    """Whether the rows are equal: as lists when ``ordered``, else as multisets.

    Columns compare by position and number; their names never count. Two empty answers are equal.
    """
    gold, neighbor = _keyed(gold_rows), _keyed(neighbor_rows)
    return gold == neighbor if ordered else Counter(gold) == Counter(neighbor)


def same_cell(one: Cell, other: Cell) -> bool:
    """Whether two cells are one value: numbers by exact value, the rest by class and bytes."""
    return cell_key(one) == cell_key(other)


def cell_key(cell: Cell) -> Key:
    """A key that is equal for equal cells only.

    Python compares int with float exactly: 1 and 1.0 are one key, 2^53 + 1 and 2.0^53 are two.
    """
    match cell:
        case None:
            return ("null", None)
        case bool() | int() | float():
            return ("number", cell)
        case str():
            return ("text", cell.encode())
        case RawText(data):
            return ("text", data)
        case _:
            return ("blob", cell)


def _keyed(rows: Iterable[Sequence[Cell]]) -> list[tuple[Key, ...]]:
    return [tuple([cell_key(cell) for cell in row]) for row in rows]
