"""Where the server listens, and who may come in: settled before anything is started."""

import socket
from dataclasses import dataclass

from investigation.errors import InvestigationError

TOKEN_VARIABLE = "PAIRSET_INVESTIGATION_TOKEN"
"""The environment variable that the server takes its token from."""

LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))


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

    def bound(self) -> socket.socket:
        """A socket that is bound there; BadAddress where it must not be, or cannot."""
        self.check()
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        # Named as TCP, or asyncio would leave Nagle's algorithm on, and each answer would wait.
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
        """The address that ``sock`` is bound to, for people and clients."""
        port = sock.getsockname()[1]
        return f"http://[{self.host}]:{port}" if ":" in self.host else f"http://{self.host}:{port}"
