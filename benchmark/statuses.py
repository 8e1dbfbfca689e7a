"""What a task's status is. One function decides, and every report shows what it says."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Status = Literal[
    "Not Executed", "Matched", "Gen SQL Failed", "Gold SQL Failed", "Match Failed",
    "Table Mismatch", "Result Mismatch", "Column Mismatch",
]  # fmt: skip
STATUSES: tuple[Status, ...] = (
    "Not Executed", "Matched", "Gen SQL Failed", "Gold SQL Failed", "Match Failed",
    "Table Mismatch", "Result Mismatch", "Column Mismatch",
)  # fmt: skip
"""In order of precedence: the first that holds is the task's."""

Bucket = Literal["passed", "empty", "failed", "gold_failed", "not_executed"]
BUCKETS: tuple[Bucket, ...] = ("passed", "empty", "failed", "gold_failed", "not_executed")
"""Every task is in one of them, so they add up to the total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of a task. ``compared`` is false where no verdict could be reached."""

    executed: bool = True
    matched: bool = False
    has_answer: bool = True
    has_gold: bool = True
    compared: bool = True
    has_tables: bool = True
    has_rows: bool = True


def status_of(facts: Facts) -> Status:
    """The first status that holds; a task that never ran, or has no gold, is nobody's mistake."""
    holds: Sequence[tuple[Status, bool]] = (
        ("Not Executed", not facts.executed),
        ("Matched", facts.matched),
        ("Gen SQL Failed", not facts.has_answer),
        ("Gold SQL Failed", not facts.has_gold),
        ("Match Failed", not facts.compared),
        ("Table Mismatch", not facts.has_tables),
        ("Result Mismatch", not facts.has_rows),
        ("Column Mismatch", True),
    )
    return next(status for status, there in holds if there)


def bucket_of(status: Status, *, is_empty: bool) -> Bucket:
    """Where a task counts; ``is_empty`` is an attempt that gave no SQL and no columns."""
    match status:
        case "Matched":
            return "passed"
        case "Gold SQL Failed":
            return "gold_failed"
        case "Not Executed":
            return "not_executed"
        case "Gen SQL Failed" if is_empty:
            return "empty"
    return "failed"


def counted(buckets: Iterable[Bucket]) -> dict[str, int]:
    """How many tasks there are in each bucket."""
    found = list(buckets)
    return {bucket: found.count(bucket) for bucket in BUCKETS}
