"""The command line, ``pairset``: each command reads its options, calls, and prints the result."""

from flows.cli.app import main

__all__ = ["main"]
