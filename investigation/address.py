"""Where the server listens, and who may come in: settled before anything is started."""

import socket
from dataclasses import dataclass

from db_execution import listening

TOKEN_VARIABLE = "PAIRSET_INVESTIGATION_TOKEN"
"""The environment variable that the server takes its token from."""


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
        return self.host in listening.LOOPBACK

    def check(self) -> None:
        """Raise BadAddress where strangers could come in and nobody said that they may."""
        listening.check(
            self.host,
            allow_remote=self.allow_remote,
            is_guarded=self.token is not None or self.anyone,
            needs=f"the server needs a token in {TOKEN_VARIABLE}, or --no-token to let anyone in",
        )

    def bound(self) -> socket.socket:
        """A socket that is bound there; BadAddress where it must not be, or cannot."""
        self.check()
        return listening.bound(self.host, self.port)

    def url(self, sock: socket.socket) -> str:
        """The address that ``sock`` is bound to, for people and clients."""
        return listening.url_of(self.host, sock)
