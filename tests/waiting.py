"""Waiting for what is to happen, never for some seconds in which it may."""

import time
from collections.abc import Callable

PATIENCE_S = 120.0
"""Far longer than anything takes, however busy the machine is."""


def until(holds: Callable[[], object], within: float = PATIENCE_S) -> None:
    """Return once ``holds`` says something true; the test fails if it never does."""
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end, f"waited {within:.0f} s in vain"
        time.sleep(0.01)
