"""Run the server: say where it is, serve until told to stop."""

import contextlib
import json
import os
import socket

import uvicorn

from db_execution.sandbox import EPISODE, limit_heap
from investigation.address import Address
from investigation.environment import Journal
from investigation.openenv.app import make_app

FRAME_BYTES = 1024 * 1024
"""The longest frame that is read; an action's SQL has 4,000 characters."""
PING_S, PONG_S = 60.0, 600.0
"""How often a session is asked whether it is there, and how long an answer may take.

A trainer that generates for minutes may not answer; one that is gone gives its session up.
"""
GRACE_S = 5


def serve(
    address: Address,
    sock: socket.socket,
    *,
    journal: Journal | None = None,
    siblings: bool = False,
) -> None:
    """Serve at ``sock``, which is bound to ``address``, until SIGINT or SIGTERM.

    The address goes to standard output as one line of JSON.
    """
    limit_heap(EPISODE.heap_bytes)
    app = make_app(journal=journal, siblings=siblings, token=address.token, local=address.is_local)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws_max_size=FRAME_BYTES,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PONG_S,
        timeout_graceful_shutdown=GRACE_S,
    )
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is how one stops it
        Server(config, address.url(sock)).run(sockets=[sock])


class Server(uvicorn.Server):
    """A uvicorn server that says where it is, once it listens."""

    def __init__(self, config: uvicorn.Config, url: str) -> None:
        super().__init__(config)
        self._url = url

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say where."""
        await super().startup(sockets)
        print(json.dumps({"url": self._url, "pid": os.getpid()}), flush=True)
