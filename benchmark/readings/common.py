"""What a reading is, and what several of them share."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmark.pairs import Pair
from db_execution.cells import Cell, RawText


@dataclass(frozen=True, slots=True)
class Reading:
    """A way to read a pair. ``needs_rows`` says whether digests leave the question open.

    The same rows in the same order are right in every reading, but for one that goes ``by_name``,
    to which columns of one name are one.
    """

    name: str
    needs_rows: Callable[[Pair], bool]
    read: Callable[[Pair], float | None]
    says: str
    every_tree: bool = False
    by_name: bool = False


def as_python(cell: Cell) -> Cell:
    """The cell as a driver gives it that drops the bytes it cannot decode."""
    return cell.data.decode(errors="ignore") if isinstance(cell, RawText) else cell
