"""What is known of one task of one run once it is evaluated, and of a run as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from benchmark.compare_answers import Comparison
from benchmark.csvtext import Table
from benchmark.pairs import Pair
from benchmark.run import Attempt, Run
from benchmark.sides import Side
from benchmark.statuses import Bucket, Facts, Status, bucket_of, counted, status_of
from benchmark.tables import matched_tables, tables_of
from benchmark.tasks import Task, Tasks


@dataclass(kw_only=True)
class Outcome:
    """One task of one run. ``spurious_on`` are the trees on which its match does not hold.

    ``unjudged_on`` are those on which the gold itself fails; they change nothing. ``heads`` are the
    first rows of the answer and of the gold, where they were asked for. ``pair`` is shared by all
    attempts at the same query, however each of them is written: ``actual`` is as this one is.
    (Nobody changes one; it is not frozen, as making a frozen one takes three times as long.)
    """

    task: Task
    attempt: Attempt | None
    pair: Pair
    comparison: Comparison | None
    readings: Mapping[str, float | None] = field(default_factory=dict)
    spurious_on: tuple[str, ...] = ()
    unjudged_on: tuple[str, ...] = ()
    heads: tuple[Table | None, Table | None] = (None, None)

    @property
    def matched(self) -> bool:
        """Whether the answer is the gold's, on every tree."""
        return self.comparison is not None and self.comparison.matched and not self.spurious_on

    @property
    def facts(self) -> Facts:
        """What the status is made from. The queries are parsed only where it hangs on them."""
        found, matched = self.comparison, self.matched
        return Facts(
            executed=self.attempt is not None,
            matched=matched,
            has_answer=self.actual.ok or self.actual.no_database or self._is_the_golds_fault,
            has_gold=self.gold.ok and not self.actual.no_database,
            compared=found is not None and found.unknown is None,
            has_tables=found is None or matched or _has_tables(self.actual, self.gold),
            has_rows=found is not None and _has_rows(found) and not self.spurious_on,
        )

    @cached_property
    def status(self) -> Status:
        """The status, the same wherever it is shown."""
        return status_of(self.facts)

    @cached_property
    def bucket(self) -> Bucket:
        """Where the task counts."""
        return bucket_of(self.status, is_empty=self.pair.actual.is_empty)

    @cached_property
    def actual(self) -> Side:
        """The agent's side, with the SQL as this agent wrote it."""
        side, attempt = self.pair.actual, self.attempt
        return (
            side if attempt is None or attempt.sql == side.sql else side._replace(sql=attempt.sql)
        )

    @property
    def gold(self) -> Side:
        """The gold's side."""
        return self.pair.gold

    @property
    def error(self) -> str | None:
        """Why there was nothing to compare, or no verdict."""
        if self.attempt is None:
            return None
        if self._is_the_golds_fault:
            return self.gold.error
        unknown = self.comparison.unknown if self.comparison else None
        return self.actual.error or self.gold.error or unknown

    @property
    def _is_the_golds_fault(self) -> bool:
        """Whether SQL that nobody ran stands beside a gold without an answer.

        No result could have been right, so that none was left is not held against the agent.
        """
        return self.actual.not_run and not self.gold.ok

    def shared(self, attempt: Attempt | None, actual: Side) -> "Outcome":
        """The same, for an attempt at another query with the same answer, which is ``actual``."""
        return self._of(attempt, self.pair._replace(actual=actual))

    def of(self, attempt: Attempt) -> "Outcome":
        """The same, for an attempt of another run at the same query, however it is written."""
        return self._of(attempt, self.pair)

    def _of(self, attempt: Attempt | None, pair: Pair) -> "Outcome":
        return Outcome(
            task=self.task,
            attempt=attempt,
            pair=pair,
            comparison=self.comparison,
            readings=self.readings,
            spurious_on=self.spurious_on,
            unjudged_on=self.unjudged_on,
            heads=self.heads,
        )

    def on_tree(self, tree: str, pair: Pair, suite: Mapping[str, float | None]) -> "Outcome":
        """The outcome once its match has been looked at on another tree."""
        if not pair.gold.ok:
            return replace(self, unjudged_on=(*self.unjudged_on, tree))
        readings = {
            name: min(value, also)
            if value is not None and (also := suite.get(name)) is not None
            else value
            for name, value in self.readings.items()
        }
        if not self.matched or (pair.verdict is not None and pair.verdict.matched):
            return replace(self, readings=readings)
        return replace(self, readings=readings, spurious_on=(*self.spurious_on, tree))


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


def _has_rows(comparison: Comparison) -> bool:
    """Whether the rows are right and only columns are not."""
    some = comparison.match_rate > 0 or comparison.both_empty
    return comparison.same_count and some and not comparison.order_only


def _has_tables(answer: Side, gold: Side) -> bool:
    """Whether the answer reads every table of the gold; what does not parse may read any."""
    expected, actual = tables_of(gold.sql or ""), tables_of(answer.sql or "")
    if not expected or actual is None:
        return True
    return len(matched_tables(actual, expected)) == len(expected)
