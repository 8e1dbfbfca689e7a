"""What came of all rounds: an evaluation each, and how long each took."""

from dataclasses import dataclass

from benchmark.outcome import Evaluation
from benchmark.running import Ran
from benchmark.statuses import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """Rounds of one agent over one benchmark, in order; every one of them over every task."""

    benchmark: str
    group: str
    evaluations: tuple[Evaluation, ...]
    ran: tuple[Ran, ...]

    @property
    def task_ids(self) -> list[str]:
        """The tasks in natural order."""
        return [one.task.task_id for one in self.evaluations[0].outcomes]

    @property
    def total(self) -> int:
        """The denominator of every rate: all tasks."""
        return self.evaluations[0].total

    def statuses(self, at: int) -> list[Status]:
        """The statuses of one task, by round."""
        return [one.outcomes[at].status for one in self.evaluations]

    def right(self, at: int) -> list[bool]:
        """Whether one task was right, by round."""
        return [one.outcomes[at].bucket == "passed" for one in self.evaluations]

    def is_judged(self, at: int) -> bool:
        """Whether every round of a task has a verdict: it was asked, and its gold runs."""
        buckets = {one.outcomes[at].bucket for one in self.evaluations}
        return not buckets & {"gold_failed", "not_executed"}

    @property
    def rates(self) -> list[float]:
        """The share of all tasks that each round has right."""
        total = self.total or 1
        return [one.buckets["passed"] / total for one in self.evaluations]

    @property
    def seconds(self) -> list[float]:
        """How long the agent was at work in each round, over all sittings."""
        return [one.seconds for one in self.ran]
