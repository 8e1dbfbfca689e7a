"""How far the work is, on standard error: a bar on a terminal, else one line a stage."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

PATIENCE = 2.0
"""Seconds that a stage may take before a bar is shown."""


class Teller:
    """Tells the person at the terminal what goes on. Standard output is left to the results."""

    def __init__(self, console: Console | None = None, patience: float = PATIENCE) -> None:
        self._console = console or Console(stderr=True)
        self._patience = patience

    def say(self, line: str) -> None:
        """One line, as it is."""
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    @contextmanager
    def counting(self, stage: str, total: int) -> Iterator[Callable[[], None]]:
        """Count pieces up to ``total``: call what this yields once a piece."""
        began = time.monotonic()
        with self._bar(stage, total) as advance:
            yield advance
        pieces = "1 piece" if total == 1 else f"{total} pieces"
        self.say(f"{stage}: {pieces} made in {time.monotonic() - began:.1f} s")

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Say what is waited for, where nothing can be counted."""
        if self._console.is_terminal:
            with self._console.status(what):
                yield
        else:
            self.say(what)
            yield

    @contextmanager
    def _bar(self, stage: str, total: int) -> Iterator[Callable[[], None]]:
        """A bar that shows itself when the work is not done soon, and leaves nothing behind."""
        if not self._console.is_terminal:
            yield lambda: None
            return
        bar = _progress(self._console)
        task = bar.add_task(stage, total=total)
        shown = threading.Timer(self._patience, bar.start)
        shown.daemon = True
        shown.start()
        try:
            yield lambda: bar.advance(task)
        finally:
            shown.cancel()
            shown.join()
            bar.stop()


@contextmanager
def counted(what: str, patience: float = PATIENCE) -> Iterator[Callable[[int, int], None]]:
    """Tell of work whose size is known only as it goes: call what this yields with (done, all).

    A bar on a terminal, else a line every few seconds; nothing where it does not take that long.
    """
    console, told = Console(stderr=True), time.monotonic()
    bar = _progress(console)
    task = bar.add_task(what, total=None)

    def tell(done: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told < patience:
            return
        if console.is_terminal:
            bar.start()
            bar.update(task, completed=done, total=total)
        else:
            told = time.monotonic()
            console.print(f"{what}: {done} of {total}", markup=False, highlight=False)

    try:
        yield tell
    finally:
        if bar.live.is_started:  # stopping one that never showed would leave an empty line
            bar.stop()


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=console, transient=True)
