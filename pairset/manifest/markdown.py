"""Tables of the page."""

from collections.abc import Iterable, Sequence
from typing import Any


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table; numbers are set to the right, with thousands apart."""
    body = [[cell(value) for value in row] for row in rows]
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in body])


def cell(value: object) -> str:
    """One cell: numbers with thousands apart, digests as code."""
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    text = str(value)
    return f"`{text}`" if len(text) == 64 else text
