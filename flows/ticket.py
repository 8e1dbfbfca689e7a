"""Who may make pieces of a build now: workers elsewhere ask before each piece.

A lock is let go of when its process is killed, but a cluster's workers go on. So every run issues a
ticket, a file beside the build's log, and who holds an older one stops.
"""

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from flows.request import logs
from pairset.build import Build
from pairset.files import write_text


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a run hands to its workers; no other run has the same."""

    path: Path
    text: str

    @classmethod
    def issue(cls, build: Build) -> Self:
        """A new ticket, which ends every older one of that build."""
        ticket = cls(logs(build) / "ticket", secrets.token_hex(8))
        write_text(ticket.path, ticket.text)
        return ticket

    def is_valid(self) -> bool:
        """Whether its holder may make another piece."""
        try:
            return self.path.read_text() == self.text
        except OSError:
            return False

    def withdraw(self) -> None:
        """Whoever holds it stops after the piece it is at."""
        self.path.unlink(missing_ok=True)
