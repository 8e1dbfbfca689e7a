"""Serve the page until told to stop."""

import contextlib
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import uvicorn

from db_execution import listening
from pairset.build import Build
from review.access import TOKEN_VARIABLE, Secrets
from review.answers import Asking, Opened
from review.app import Desk, make_app
from review.index import load
from review.said import Said

GRACE_S = 3
"""So long a stopping server lets the pages that it makes go on."""

Announce = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Address(listening.Address):
    """Where to listen, and with what token people come in."""

    needs: ClassVar[str] = f"the page needs a token in {TOKEN_VARIABLE}"

    @property
    def hosts(self) -> Sequence[str] | None:
        """The names a request may be addressed to: beyond this machine the token decides."""
        return sorted(listening.LOOPBACK) if self.is_local else None


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
