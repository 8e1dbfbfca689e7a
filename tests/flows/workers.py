"""What the tests have done in worker processes."""

import os


def squared(number: int) -> int:
    """Something to do."""
    return number * number


def ending(_: int) -> int:
    """The process is gone in the middle of its work."""
    os._exit(9)
