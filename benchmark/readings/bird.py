"""``bird``: BIRD's execution accuracy, ``set(predicted) == set(gold)`` over rows of Python values.

Order and repeated rows count for nothing; 1, 1.0 and True are one value, NULL equals NULL, bytes
are no text. Set digests are equal exactly then: they take numbers by their exact value and texts by
their bytes. (A text that is not UTF-8 is compared by its bytes here; BIRD's script ends in an error
there, and counts the task as wrong.)
"""

from benchmark.pairs import Pair
from benchmark.readings.common import Reading


def needs_rows(pair: Pair) -> bool:
    """Where there is no set digest on one side."""
    return not pair.is_executed or pair.same("set") is None


def read(pair: Pair) -> float | None:
    """Whether the sets of rows are equal."""
    if pair.tables is not None:
        one, other = (table.rows for table in pair.tables)
        return float(set(one) == set(other))
    if not pair.is_executed:
        return None
    same = pair.same("set")
    return None if same is None else float(same)


BIRD = Reading("bird", needs_rows, read, "set(predicted) == set(gold)")
