"""Two systems held against each other, task by task: which is better, and could it be chance."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.stats import binomtest

from benchmark.errors import BenchmarkError
from benchmark.ids import natural
from benchmark.outcome import Evaluation, Outcome

DRAWS = 10_000
SEED = 0
LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Versus:
    """``difference`` is the first's share minus the second's, over the tasks of both.

    ``p_value`` is McNemar's exact test: the chance of so uneven a split of the tasks that one of
    the two passes, if both were as good. ``interval`` holds the difference in 95 of 100 bootstrap
    samples of the tasks. ``unjudged`` tasks have no gold to be held against.
    """

    name: str
    other: str
    total: int
    both: int
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    neither: int
    unjudged: int
    difference: float
    p_value: float
    interval: tuple[float, float]


def versus(one: Evaluation, other: Evaluation, reading: str = "") -> Versus:
    """Compare two evaluations of one benchmark, by the verdict or by a reading that is 0 or 1."""
    names = [outcome.task.task_id for outcome in one.outcomes]
    if names != [outcome.task.task_id for outcome in other.outcomes]:
        raise BenchmarkError(f"{one.run.name} and {other.run.name} are not about the same tasks")
    right = _right(reading)
    pairs = list(zip(names, map(right, one.outcomes), map(right, other.outcomes), strict=True))
    judged = [(name, first, second) for name, first, second in pairs if None not in (first, second)]
    only = [
        tuple(sorted((n for n, a, b in judged if (a, b) == split), key=natural))
        for split in ((True, False), (False, True))
    ]
    firsts, seconds = (np.array([row[at] for row in judged], dtype=float) for at in (1, 2))
    differences = firsts - seconds
    return Versus(
        name=one.run.name,
        other=other.run.name,
        total=len(pairs),
        both=int((firsts * seconds).sum()),
        only_first=only[0],
        only_second=only[1],
        neither=sum((a, b) == (False, False) for _, a, b in judged),
        unjudged=len(pairs) - len(judged),
        difference=round(float(differences.mean()), 6) if judged else 0.0,
        p_value=mcnemar(len(only[0]), len(only[1])),
        interval=bootstrap(differences),
    )


def _right(reading: str) -> Callable[[Outcome], bool | None]:
    """Whether an outcome is right; None where nothing can be said."""

    def by_status(outcome: Outcome) -> bool | None:
        return None if outcome.bucket == "gold_failed" else outcome.bucket == "passed"

    def by_reading(outcome: Outcome) -> bool | None:
        if reading not in outcome.readings:
            names = ", ".join(outcome.readings)
            raise BenchmarkError(f"no reading {reading!r}; there are: {names}")
        value = outcome.readings[reading]
        return None if value is None else value == 1

    return by_reading if reading else by_status


def mcnemar(first: int, second: int) -> float:
    """The exact two-sided p-value of McNemar's test; 1 where the two never differ.

    >>> mcnemar(0, 5), mcnemar(3, 3)
    (0.0625, 1.0)
    """
    if first + second == 0:
        return 1.0
    return float(binomtest(first, first + second, 0.5).pvalue)


def bootstrap(differences: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> tuple[float, float]:
    """The middle 95 % of the mean over tasks drawn again and again, from a fixed seed."""
    size = len(differences)
    if size == 0:
        return (0.0, 0.0)
    random = np.random.default_rng(SEED)
    chances = [float((differences == value).mean()) for value in (1.0, 0.0, -1.0)]
    drawn = random.multinomial(size, chances, size=DRAWS)
    means = (drawn[:, 0] - drawn[:, 2]) / size
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return round(float(low), 6), round(float(high), 6)


def every_pair(evaluations: Sequence[Evaluation], reading: str = "") -> list[Versus]:
    """Every two of the systems, the better one first; BenchmarkError where there is but one."""
    if len(evaluations) < 2:
        raise BenchmarkError("one system is not two: name another (--predictions or --run)")
    best_first = sorted(evaluations, key=lambda one: -one.buckets["passed"])
    return [versus(one, other, reading) for one, other in combinations(best_first, 2)]


def as_json(one: Versus) -> dict[str, Any]:
    """The comparison as a JSON object."""
    return asdict(one)
