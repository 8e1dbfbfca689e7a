"""Works ask, others answer, and what they come to is theirs, whoever is answered first."""

import threading
import time
from collections.abc import Callable

import pytest

from benchmark.steps import Steps, all_done


def asking(questions: int, seconds: float = 0.0) -> Steps[list[int]]:
    """A work that asks so often and keeps what it is told."""
    told: list[int] = []
    for number in range(questions):
        told.append((yield _answer(number, seconds)))
    return told


def _answer(number: int, seconds: float) -> Callable[[], int]:
    def answer() -> int:
        time.sleep(seconds)
        return number * 10

    return answer


def test_each_comes_to_its_own_whoever_is_answered_first() -> None:
    works = [asking(3, 0.02), asking(0), asking(1), asking(5, 0.001)]
    assert all_done(works, threads=2) == [[0, 10, 20], [], [0], [0, 10, 20, 30, 40]]
    assert all_done([], threads=3) == []
    assert all_done([asking(0)] * 1, threads=1) == [[]]


def test_one_thread_does_all_but_the_asking() -> None:
    seen = []

    def work() -> Steps[None]:
        for _ in range(3):
            seen.append(threading.current_thread())
            yield lambda: asked.append(threading.current_thread())

    asked: list[threading.Thread] = []
    all_done([work() for _ in range(9)], threads=3)
    assert set(seen) == {threading.current_thread()}
    assert len(seen) == len(asked) == 27
    assert threading.current_thread() not in asked


def test_works_begin_before_what_is_answered_goes_on() -> None:
    order: list[str] = []

    def work(name: str) -> Steps[None]:
        order.append(f"{name} begins")
        yield lambda: None
        order.append(f"{name} goes on")

    all_done([work("one"), work("two")], threads=1)
    assert order == ["one begins", "two begins", "one goes on", "two goes on"]


def test_a_question_that_fails_ends_all() -> None:
    def failing() -> Steps[None]:
        def fail() -> None:
            raise ValueError("no answer")

        yield fail

    began = time.monotonic()
    with pytest.raises(ValueError, match="no answer"):
        all_done([failing(), *(asking(100, 0.05) for _ in range(20))], threads=2)
    assert time.monotonic() - began < 50
