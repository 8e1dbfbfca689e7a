"""What is judged: attempts at tasks, those that are one to a verdict as one, cut into groups."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from benchmark.run import Attempt
from benchmark.tasks import Task

Name = tuple[object, ...]


class Case(NamedTuple):
    """An attempt at a task, and its SQL as it is asked; None where there is nothing to ask."""

    task: Task
    attempt: Attempt | None
    sql: str | None

    @property
    def name(self) -> Name:
        """What attempts share that are one to a verdict: systems often write the same query."""
        if self.attempt is None:
            return (self.task.task_id,)
        sql = self.attempt.sql if self.sql is None else self.sql
        return (self.task.task_id, sql, self.attempt.result, self.attempt.failure)


def grouped(tasks: Sequence[Task], most: int) -> list[list[int]]:
    """The places of at most so many tasks of one database each, the largest groups first."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, task in enumerate(tasks):
        places[task.db_id].append(at)
    cut = (own[at : at + most] for own in places.values() for at in range(0, len(own), most))
    return sorted(cut, key=len, reverse=True)
