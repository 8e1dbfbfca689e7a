"""How far a statement may run: VM steps, the same everywhere, and wall time as a safety net."""

from time import monotonic
from typing import Literal

ROW_STEPS = 100
CELL_STEPS = 50
"""What a row of an answer, and each cell in it, counts for beside the engine's own steps: about as
long as digesting them takes. Else an answer of a billion cheap rows would end by wall time, at
another row on every machine."""


class Budget:
    """The progress handler of one connection: called every ``tick`` steps, says True to stop."""

    __slots__ = ("_deadline", "_owed", "_tick", "_ticks", "spent")

    def __init__(self) -> None:
        self.start(steps=0, tick=1, until=0.0)

    def start(self, *, steps: int, tick: int, until: float) -> None:
        """Begin a statement that may take so many steps, and wall time ``until`` then."""
        self._tick = tick
        self._ticks = -(-steps // tick)
        self._owed = 0
        self._deadline = until
        self.spent: Literal["vm_steps", "wall_time"] | None = None

    def charge(self, rows: int, cells: int) -> bool:
        """Count ``rows`` of an answer with ``cells`` each; whether to stop here."""
        self._owed += rows * (ROW_STEPS + cells * CELL_STEPS)
        ticks, self._owed = divmod(self._owed, self._tick)
        self._ticks -= ticks
        if self._ticks <= 0:
            self.spent = "vm_steps"
        return self.spent is not None

    def __call__(self) -> bool:
        """Whether to stop here."""
        self._ticks -= 1
        if self._ticks <= 0:
            self.spent = "vm_steps"
        elif monotonic() > self._deadline:
            self.spent = "wall_time"
        return self.spent is not None
