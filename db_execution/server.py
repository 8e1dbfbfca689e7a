"""Run the service: bind, announce the address, serve until told to stop."""

import contextlib
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence

import uvicorn

from db_execution.errors import ExecutorError
from db_execution.service.app import make_app
from db_execution.service.logs import log, to_standard_error
from db_execution.service.settings import LOOPBACK, Settings

GRACE_S = 5
"""So long a stopping service lets the queries that it runs go on."""

Announce = Callable[[str], None]


class BadAddress(ExecutorError):
    """The service must not, or cannot, be bound there."""


def serve(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    allow_remote: bool = False,
    announce: Announce | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM. Port 0 takes a free one; ``announce`` is told the URL.

    Raises BadAddress for an address beyond this machine without ``allow_remote`` and a token, and
    for one that cannot be bound.
    """
    _check(settings, host, allow_remote)
    to_standard_error()
    with _bound(host, port) as sock:
        url = _url(host, sock.getsockname()[1])
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is how one stops it
            Server(settings, url, announce or announce_on_stdout).run(sockets=[sock])


class Server(uvicorn.Server):
    """A uvicorn server that hands back its queue before it waits for what it runs."""

    def __init__(self, settings: Settings, url: str, announce: Announce) -> None:
        app = make_app(settings)
        config = uvicorn.Config(
            app, log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=GRACE_S
        )
        super().__init__(config)
        self._pool = app.state.service.pool
        self._settings = settings
        self._url = url
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say where."""
        await super().startup(sockets)
        names = sorted({spec.name for spec in self._settings.trees})
        log.info(
            "serving", extra={"url": self._url, "trees": names, "workers": self._settings.workers}
        )
        self._announce(self._url)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Hand back what waits, then finish what runs."""
        self._pool.drain()
        log.info("stopping")
        await super().shutdown(sockets)


def announce_on_stdout(url: str) -> None:
    """One line of JSON on standard output: the address and the process."""
    print(json.dumps({"url": url, "pid": os.getpid()}), flush=True)


def end_with_parent() -> None:
    """Stop when standard input ends, as it does when the process that started this one is gone."""
    threading.Thread(target=_wait_for_end, daemon=True).start()


def _wait_for_end() -> None:
    while sys.stdin.buffer.read(4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _check(settings: Settings, host: str, allow_remote: bool) -> None:
    if host in LOOPBACK:
        return
    if not allow_remote:
        raise BadAddress(f"{host} is not this machine alone; say --allow-remote if that is meant")
    if not settings.token:
        raise BadAddress(f"to be reached at {host} the service needs a token")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio would leave Nagle's algorithm on and each answer would wait 40 ms.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise BadAddress(f"cannot listen at {host} port {port}: {error.strerror}") from None
    return sock


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


__all__: Sequence[str] = ("BadAddress", "announce_on_stdout", "end_with_parent", "serve")
