"""The reward as a rubric: one number at the end of an episode, nothing before it."""

from typing import Any

from openenv.core.rubrics import TrajectoryRubric


class WholeTable(TrajectoryRubric):  # type: ignore[misc]
    """1 where the last action submitted the whole right table, else 0.

    The environment has graded the submission when it makes the observation; no partial credit, so
    no step but the last is worth anything.
    """

    def score_trajectory(self, trajectory: list[tuple[Any, Any]]) -> float:
        """The score of an episode that has ended."""
        return float(trajectory[-1][1].reward) if trajectory else 0.0

    def compute_step_rewards(self) -> list[float]:
        """The reward of each step so far."""
        return [float(observation.reward) for _, observation in self.trajectory]
