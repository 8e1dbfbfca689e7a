"""What the tests have done in worker processes."""

import os
import signal


def squared(number: int) -> int:
    """Something to do."""
    return number * number


def ending(_: int) -> int:
    """The process is gone in the middle of its work."""
    os._exit(9)


def hears_interrupts(_: int) -> bool:
    """Whether Ctrl-C reaches the process, and whether it did while it was loaded."""
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
