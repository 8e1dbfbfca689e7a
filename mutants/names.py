"""Names as text: in quotes where they must be, and how alike two of them are."""

import re
from functools import lru_cache

from sqltext.cursor import JOIN_WORDS, RESERVED, VALUE_WORDS

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*\Z")
# Words that are names in some places only; in quotes they are names everywhere.
_AT_TIMES = frozenset(("INDEXED", "WINDOW", "OVER", "FILTER", "WITH"))
_NEVER_PLAIN = RESERVED | JOIN_WORDS | VALUE_WORDS | _AT_TIMES


@lru_cache(maxsize=65536)
def quoted(name: str, mark: str = '"') -> str:
    """``name`` as SQL: between ``mark`` where it needs to be.

    >>> quoted("Name"), quoted("Home Town", "`"), quoted("order")
    ('Name', '`Home Town`', '"order"')
    """
    if _PLAIN.match(name) and name.upper() not in _NEVER_PLAIN:
        return name
    mark = mark if mark == "`" else '"'
    return mark + name.replace(mark, mark * 2) + mark


@lru_cache(maxsize=65536)
def similarity(one: str, other: str) -> float:
    """How alike two folded names are, from 0 to 1: Dice over pairs of letters, ends marked.

    >>> similarity("short_name", "name") > similarity("short_name", "nation")
    True
    """
    mine, theirs = _pairs(one), _pairs(other)
    return 2 * len(mine & theirs) / (len(mine) + len(theirs))


@lru_cache(maxsize=65536)
def _pairs(name: str) -> frozenset[str]:
    marked = f" {name} "
    return frozenset(marked[at : at + 2] for at in range(len(marked) - 1))
