"""Run the service: bind, announce the address, serve until told to stop."""

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import Sequence
from types import FrameType
from typing import Any

import uvicorn

from db_execution import listening
from db_execution.service.app import make_app
from db_execution.service.cradle import Cradle
from db_execution.service.logs import log, to_standard_error
from db_execution.service.settings import Settings

GRACE_S = 5
"""So long a stopping service lets the queries that it runs go on."""

AS_IT_IS: dict[str, Any] = {
    "log_config": None,
    "access_log": False,
    "lifespan": "on",
    "http": "h11",
    "ws": "none",
    "loop": "asyncio",
}
"""Named, so that nothing else that is installed is looked for, and loaded before it serves."""


def serve(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    allow_remote: bool = False,
    cradle: Cradle | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM, and say where. Port 0 takes a free one.

    Workers come out of ``cradle`` where one is begun already.

    Raises BadAddress for an address beyond this machine without ``allow_remote`` and a token, and
    for one that cannot be bound.
    """
    needs = "the service needs a token"
    listening.check(host, allow_remote=allow_remote, is_guarded=bool(settings.token), needs=needs)
    to_standard_error()
    with listening.bound(host, port) as sock:
        url = listening.url_of(host, sock)
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is how one stops it
            Server(settings, url, cradle).run(sockets=[sock])


class Server(uvicorn.Server):
    """A uvicorn server that hands back its queue before it waits for what it runs."""

    def __init__(self, settings: Settings, url: str, cradle: Cradle | None) -> None:
        app = make_app(settings, cradle)
        config = uvicorn.Config(app, timeout_graceful_shutdown=GRACE_S, **AS_IT_IS)
        super().__init__(config)
        self._pool = app.state.service.pool
        self._settings = settings
        self._url = url
        self._told_to_stop: asyncio.Future[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say where."""
        await super().startup(sockets)
        names = sorted({spec.name for spec in self._settings.trees})
        log.info(
            "serving", extra={"url": self._url, "trees": names, "workers": self._settings.workers}
        )
        announce_on_stdout(self._url)

    async def main_loop(self) -> None:
        """Run until told to stop: at once, where uvicorn looks ten times a second."""
        self._told_to_stop = asyncio.get_running_loop().create_future()
        ticking = asyncio.ensure_future(super().main_loop())
        try:
            await asyncio.wait((ticking, self._told_to_stop), return_when="FIRST_COMPLETED")
        finally:
            ticking.cancel()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take note of a signal, and be woken by it."""
        super().handle_exit(sig, frame)
        told = self._told_to_stop
        if told is not None:
            told.get_loop().call_soon_threadsafe(_settle, told)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Hand back what waits, then finish what runs."""
        self._pool.drain()
        log.info("stopping")
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
        else:  # nobody to wait for, and uvicorn would wait for them all the same
            await self._close(sockets)

    async def _close(self, sockets: list[socket.socket] | None) -> None:
        for opened in (*self.servers, *(sockets or ())):
            opened.close()
        await self.lifespan.shutdown()


def _settle(told: asyncio.Future[None]) -> None:
    if not told.done():
        told.set_result(None)


def announce_on_stdout(url: str) -> None:
    """One line of JSON on standard output: the address and the process."""
    print(json.dumps({"url": url, "pid": os.getpid()}), flush=True)


__all__: Sequence[str] = ("announce_on_stdout", "serve")
