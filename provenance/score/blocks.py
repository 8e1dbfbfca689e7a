"""The model: the head of a list may be a block that belongs to one later sample.

Before a list is looked at, a block is there with a chance of ``prior``; then each length and each
sample of the ten rows that follow is as likely as another. Each reference of the block adds what
speaks for the later sample and against its own, in units of log-odds:

- ``answer``, where it gives the answer of the later gold and not that of its own; minus as much
  where it is the other way round;
- ``closeness`` times how much closer it is to the later gold than to its own, by rarity;
- ``words`` times how much less its plain words fit that gold than the best of the ten: this can
  only choose between later samples, never make a block.

The score of a reference is the chance, after all lengths and samples are weighed against each other
and against there being no block, that a block covers it. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

REACH = 10
"""Rows of the corpus that a block has moved at most."""

LIKELY = 0.5
"""From here on a reference is more likely another sample's than its own."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The four numbers of the model."""

    prior: float
    answer: float
    closeness: float
    words: float


RECORD = Weights(prior=0.2, answer=2.0, closeness=8.0, words=1.0)
"""What `python -m bench.provenance` finds on either half of the databases; see README.md."""


@dataclass(frozen=True, slots=True)
class Sign:
    """What one reference says of one later gold.

    ``answer`` is 1, 0 or -1; ``closeness`` the difference of the two; ``words`` how well its plain
    words fit, from 0 to 1.
    """

    answer: int
    closeness: float
    words: float


@dataclass(frozen=True, slots=True)
class Score:
    """The chance that a reference is another sample's; which candidate's, in a block how long."""

    chance: float
    candidate: int
    length: int


def score_list(signs: Sequence[Sequence[Sign]], counts: Sequence[int], w: Weights) -> list[Score]:
    """The score of every reference of one list.

    ``signs`` has a row for each later gold, with a sign for each reference; ``counts`` says how
    many of the ten rows that follow have that gold. There is at least one of either.
    """
    size = len(signs[0])
    best = [max(row[at].words for row in signs) for at in range(size)]
    odds = math.log(w.prior / (1 - w.prior) / (REACH * size))
    logs = [
        _lengths(row, best, odds + math.log(count), w)
        for row, count in zip(signs, counts, strict=True)
    ]
    top = max(0.0, max(max(row) for row in logs))
    weights = [[math.exp(one - top) for one in row] for row in logs]
    total = math.fsum([math.exp(-top), *(one for row in weights for one in row)])
    return [_score(weights, at, total) for at in range(size)]


def _lengths(row: Sequence[Sign], best: Sequence[float], odds: float, w: Weights) -> list[float]:
    """The log-odds of a block of each length that belongs to one gold."""
    found: list[float] = []
    gathered = odds
    for sign, most in zip(row, best, strict=True):
        gathered += w.answer * sign.answer + w.closeness * sign.closeness
        gathered += w.words * (sign.words - most)
        found.append(gathered)
    return found


def _score(weights: Sequence[Sequence[float]], at: int, total: float) -> Score:
    """What all blocks that reach as far as ``at`` weigh, and the likeliest of them."""
    covering = [math.fsum(row[at:]) for row in weights]
    candidate = max(range(len(covering)), key=covering.__getitem__)
    row = weights[candidate]
    length = max(range(at, len(row)), key=row.__getitem__) + 1
    return Score(min(1.0, math.fsum(covering) / total), candidate, length)
