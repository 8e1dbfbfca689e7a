"""Waiting for what is to happen, never for some seconds in which it may."""

import time
from collections.abc import Callable

PATIENCE_S = 240.0
"""Far longer than anything takes, however busy the machine is."""


def until(holds: Callable[[], object], every: float = 0.01) -> None:
    """Return once ``holds``, asked ``every`` so many seconds, says something true; else fail."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, f"waited {PATIENCE_S:.0f} s in vain"
        time.sleep(every)
