"""How much two queries share, each item weighed by how rare it is among the golds of a database.

That two queries mention the table that all queries mention says nothing; that both mention a value
that one gold in a hundred mentions says nearly all. The weight is the usual one for words in
documents: the logarithm of how many golds there are over how many have the item (Spärck Jones,
"A statistical interpretation of term specificity", 1972).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable

from sqltext.lexer import NUMBER, OPERATOR, WORD, tokenize

_KEYWORDS = """
    AND OR NOT IN EXISTS BETWEEN LIKE GLOB IS NULL CASE DISTINCT GROUP HAVING ORDER DESC LIMIT
    OFFSET UNION INTERSECT EXCEPT ALL JOIN LEFT COUNT SUM AVG MIN MAX
"""
_WORDS = frozenset(_KEYWORDS.split())
_OPERATORS = frozenset(["<", ">", "<=", ">=", "=", "<>", "!=", "+", "-", "*", "/", "%", "||"])


def words(exact: str) -> frozenset[str]:
    """The words of the language, operators and numbers in an exact form: what names leave out.

    >>> sorted(words("select count(*) from t as T1 where a > 5 and b = 'LIMIT'"))
    ['*', '5', '=', '>', 'AND', 'COUNT']
    """
    tokens = tokenize(exact)
    found: set[str] = set()
    for kind, upper, start, end in zip(*tokens, strict=True):
        if kind == NUMBER:
            found.add(exact[start:end])
        elif (kind == WORD and upper in _WORDS) or (kind == OPERATOR and upper in _OPERATORS):
            found.add(upper)
    return frozenset(found)


class Rarity:
    """The weights of the items of a database's golds; one that no gold has weighs most."""

    def __init__(self, golds: Iterable[Collection[str]]) -> None:
        listed = list(golds)
        having = Counter(item for gold in listed for item in gold)
        self._weights = {item: _weight(len(listed), count) for item, count in having.items()}
        self._unknown = _weight(len(listed), 0)

    def closeness(self, one: frozenset[str], other: frozenset[str]) -> float:
        """The weight of what both have over the weight of what either has, from 0 to 1."""
        union = self._sum(one | other)
        return self._sum(one & other) / union if union else 0.0

    def _sum(self, items: frozenset[str]) -> float:
        # Exact, so that the order in which a set is gone through cannot be seen in the result.
        return math.fsum(self._weights.get(item, self._unknown) for item in items)


def _weight(golds: int, having: int) -> float:
    return math.log((golds + 1) / (having + 0.5))
