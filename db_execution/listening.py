"""Where a server may listen: this machine alone, unless its user says otherwise.

For this service, and for the other servers of the project.
"""

import socket
from dataclasses import dataclass
from typing import ClassVar

from db_execution.errors import BadAddress

LOOPBACK = frozenset(("127.0.0.1", "::1", "localhost"))


def check(host: str, *, allow_remote: bool, is_guarded: bool, needs: str) -> None:
    """Raise `BadAddress` where strangers could come in and nobody said that they may.

    ``needs`` says what a server that is not guarded by a token is to be given.
    """
    if host in LOOPBACK:
        return
    if not allow_remote:
        raise BadAddress(f"{host} is not this machine alone; say --allow-remote if that is meant")
    if not is_guarded:
        raise BadAddress(f"to be reached at {host} {needs}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a server listens, and with what token people come in; ``needs`` is as in `check`."""

    needs: ClassVar[str] = "the server needs a token"

    host: str = "127.0.0.1"
    port: int = 0
    allow_remote: bool = False
    token: str | None = None

    @property
    def is_local(self) -> bool:
        """Whether only this machine is listened to."""
        return self.host in LOOPBACK

    @property
    def is_guarded(self) -> bool:
        """Whether strangers stay out, or are let in on purpose."""
        return bool(self.token)

    def check(self) -> None:
        """Raise BadAddress where strangers could come in and nobody said that they may."""
        guarded = self.is_guarded
        check(self.host, allow_remote=self.allow_remote, is_guarded=guarded, needs=self.needs)

    def bound(self) -> socket.socket:
        """A socket that is bound there; BadAddress where it must not be, or cannot."""
        self.check()
        return bound(self.host, self.port)

    def url(self, sock: socket.socket) -> str:
        """The address that ``sock`` is bound to, for people and clients."""
        return url_of(self.host, sock)


def bound(host: str, port: int) -> socket.socket:
    """A socket that is bound there, port 0 to a free one; `BadAddress` where that cannot be."""
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


def url_of(host: str, sock: socket.socket) -> str:
    """The address that ``sock`` is bound to, for people and clients."""
    port = sock.getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
