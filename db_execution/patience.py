"""How long to go on asking, whom next, and what to say in the end."""

import time
from collections.abc import Iterator, Sequence

from db_execution.endpoints import Endpoint
from db_execution.errors import Overloaded, Unreachable

SHORTEST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 2.0


class Patience:
    """Yields endpoints to try, in turn, until ``retry_for`` seconds have brought nothing."""

    def __init__(self, endpoints: Sequence[Endpoint], retry_for: float) -> None:
        self._endpoints = endpoints
        self._retry_for = retry_for
        self._last: Exception | None = None
        self._since = time.monotonic()
        self._pause = SHORTEST_PAUSE_S

    def __iter__(self) -> Iterator[Endpoint]:
        while True:
            yield from self._endpoints
            if time.monotonic() + self._pause - self._since > self._retry_for:
                return
            time.sleep(self._pause)
            self._pause = min(self._pause * 2, LONGEST_PAUSE_S)

    def renew(self) -> None:
        """Something was answered: begin to wait anew."""
        self._since = time.monotonic()
        self._pause = SHORTEST_PAUSE_S

    def failed(self, error: Exception) -> None:
        """Nothing more came this time."""
        self._last = error
        if isinstance(error, Overloaded):
            self._pause = max(self._pause, min(error.retry_after, LONGEST_PAUSE_S))

    def gave_up(self) -> Unreachable | Overloaded:
        """The error to raise when there is nobody left to try."""
        urls = ", ".join(sorted({endpoint.url for endpoint in self._endpoints}))
        if isinstance(self._last, Overloaded):
            return Overloaded(
                f"{urls} had no room for {self._retry_for:.0f} s: ask for less at once"
            )
        reason = str(self._last or "the answers stopped") or type(self._last).__name__
        return Unreachable(
            f"no answer from {urls} for {self._retry_for:.0f} s ({reason}): "
            "start the executor there, or correct endpoints.json"
        )
