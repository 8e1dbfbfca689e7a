"""What a person asked to see, as the page's address says it."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from review.index import CHOICES

VERDICT, TEXT, PAGE = "verdict", "q", "page"
MAX_TEXT = 500
NAMES = (*CHOICES, VERDICT)
"""The filters that are chosen from a list, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Filters:
    """The chosen value of each filter, in the order of their names, and the text to look for."""

    chosen: tuple[tuple[str, str], ...] = ()
    text: str = ""

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> "Filters":
        """The filters in an address; what is no filter, or empty, is passed over."""
        chosen = tuple((name, asked[name]) for name in NAMES if asked.get(name))
        return cls(chosen, asked.get(TEXT, "")[:MAX_TEXT])

    def get(self, name: str) -> str:
        """The chosen value, or an empty text."""
        return dict(self.chosen).get(name, "")

    def query(self, **more: object) -> str:
        """The part of an address from its question mark on; empty where there is nothing to say."""
        words = [*self.chosen, *([(TEXT, self.text)] if self.text else []), *more.items()]
        return f"?{urlencode(words)}" if words else ""
