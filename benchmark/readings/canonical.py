"""``canonical``: the comparator of record (DESIGN section 5). Columns by position, not by name."""

from benchmark.compare_answers import same_by_digest
from benchmark.csvtext import csv_key
from benchmark.pairs import Pair
from benchmark.readings.common import Reading
from db_execution.comparator import same_answer


def needs_rows(pair: Pair) -> bool:
    """Only answers that came as csv have no digests."""
    return not pair.is_executed


def read(pair: Pair) -> float | None:
    """Equal as lists where the gold orders, else as multisets; two empty answers are equal."""
    actual, gold = pair.actual.digests, pair.gold.digests
    if actual is not None and gold is not None:
        same = same_by_digest(actual, gold, pair.gold.sql)
        return None if same is None else float(same)
    if pair.tables is None:
        return None
    one, other = ([tuple(map(_text, row)) for row in table.rows] for table in pair.tables)
    return float(same_answer(other, one, ordered=pair.in_order))


def _text(cell: object) -> str:
    return repr(csv_key(cell))  # type: ignore[arg-type]


CANONICAL = Reading(
    "canonical", needs_rows, read, "rows as lists if the gold orders, else multisets"
)
