"""The waiting room: bounded, in order within a database, in turns between databases."""

from collections import OrderedDict, deque
from collections.abc import Callable

from db_execution.service.jobs import Job, Key


class Full(Exception):
    """No more may wait."""


class WaitingRoom:
    """Jobs that wait for a worker."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._lines: OrderedDict[Key, deque[Job]] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def enter(self, job: Job) -> None:
        """A new job joins the end of its database's line; raises Full."""
        if self._size >= self.capacity:
            raise Full
        self._line(job.key).append(job)
        self._size += 1

    def come_back(self, job: Job) -> None:
        """A job that has had a turn stands first in its line, but its line goes last."""
        self._line(job.key).appendleft(job)
        self._lines.move_to_end(job.key)
        self._size += 1

    def next(self, fits: Callable[[Job], bool] = lambda job: True) -> Job | None:
        """The job whose turn it is among those that fit; its database then goes last."""
        for key, line in self._lines.items():
            if fits(line[0]):
                return self._leave(key, line)
        return None

    def any(self, fits: Callable[[Job], bool]) -> bool:
        """Whether a job that fits stands first in its line."""
        return any(fits(line[0]) for line in self._lines.values())

    def empty(self) -> list[Job]:
        """Everybody leaves."""
        jobs = [job for line in self._lines.values() for job in line]
        self._lines.clear()
        self._size = 0
        return jobs

    def _line(self, key: Key) -> deque[Job]:
        return self._lines.setdefault(key, deque())

    def _leave(self, key: Key, line: deque[Job]) -> Job:
        job = line.popleft()
        self._size -= 1
        self._lines.move_to_end(key)
        if not line:
            del self._lines[key]
        return job
