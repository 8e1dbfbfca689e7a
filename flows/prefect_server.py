"""A Prefect server for one run: in memory, on a free loopback port, gone when the run is.

Prefect would start one by itself, but that one lives on when the run is killed. This one holds the
other end of a pipe from the run, and ends when the pipe does. Run as a process by `prefect_home`.
"""

import os
import socket
import sys
import threading

import uvicorn

from db_execution import listening


class _Announced(uvicorn.Server):
    """Says its port on standard output once it answers."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for sock in sockets or ():
            print(sock.getsockname()[1], flush=True)


def main() -> None:
    """Serve until the pipe on standard input ends."""
    threading.Thread(target=_end_with_the_run, daemon=True).start()
    config = uvicorn.Config(
        "prefect.server.api.server:create_app", factory=True, lifespan="on", log_level="error"
    )
    _Announced(config).run([listening.bound("127.0.0.1", 0)])


def _end_with_the_run() -> None:
    sys.stdin.buffer.read()
    os._exit(0)  # there is nothing to save: its database is in memory


if __name__ == "__main__":
    main()
