"""Serve the page until told to stop."""

import contextlib
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import uvicorn

from pairset.build import Build
from review.access import LOOPBACK, TOKEN_VARIABLE, Secrets
from review.answers import Asking, Opened
from review.app import Desk, make_app
from review.errors import BadAddress
from review.index import load
from review.said import Said

GRACE_S = 3
"""So long a stopping server lets the pages that it makes go on."""

Announce = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where to listen, and with what token people come in."""

    host: str = "127.0.0.1"
    port: int = 0
    allow_remote: bool = False
    token: str | None = None

    @property
    def is_local(self) -> bool:
        """Whether only this machine is listened to."""
        return self.host in LOOPBACK

    @property
    def hosts(self) -> Sequence[str] | None:
        """The names a request may be addressed to: beyond this machine the token decides."""
        return sorted(LOOPBACK) if self.is_local else None

    def bound(self) -> socket.socket:
        """A socket that is bound there; BadAddress where it must not be, or cannot."""
        self.check()
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        # Named as TCP, or asyncio would leave Nagle's algorithm on, and each page would wait.
        sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((self.host, self.port))
        except OSError as error:
            sock.close()
            raise BadAddress(
                f"cannot listen at {self.host} port {self.port}: {error.strerror}"
            ) from None
        return sock

    def url(self, sock: socket.socket) -> str:
        """The address that ``sock`` is bound to, for people."""
        port = sock.getsockname()[1]
        return f"http://[{self.host}]:{port}" if ":" in self.host else f"http://{self.host}:{port}"

    def check(self) -> None:
        """Raise BadAddress where strangers could come in."""
        if self.is_local:
            return
        if not self.allow_remote:
            raise BadAddress(
                f"{self.host} is not this machine alone; say --allow-remote if that is meant"
            )
        if not self.token:
            raise BadAddress(
                f"to be reached at {self.host} the page needs a token in {TOKEN_VARIABLE}"
            )


def desk_of(build: Build, opened: Opened, trees: Sequence[str], token: str | None) -> Desk:
    """The pairs of a build, ready to be looked at; `NothingToSee` where there are none."""
    index = load(build)
    asking = Asking(opened, build.config.executor)
    return Desk(build, index, Said(build.root, index), asking, tuple(trees), Secrets(token))


def serve(desk: Desk, address: Address, announce: Announce) -> None:
    """Serve until SIGINT or SIGTERM; ``announce`` is told the URL once it answers."""
    with contextlib.ExitStack() as stack:
        sock = stack.enter_context(address.bound())
        stack.callback(desk.asking.close)
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))  # how one stops it
        server(desk, address, lambda: announce(address.url(sock))).run(sockets=[sock])


def server(desk: Desk, address: Address, started: Callable[[], None]) -> uvicorn.Server:
    """A server of the page, not yet running."""
    config = uvicorn.Config(
        make_app(desk, address.hosts),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    return _Server(config, started)


class _Server(uvicorn.Server):
    """Says when it answers."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._say_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        self._say_started()
