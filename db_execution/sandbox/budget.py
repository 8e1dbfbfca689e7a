"""How far a statement may run: VM steps, the same everywhere, and wall time as a safety net."""

from time import monotonic
from typing import Literal


class Budget:
    """The progress handler of one connection: called every ``tick`` steps, says True to stop."""

    __slots__ = ("_deadline", "_ticks", "spent")

    def __init__(self) -> None:
        self.start(ticks=0, seconds=0.0)

    def start(self, *, ticks: int, seconds: float) -> None:
        """Begin a statement that may take ``ticks`` calls and ``seconds`` of wall time."""
        self._ticks = ticks
        self._deadline = monotonic() + seconds
        self.spent: Literal["vm_steps", "wall_time"] | None = None

    def __call__(self) -> bool:
        """Whether to stop here."""
        self._ticks -= 1
        if self._ticks <= 0:
            self.spent = "vm_steps"
        elif monotonic() > self._deadline:
            self.spent = "wall_time"
        return self.spent is not None
