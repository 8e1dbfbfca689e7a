"""Ctrl-C, which the terminal tells to every process of a command: one of them answers."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def not_heard_by_children() -> Iterator[None]:
    """Processes that are started in here do not hear Ctrl-C, not even while they load.

    Whoever starts them tells them when to end. What they would say by themselves is a traceback.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
