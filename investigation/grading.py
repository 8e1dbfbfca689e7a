"""Whether two result tables are the same: rows in any order, numbers within a tolerance."""

from collections.abc import Sequence

from investigation.instance import Row

TOLERANCE = 1e-4 + 1e-9
"""Two decimals 0.0001 apart differ by more than that as binary floats, in every fifth case."""


def same(expected: Sequence[Row], got: Sequence[Row]) -> bool:
    """Whether the rows can be paired off so that every pair is alike.

    Tolerance is not transitive, so sorting and comparing in step would be wrong: this is a
    matching in a bipartite graph, by augmenting paths.

    >>> same([(0.0,), (0.00009,)], [(0.00018,), (0.00009,)])
    True
    """
    if len(expected) != len(got):
        return False
    likes = [[at for at, row in enumerate(got) if alike(one, row)] for one in expected]
    owner: dict[int, int] = {}
    return all(_placed(row, likes, owner, set()) for row in range(len(expected)))


def alike(one: Row, other: Row) -> bool:
    """Whether two rows agree cell by cell."""
    return len(one) == len(other) and all(map(_equal, one, other))


def _equal(one: object, other: object) -> bool:
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        if isinstance(one, int) and isinstance(other, int):
            return one == other
        return abs(one - other) <= TOLERANCE
    return type(one) is type(other) and one == other


def _placed(row: int, likes: list[list[int]], owner: dict[int, int], tried: set[int]) -> bool:
    for at in likes[row]:
        if at not in tried:
            tried.add(at)
            if at not in owner or _placed(owner[at], likes, owner, tried):
                owner[at] = row
                return True
    return False
