"""``datus``: the published rule of Datus Agent, so that its published numbers can be compared with.

Both answers are written as csv and read back with types guessed, so NULL, an empty text and ``NA``
are one value and ``007`` is 7. Then each column is sorted by itself: which values stand in one row
is lost. A column is matched by the first column of the gold that has its values, numbers within
1e-6 or a relative 1e-9; further columns cost nothing. Where columns tie, the original takes them
in the order of a hash; here it is the gold's, so that the reading is the same every time.
"""

import math
from collections.abc import Sequence

from benchmark.csvtext import Table
from benchmark.pairs import Pair
from benchmark.readings.common import Reading
from db_execution.cells import Cell, RawText

_MISSING = frozenset(
    ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
     "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]
)  # fmt: skip
_TRUTHS = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}
Value = str | float | int | None


def needs_rows(pair: Pair) -> bool:
    """Equal rows are right, unless two columns share a name: the later one is all that is kept."""
    return not (pair.is_executed and pair.same("multiset") and pair.same_width and _plain(pair))


def read(pair: Pair) -> float | None:
    """The share of the gold's columns that are matched, where it is 1, else 0."""
    if not needs_rows(pair):
        return 1.0
    if pair.tables is None:
        return 0.0 if pair.actual.row_count != pair.gold.row_count else None
    return float(datus_rate(*pair.tables) == 1)


def _plain(pair: Pair) -> bool:
    return all(len(set(side.columns)) == len(side.columns) for side in (pair.actual, pair.gold))


def datus_rate(actual: Table, gold: Table) -> float:
    """The match rate of two answers."""
    if len(actual.rows) != len(gold.rows):
        return 0.0
    wanted = _columns(gold)
    total = len(wanted)
    for column in _columns(actual):
        found = next((at for at, other in enumerate(wanted) if _alike(column, other)), None)
        if found is not None:
            del wanted[found]
    return 1.0 if not total else round((total - len(wanted)) / total, 4)


def _columns(table: Table) -> list[list[Value]]:
    """The columns as they are read back; of those of one name the last has the values."""
    last = {name: at for at, name in enumerate(table.columns)}
    positions = table_positions(table, last)
    return [_sorted(_read_back([row[at] for row in table.rows])) for at in positions]


def table_positions(table: Table, last: dict[str, int]) -> list[int]:
    """Where the columns lie that are kept; a csv that was given keeps all of its own."""
    return list(range(len(table.columns))) if table.is_csv else list(last.values())


def _read_back(cells: Sequence[Cell]) -> list[Value]:
    texts = _written(cells)
    there = [text for text in texts if text is not None]
    if all(_number(text) is not None for text in there):
        return [None if text is None else _number(text) for text in texts]
    if all(text in _TRUTHS for text in there):
        return [None if text is None else _TRUTHS[text] for text in texts]
    return list(texts)


def _written(cells: Sequence[Cell]) -> list[str | None]:
    """The cells as they stand in the csv, None where that is read as missing.

    Whole numbers in a column with a NULL or a REAL are written as REALs are.
    """
    kinds = {type(cell) for cell in cells}
    as_real = kinds <= {int, float, type(None)} and kinds != {int}
    texts = [_text(float(c) if as_real and isinstance(c, int) else c) for c in cells]
    return [None if text in _MISSING else text for text in texts]


def _text(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case RawText(data):
            return data.decode(errors="replace")
        case str():
            return cell
    return repr(cell)


def _number(text: str) -> float | int | None:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return None if "_" in text or math.isnan(number) else number


def _sorted(values: list[Value]) -> list[Value]:
    there = [value for value in values if value is not None]
    return [*sorted(there), *([None] * (len(values) - len(there)))]


def _alike(one: Sequence[Value], other: Sequence[Value]) -> bool:
    return all(map(_same, one, other))


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(float(one), float(other), abs_tol=1e-6)
    return one == other


DATUS = Reading(
    "datus", needs_rows, read, "columns sorted each by itself, after a csv round trip", by_name=True
)
