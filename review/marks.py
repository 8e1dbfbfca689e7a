"""Where two queries differ: by the mutant's own edit where it has one, else token by token."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from sqltext.errors import NotAQuery
from sqltext.lexer import tokenize

MAX_TOKENS = 3_000
"""Beyond so many tokens a side the differing middle is marked as a whole."""

Pieces = list[tuple[bool, str]]
Span = tuple[int, int]


class Marked(NamedTuple):
    """Both queries in pieces: whether a piece differs, and its text."""

    gold: Pieces
    neighbor: Pieces


def marks(gold: str, neighbor: str, edit: tuple[int | None, int | None] = (None, None)) -> Marked:
    """Both texts cut where they differ; the pieces of each add up to it.

    ``edit`` is the span of the gold that a mutant of one edit replaced.
    """
    start, end = edit
    if start is not None and end is not None and _is_edit(gold, neighbor, start, end):
        tail = len(gold) - end
        return _cut(gold, neighbor, [(start, end)], [(start, len(neighbor) - tail)])
    one, other = _tokens(gold), _tokens(neighbor)
    if len(one) > MAX_TOKENS or len(other) > MAX_TOKENS:
        one, other = _ends(gold, neighbor)
    return _differing(gold, neighbor, one, other)


def _is_edit(gold: str, neighbor: str, start: int, end: int) -> bool:
    """Whether the neighbour is the gold but for that span."""
    head, tail = gold[:start], gold[end:]
    whole = 0 <= start <= end <= len(gold) and len(neighbor) >= len(head) + len(tail)
    return whole and neighbor.startswith(head) and neighbor.endswith(tail)


def _differing(gold: str, neighbor: str, one: list[Span], other: list[Span]) -> Marked:
    matcher = SequenceMatcher(
        None, [gold[a:b] for a, b in one], [neighbor[a:b] for a, b in other], autojunk=False
    )
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    in_gold = [_over(one, first, last) for _, first, last, _, _ in changes if first < last]
    in_neighbor = [_over(other, first, last) for *_, first, last in changes if first < last]
    return _cut(gold, neighbor, in_gold, in_neighbor)


def _over(spans: Sequence[Span], first: int, last: int) -> Span:
    return spans[first][0], spans[last - 1][1]


def _tokens(sql: str) -> list[Span]:
    """The spans of the tokens; of the words between blanks where the text is no SQL."""
    try:
        tokens = tokenize(sql)
    except NotAQuery:
        return [found.span() for found in re.finditer(r"\S+", sql)]
    return list(zip(tokens.starts[:-1], tokens.ends[:-1], strict=True))


def _ends(gold: str, neighbor: str) -> tuple[list[Span], list[Span]]:
    """Both texts as head, middle and tail, where head and tail are the same."""
    most = min(len(gold), len(neighbor))
    head = next((at for at in range(most) if gold[at] != neighbor[at]), most)
    most -= head
    tail = next((at for at in range(most) if gold[-1 - at] != neighbor[-1 - at]), most)
    return _three(len(gold), head, tail), _three(len(neighbor), head, tail)


def _three(length: int, head: int, tail: int) -> list[Span]:
    spans = [(0, head), (head, length - tail), (length - tail, length)]
    return [(start, end) for start, end in spans if start < end]


def _cut(gold: str, neighbor: str, in_gold: list[Span], in_neighbor: list[Span]) -> Marked:
    return Marked(_pieces(gold, in_gold), _pieces(neighbor, in_neighbor))


def _pieces(text: str, differing: list[Span]) -> Pieces:
    pieces: Pieces = []
    at = 0
    for start, end in differing:
        pieces += [(False, text[at:start]), (True, text[start:end])]
        at = end
    return [piece for piece in (*pieces, (False, text[at:])) if piece[1]]
