"""Small pieces of Markdown: tables, and the parts of a page."""

import re
from collections.abc import Iterable, Sequence

FENCE = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
"""A fenced block, fences included."""

HEADING = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a bar within a cell is escaped, so that it ends no cell."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def title(text: str) -> str:
    """The first heading of a page."""
    found = _headings(text)
    if not found:
        raise ValueError("a page without a heading")
    return found[0][2]


def section(text: str, heading: str) -> str:
    """What stands under a heading, up to the next one of its level or above."""
    headings = _headings(text)
    at = next((at for at, found in enumerate(headings) if found[2] == heading), None)
    if at is None:
        raise ValueError(f"no heading {heading!r}")
    start, level = text.index("\n", headings[at][0]), headings[at][1]
    ends = (place for place, deep, _ in headings[at + 1 :] if deep <= level)
    return text[start : next(ends, len(text))].strip() + "\n"


def introduction(text: str) -> str:
    """What stands between the title of a page and its first further heading."""
    headings = _headings(text)
    end = headings[1][0] if len(headings) > 1 else len(text)
    return text[text.index("\n", headings[0][0]) : end].strip() + "\n"


def _headings(text: str) -> list[tuple[int, int, str]]:
    """Place, level and words of each heading; a line of a fenced block is none."""
    fences = [found.span() for found in FENCE.finditer(text)]
    return [
        (found.start(), len(found[1]), found[2].strip())
        for found in HEADING.finditer(text)
        if not any(start <= found.start() < end for start, end in fences)
    ]
