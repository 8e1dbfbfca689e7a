"""Run the server: bind, say where, serve until told to stop."""

import contextlib
import json
import os
import socket
from dataclasses import dataclass

import uvicorn

from db_execution.sandbox import EPISODE, limit_heap
from investigation.environment import Journal
from investigation.errors import InvestigationError
from investigation.openenv.app import TOKEN_VARIABLE, make_app
from investigation.openenv.door import LOOPBACK

FRAME_BYTES = 1024 * 1024
"""The longest frame that is read; an action's SQL has 4,000 characters."""
PING_S, PONG_S = 60.0, 600.0
"""How often a session is asked whether it is there, and how long an answer may take.

A trainer that generates for minutes may not answer; one that is gone gives its session up.
"""
GRACE_S = 5


class BadAddress(InvestigationError):
    """The server must not, or cannot, be bound there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where to listen, and who may come. ``anyone`` needs no token beyond this machine."""

    host: str = "127.0.0.1"
    port: int = 0
    allow_remote: bool = False
    anyone: bool = False
    token: str | None = None

    @property
    def is_local(self) -> bool:
        """Whether only this machine is listened to."""
        return self.host in LOOPBACK

    def check(self) -> None:
        """Raise BadAddress where strangers could come in and nobody said that they may."""
        if self.is_local:
            return
        if not self.allow_remote:
            raise BadAddress(
                f"{self.host} is not this machine alone; say --allow-remote if that is meant"
            )
        if self.token is None and not self.anyone:
            raise BadAddress(
                f"to be reached at {self.host} the server needs a token in {TOKEN_VARIABLE}, "
                "or --no-token to let anyone in"
            )


def serve(address: Address, *, journal: Journal | None = None, siblings: bool = False) -> None:
    """Serve until SIGINT or SIGTERM; the address goes to standard output as one line of JSON.

    Port 0 takes a free one. Raises BadAddress for one that it must not or cannot listen at.
    """
    address.check()
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
    with _bound(address) as sock, contextlib.suppress(KeyboardInterrupt):
        Server(config, _url(address.host, sock.getsockname()[1])).run(sockets=[sock])


class Server(uvicorn.Server):
    """A uvicorn server that says where it is, once it listens."""

    def __init__(self, config: uvicorn.Config, url: str) -> None:
        super().__init__(config)
        self._url = url

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say where."""
        await super().startup(sockets)
        print(json.dumps({"url": self._url, "pid": os.getpid()}), flush=True)


def _bound(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((address.host, address.port))
    except OSError as error:
        sock.close()
        raise BadAddress(
            f"cannot listen at {address.host} port {address.port}: {error.strerror}"
        ) from None
    return sock


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
