"""What a worker has to say, said soon and several answers at once."""

import contextlib
import socket
import threading
from time import sleep

from db_execution.frames import packed_answers

SOON_S = 0.02


class Outbox:
    """Sends what is put into it within some milliseconds, even while the thread that puts is busy.

    So an answer is out before the next query can hold the worker up, and what the service finds
    missing when it has ended a worker is the answer to the query that was to blame.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._waiting: list[tuple[int, bytes, bool]] = []
        self._sending = threading.Lock()
        self._news = threading.Event()
        threading.Thread(target=self._send_soon, daemon=True).start()

    def put(self, outcome: int, line: bytes, *, once: bool) -> None:
        """Send an answer soon; ``once``: another time it may be another."""
        self._waiting.append((outcome, line, once))
        if not self._news.is_set():
            self._news.set()

    def say(self, frame: bytes) -> None:
        """Send all answers that were put, and then ``frame``, now."""
        with self._sending:
            self._sock.sendall(self._taken() + frame)

    def _taken(self) -> bytes:
        """The answers that wait, as a frame. Who puts goes on putting, so only these are taken."""
        count = len(self._waiting)
        if not count:
            return b""
        answers = self._waiting[:count]
        del self._waiting[:count]
        outcomes, lines, once = zip(*answers, strict=True)
        return packed_answers(bytes(outcomes), lines, bytes(once))

    def _send_soon(self) -> None:
        with contextlib.suppress(OSError):  # the service is gone, and this process soon is too
            while self._news.wait():
                sleep(SOON_S)
                self._news.clear()
                self.say(b"")
