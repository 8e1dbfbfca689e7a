"""``r_ves``: BIRD's reward-based valid efficiency score, and how far it can be trusted.

A task that BIRD's rule calls right is timed beside its gold; the ratio of the two times is worth a
reward in steps, and the score is the mean over all tasks of the reward's root. One timing says
little, so each task is timed several times over, and the score comes with its standard deviation
from one round of timings to the next. Every timing is used: no rule throws outliers away.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import mean, stdev
from typing import Any

from benchmark.asking import Asker, Key
from benchmark.outcome import Evaluation, Outcome

STEPS = ((2.0, 1.25), (1.0, 1.0), (0.5, 0.75), (0.25, 0.5))
LEAST = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Ves:
    """``score`` is the mean over rounds, ``deviation`` that between them; 100 is as the golds."""

    score: float
    deviation: float
    rounds: int
    timed: int
    total: int

    def as_json(self) -> dict[str, Any]:
        """The score as a JSON object."""
        return asdict(self)


def reward(gold_ms: float, agent_ms: float) -> float:
    """What a right answer is worth: 1.25 at twice the gold's speed, never less than 0.25.

    >>> reward(10, 5), reward(10, 10), reward(10, 30), reward(0, 0)
    (1.25, 1.0, 0.5, 1.0)
    """
    if gold_ms == agent_ms:
        return 1.0
    ratio = math.inf if agent_ms <= 0 else gold_ms / agent_ms
    return next((worth for least, worth in STEPS if ratio >= least), LEAST)


def r_ves(evaluation: Evaluation, asker: Asker, rounds: int) -> Ves:
    """Time every right answer and its gold ``rounds`` times, the two in turn."""
    right = [one for one in evaluation.outcomes if one.readings.get("bird") == 1 and _keys(one)]
    keys = [key for one in right for key in _keys(one)]
    scores = []
    for _ in range(rounds):
        took = asker.elapsed(keys)
        rewards = [reward(*took[at : at + 2]) for at in range(0, len(took), 2)]
        scores.append(100 * sum(map(math.sqrt, rewards)) / max(1, evaluation.total))
    return Ves(
        score=round(mean(scores), 2),
        deviation=round(stdev(scores), 2) if rounds > 1 else 0.0,
        rounds=rounds,
        timed=len(right),
        total=evaluation.total,
    )


def _keys(outcome: Outcome) -> Sequence[Key]:
    """The gold's query and the agent's, where both are executed."""
    keys = [side.key for side in (outcome.gold, outcome.actual) if side.key is not None]
    return keys if len(keys) == 2 else ()
