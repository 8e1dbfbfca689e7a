"""Where the server listens, and who may come in: settled before anything is started."""

from dataclasses import dataclass
from typing import ClassVar

from db_execution import listening

TOKEN_VARIABLE = "PAIRSET_INVESTIGATION_TOKEN"
"""The environment variable that the server takes its token from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address(listening.Address):
    """Where to listen, and who may come. ``anyone`` needs no token beyond this machine."""

    needs: ClassVar[str] = (
        f"the server needs a token in {TOKEN_VARIABLE}, or --no-token to let anyone in"
    )

    anyone: bool = False

    @property
    def is_guarded(self) -> bool:
        """Whether there is a token, or none is wanted."""
        return self.token is not None or self.anyone
