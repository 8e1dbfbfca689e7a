"""Task ids: which may be one, how they are ordered, how people list them."""

import re
from collections.abc import Iterable, Mapping

from benchmark.errors import BenchmarkError, several, shown
from pairset.config import unsafe_name

_PIECES = re.compile(r"(\d+)")
_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")
"""Most ids; the others are looked at sign by sign."""

SPLITS = re.compile(r"[\s,]+")


def task_id(value: object, place: str) -> str:
    """The id that ``value`` is, as text; BenchmarkError where it can be none.

    An id names files and stands in lists that commas part, so it holds no path, comma or blank.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise BenchmarkError(
            f"{place}: the id is {shown(value)}; expected a text or a whole number"
        )
    text = str(value).strip()
    if _PLAIN.fullmatch(text):
        return text
    if not text:
        raise BenchmarkError(f"{place}: there is no id")
    if why := _unfit(text):
        raise BenchmarkError(f"{place}: {shown(text)} cannot be an id: {why}")
    return text


def _unfit(text: str) -> str | None:
    if why := unsafe_name(text):
        return why
    if bad := next((sign for sign in text if sign in ",:;" or sign.isspace()), None):
        return f"it holds {bad!r}"
    return None


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts ids as people do: ``bq9`` before ``bq10``, numbers before words.

    >>> sorted(["bq10", "q2", "bq9", "1"], key=natural)
    ['1', 'bq9', 'bq10', 'q2']
    """
    pieces = [piece for piece in _PIECES.split(text) if piece]
    return (*(_piece(piece) for piece in pieces), (2, 0, text))


def _piece(piece: str) -> tuple[int, int, str]:
    return (0, int(piece), "") if piece.isdecimal() else (1, 0, piece.lower())


def listed(words: Iterable[str]) -> tuple[str, ...]:
    """The ids in what a person typed: blanks or commas between them, each once, in that order.

    >>> listed(["1,2", " , ,", "2 3"])
    ('1', '2', '3')
    """
    found = (one for word in words for one in SPLITS.split(word) if one)
    return tuple(dict.fromkeys(found))


def chosen(words: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """The ids that a person listed; ``names`` leads from ids and their aliases to ids."""
    asked = listed(words)
    if unknown := [one for one in asked if one not in names]:
        raise BenchmarkError(f"no task has the id {several([shown(one) for one in unknown])}")
    return tuple(dict.fromkeys(names[one] for one in asked))


def joined(ids: Iterable[str]) -> str:
    """Ids as the report lists them: in natural order, commas between them."""
    return ",".join(sorted(set(ids), key=natural))
