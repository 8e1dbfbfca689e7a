"""The same agent over the same tasks, again and again: how good it is, and how steady."""

from benchmark.rounds.play import play_rounds
from benchmark.rounds.rounds import Rounds
from benchmark.rounds.stability import stability

__all__ = ["Rounds", "play_rounds", "stability"]
