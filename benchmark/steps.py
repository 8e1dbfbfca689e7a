"""Works that stop where they have to ask: others ask for them, and one thread does all the rest.

While one work waits for its answers, another goes on with its own. Threads that took turns at both
would keep each other from the little that there is to do between two questions.
"""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Step = Callable[[], Any]
"""A question: it is called elsewhere, and its work goes on with what it returns."""

Steps = Generator[Step, Any, T]


def all_done(works: Sequence[Steps[T]], *, threads: int) -> list[T]:
    """What each work comes to, in the order of ``works``; so many threads ask.

    The first question that fails ends all of them; those that are out are not waited for.
    """
    pool = ThreadPoolExecutor(threads)
    try:
        return _Driver(works, pool, threads).run()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _Driver(Generic[T]):
    def __init__(self, works: Sequence[Steps[T]], pool: ThreadPoolExecutor, threads: int) -> None:
        self._works, self._pool, self._threads = works, pool, threads
        self._unbegun = iter(range(len(works)))
        self._waiting: dict[Future[Any], int] = {}
        self._found: dict[int, T] = {}

    def run(self) -> list[T]:
        """Questions first: whoever answers them should not have to wait."""
        self._begin_some()
        while self._waiting:
            wait(self._waiting, return_when=FIRST_COMPLETED)
            self._begin_some()
            answered = next(one for one in self._waiting if one.done())
            self._go_on(self._waiting.pop(answered), answered.result())
        return [self._found[at] for at in range(len(self._works))]

    def _begin_some(self) -> None:
        """Begin works until every thread has a question."""
        while sum(not one.done() for one in self._waiting) < self._threads:
            at = next(self._unbegun, None)
            if at is None:
                return
            self._go_on(at, None)

    def _go_on(self, at: int, answer: Any) -> None:
        try:
            self._waiting[self._pool.submit(self._works[at].send(answer))] = at
        except StopIteration as end:
            self._found[at] = end.value
