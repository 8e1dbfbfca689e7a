"""How steady an agent is: pass@k, flips, unanimous tasks, and how sure the rate is.

pass@k is the unbiased estimator of Chen et al. 2021: of n rounds with c right, the share of draws
of k rounds that hold a right one, 1 - C(n-c, k) / C(n, k), as a mean over all tasks. ``all_at_k``
is the share of draws that hold nothing else, C(c, k) / C(n, k).
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import comb, sqrt
from statistics import fmean, stdev
from typing import Any

import numpy as np

from benchmark.rounds.rounds import Rounds

LEVEL = 0.95
Z = 1.959963984540054
"""The normal quantile that leaves 2.5 % above it."""

DRAWS = 10_000
SEED = 20260101


def stability(rounds: Rounds) -> dict[str, Any]:
    """All of it as a JSON object. Every share is one of all tasks."""
    right = [rounds.right(at) for at in range(rounds.total)]
    shares = [sum(one) / len(one) for one in right]
    low, high = bootstrap(shares)
    rates = rounds.rates
    return {
        "mean_rate": _rounded(fmean(rates)),
        "rates": list(map(_rounded, rates)),
        "rate_deviation": _rounded(stdev(rates)) if len(rates) > 1 else None,
        "interval": {"level": LEVEL, "low": low, "high": high, "draws": DRAWS, "seed": SEED},
        "wilson": [wilson(one.buckets["passed"], one.total) for one in rounds.evaluations],
        "pass_at_k": _by_k(right, pass_at_k),
        "all_at_k": _by_k(right, all_at_k),
        "flips": flips(rounds.task_ids, right),
        "unanimity": unanimity(rounds, right),
    }


def pass_at_k(n: int, c: int, k: int) -> float:
    """The chance that one of k rounds is right, of n with c right.

    >>> pass_at_k(4, 1, 1), pass_at_k(4, 1, 4), pass_at_k(3, 1, 2), pass_at_k(5, 0, 5)
    (0.25, 1.0, 0.6666666666666667, 0.0)
    """
    return 1 - comb(n - c, k) / comb(n, k)


def all_at_k(n: int, c: int, k: int) -> float:
    """The chance that all of k rounds are right.

    >>> all_at_k(4, 2, 2), all_at_k(4, 4, 4)
    (0.16666666666666666, 1.0)
    """
    return comb(c, k) / comb(n, k)


def _by_k(
    right: Sequence[Sequence[bool]], chance: Callable[[int, int, int], float]
) -> dict[str, float]:
    if not right:
        return {}
    n = len(right[0])
    return {
        str(k): _rounded(fmean(chance(n, sum(one), k) for one in right)) for k in range(1, n + 1)
    }


def flips(task_ids: Sequence[str], right: Sequence[Sequence[bool]]) -> dict[str, Any]:
    """How often a task is right in one round and wrong in the next, or the other way round."""
    gained = [sum(not a and b for a, b in pairwise(one)) for one in right]
    lost = [sum(a and not b for a, b in pairwise(one)) for one in right]
    both = list(zip(task_ids, gained, lost, strict=True))
    return {
        "gained": sum(gained),
        "lost": sum(lost),
        "total": sum(gained) + sum(lost),
        "task_ids": [name for name, up, down in both if up or down],
    }


def unanimity(rounds: Rounds, right: Sequence[Sequence[bool]]) -> dict[str, list[str]]:
    """Every task in one of four lists; ``unjudged``: never right, and some round has no verdict."""
    found: dict[str, list[str]] = {"right": [], "wrong": [], "unstable": [], "unjudged": []}
    for at, (name, one) in enumerate(zip(rounds.task_ids, right, strict=True)):
        if any(one):
            kind = "right" if all(one) else "unstable"
        else:
            kind = "wrong" if rounds.is_judged(at) else "unjudged"
        found[kind].append(name)
    return found


def wilson(passed: int, total: int) -> list[float]:
    """Wilson's interval of a share, at 95 %.

    >>> wilson(5, 10), wilson(0, 0)
    ([0.236593, 0.763407], [0.0, 1.0])
    """
    if total == 0:
        return [0.0, 1.0]
    share, square = passed / total, Z * Z
    middle = share + square / (2 * total)
    half = Z * sqrt(share * (1 - share) / total + square / (4 * total * total))
    bottom = 1 + square / total
    low, high = (middle - half) / bottom, (middle + half) / bottom
    return [_rounded(max(0.0, low)), _rounded(min(1.0, high))]


def bootstrap(shares: Sequence[float]) -> tuple[float, float]:
    """The middle 95 % of the mean over tasks, drawn again and again from a fixed seed.

    Tasks are drawn whole, with all their rounds: rounds of one task are no independent evidence.
    """
    if not shares:
        return (0.0, 1.0)
    values, counts = np.unique(np.array(shares, dtype=float), return_counts=True)
    random = np.random.default_rng(SEED)
    drawn = random.multinomial(len(shares), counts / counts.sum(), size=DRAWS)
    means = drawn @ values / len(shares)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return _rounded(float(low)), _rounded(float(high))


def _rounded(value: float) -> float:
    return round(value, 6)
