"""What is known of one task of one run once it is evaluated, and of a run as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from benchmark.compare_answers import Comparison
from benchmark.csvtext import Table
from benchmark.pairs import Pair
from benchmark.run import Attempt, Run
from benchmark.sides import Side
from benchmark.statuses import Bucket, Facts, Status, bucket_of, counted, status_of
from benchmark.tables import matched_tables, tables_of
from benchmark.tasks import Task, Tasks


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One task of one run. ``spurious_on`` are the trees on which its match does not hold.

    ``unjudged_on`` are those on which the gold itself fails; they change nothing. ``heads`` are the
    first rows of the answer and of the gold, where they were asked for.
    """

    task: Task
    attempt: Attempt | None
    pair: Pair
    comparison: Comparison | None
    facts: Facts
    readings: Mapping[str, float | None] = field(default_factory=dict)
    spurious_on: tuple[str, ...] = ()
    unjudged_on: tuple[str, ...] = ()
    heads: tuple[Table | None, Table | None] = (None, None)

    @property
    def status(self) -> Status:
        """The status, the same wherever it is shown."""
        return status_of(self.facts)

    @property
    def bucket(self) -> Bucket:
        """Where the task counts."""
        return bucket_of(self.status, is_empty=self.pair.actual.is_empty)

    @property
    def actual(self) -> Side:
        """The agent's side."""
        return self.pair.actual

    @property
    def gold(self) -> Side:
        """The gold's side."""
        return self.pair.gold

    @property
    def error(self) -> str | None:
        """Why there was nothing to compare, or no verdict."""
        if self.attempt is None:
            return None
        unknown = self.comparison.unknown if self.comparison else None
        return self.actual.error or self.gold.error or unknown

    def on_tree(
        self,
        tree: str,
        pair: Pair,
        comparison: Comparison | None,
        suite: Mapping[str, float | None],
    ) -> "Outcome":
        """The outcome once its match has been looked at on another tree."""
        if not pair.gold.ok:
            return replace(self, unjudged_on=(*self.unjudged_on, tree))
        readings = {
            name: min(value, also)
            if value is not None and (also := suite.get(name)) is not None
            else value
            for name, value in self.readings.items()
        }
        if not self.facts.matched or (comparison is not None and comparison.matched):
            return replace(self, readings=readings)
        facts = replace(self.facts, matched=False, has_rows=False)
        spurious = (*self.spurious_on, tree)
        return replace(self, readings=readings, facts=facts, spurious_on=spurious)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One run over all tasks, in natural order of their ids."""

    run: Run
    tasks: Tasks
    outcomes: tuple[Outcome, ...]

    @property
    def total(self) -> int:
        """The denominator: every task, whatever became of it."""
        return len(self.outcomes)

    @property
    def buckets(self) -> dict[str, int]:
        """How many tasks there are in each bucket; they add up to the total."""
        return counted(one.bucket for one in self.outcomes)

    def ids(self, status: Status) -> list[str]:
        """The tasks of that status."""
        return [one.task.task_id for one in self.outcomes if one.status == status]

    def reading(self, name: str) -> tuple[float, int]:
        """The sum of a reading over all tasks, and for how many it could not say."""
        values = [one.readings.get(name) for one in self.outcomes]
        known = [value for value in values if value is not None]
        return sum(known), len(values) - len(known)


def judged(
    task: Task,
    attempt: Attempt | None,
    pair: Pair,
    comparison: Comparison | None,
    readings: Mapping[str, float | None],
) -> Outcome:
    """The outcome of one task, from its two sides and how they compare."""
    gone = pair.actual.no_database
    facts = Facts(
        executed=attempt is not None,
        matched=comparison is not None and comparison.matched,
        has_answer=pair.actual.ok or gone,
        has_gold=pair.gold.ok,
        compared=comparison is not None and comparison.unknown is None,
        has_tables=_has_tables(pair, comparison),
        has_rows=comparison is not None and _has_rows(comparison),
    )
    return Outcome(
        task=task, attempt=attempt, pair=pair, comparison=comparison, facts=facts, readings=readings
    )


def _has_rows(comparison: Comparison) -> bool:
    """Whether the rows are right and only columns are not."""
    some = comparison.match_rate > 0 or comparison.both_empty
    return comparison.same_count and some and not comparison.order_only


def _has_tables(pair: Pair, comparison: Comparison | None) -> bool:
    """Whether the answer reads every table of the gold; what does not parse may read any."""
    if comparison is None or comparison.matched:
        return True
    expected, actual = tables_of(pair.gold.sql or ""), tables_of(pair.actual.sql or "")
    if not expected or actual is None:
        return True
    return len(matched_tables(actual, expected)) == len(expected)
