"""What a worker has to say, said soon and several answers at once."""

import contextlib
import socket
import threading
from time import sleep

SOON_S = 0.005


class Outbox:
    """Sends what is put into it within some milliseconds, even while the thread that puts is busy.

    So an answer is out before the next query can hold the worker up, and what the service finds
    missing when it has ended a worker is the answer to the query that was to blame.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._waiting: list[bytes] = []
        self._putting = threading.Lock()
        self._sending = threading.Lock()
        self._news = threading.Event()
        threading.Thread(target=self._send_soon, daemon=True).start()

    def put(self, data: bytes) -> None:
        """Send ``data`` soon."""
        with self._putting:
            self._waiting.append(data)
        if not self._news.is_set():
            self._news.set()

    def flush(self) -> None:
        """Send all there is now."""
        with self._sending:
            with self._putting:
                waiting, self._waiting = self._waiting, []
            if waiting:
                self._sock.sendall(b"".join(waiting))

    def _send_soon(self) -> None:
        with contextlib.suppress(OSError):  # the service is gone, and this process soon is too
            while self._news.wait():
                sleep(SOON_S)
                self._news.clear()
                self.flush()
