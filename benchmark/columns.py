"""Which columns of an answer are the gold's: one joint assignment, so that rows stay rows.

Columns of the gold are led to different columns of the answer such that the rows, cut down to
those columns, are equal as multisets (or as lists, or as sets). Names play no part. The largest
such assignment is looked for, exactly, within a bound on work.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Rows = Sequence[Sequence[Hashable]]
As = Literal["list", "multiset", "set"]
Column = tuple[int, ...]
Groups = list[int]

WORK = 4_000_000
"""Cells that one search may look at; about a second."""

MOST_COLUMNS = 300
"""Wider answers are not searched: the search goes as deep as there are columns."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """``pairs`` are (column of the answer, column of the gold), by the gold's order.

    ``decided`` is false where the bound was hit before it was known whether all columns match, and
    ``largest`` where it was hit before it was known that no more columns do.
    """

    pairs: tuple[tuple[int, int], ...]
    decided: bool = True
    largest: bool = True


class _Exhausted(Exception):
    """The bound on work was hit."""


class Coded(NamedTuple):
    """The columns of an answer and of a gold as numbers that are equal for equal values only."""

    answer: list[Column]
    gold: list[Column]


def coded(actual: Rows, gold: Rows, widths: tuple[int, int]) -> Coded | None:
    """The columns of both, None where they are too many; ``widths`` are (answer's, gold's)."""
    if max(widths) > MOST_COLUMNS:
        return None
    codes: dict[Hashable, int] = {}
    answer = [_coded(actual, at, codes) for at in range(widths[0])]
    return Coded(answer, [_coded(gold, at, codes) for at in range(widths[1])])


def assign(columns: Coded | None, how: As, work: int = WORK) -> Assignment:
    """The largest joint assignment of the gold's columns."""
    if columns is None:
        return Assignment((), decided=False, largest=False)
    answer, wanted = columns
    if how == "list":
        return Assignment(tuple(_equal_columns(answer, wanted)))
    search = _Search(answer, wanted, how, work)
    try:
        if found := search.run(whole=True):
            return Assignment(found)
    except _Exhausted:
        return Assignment(search.pairs, decided=False, largest=False)
    try:
        return Assignment(search.run(whole=False))
    except _Exhausted:
        return Assignment(search.pairs, largest=False)


def all_match(actual: Rows, gold: Rows, width: int, how: As, work: int = WORK) -> bool | None:
    """Whether all ``width`` columns match jointly; None where the bound was hit before."""
    columns = coded(actual, gold, (width, width))
    if columns is None:
        return None
    answer, wanted = columns
    if how == "list":
        return Counter(answer) == Counter(wanted)
    try:
        return bool(_Search(answer, wanted, how, work).run(whole=True)) or width == 0
    except _Exhausted:
        return None


def _coded(rows: Rows, at: int, codes: dict[Hashable, int]) -> Column:
    return tuple([codes.setdefault(row[at], len(codes)) for row in rows])


def _equal_columns(answer: list[Column], wanted: list[Column]) -> Iterator[tuple[int, int]]:
    """In a list the rows say themselves which belong together: equal columns pair off."""
    free = set(range(len(answer)))
    for gold, column in enumerate(wanted):
        order = sorted(free, key=lambda at: (at != gold, at))
        found = next((at for at in order if answer[at] == column), None)
        if found is not None:
            free.discard(found)
            yield found, gold


class _Search:
    """Depth first over the gold's columns, those with the fewest candidates first.

    Rows that agree in all columns chosen so far are one group. Each further pair of columns splits
    the groups; as soon as the two sides split differently, no assignment goes on from there.
    """

    def __init__(self, answer: list[Column], wanted: list[Column], how: As, work: int) -> None:
        self._answer, self._wanted, self._how = answer, wanted, how
        self._work = self._left = work
        profiles = [self._profile(column) for column in answer]
        self._candidates = [
            [at for at in _near(gold, len(answer)) if profiles[at] == self._profile(column)]
            for gold, column in enumerate(wanted)
        ]
        few = sorted(range(len(wanted)), key=lambda gold: (len(self._candidates[gold]), gold))
        self._order = few
        self._best: dict[int, int] = {}

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The best assignment so far."""
        return tuple((self._best[gold], gold) for gold in sorted(self._best))

    def run(self, *, whole: bool) -> tuple[tuple[int, int], ...]:
        """An assignment of all columns, or nothing; or the largest there is."""
        self._left = self._work
        self._best = {}
        if whole and not all(self._candidates):
            return ()
        order = [gold for gold in self._order if self._candidates[gold]]
        one = [0] * (len(self._answer[0]) if self._answer else 0)
        other = [0] * (len(self._wanted[0]) if self._wanted else 0)
        self._descend(order, one, other, {}, whole)
        return self.pairs

    def _descend(
        self, order: list[int], one: Groups, other: Groups, chosen: dict[int, int], whole: bool
    ) -> None:
        if len(chosen) + len(order) <= len(self._best):
            return
        if not order:
            self._best = dict(chosen)
            return
        gold, *rest = order
        for at in self._untried(gold, chosen):
            split = self._split(one, other, self._answer[at], self._wanted[gold])
            if split is not None:
                self._descend(rest, *split, {**chosen, gold: at}, whole)
            if len(self._best) == len(chosen) + len(order):
                return
        if not whole:
            self._descend(rest, one, other, chosen, whole)

    def _untried(self, gold: int, chosen: dict[int, int]) -> Iterator[int]:
        """Candidates that are free; of columns that are the same throughout, the first alone."""
        seen: set[Column] = set()
        for at in self._candidates[gold]:
            if at not in chosen.values() and self._answer[at] not in seen:
                seen.add(self._answer[at])
                yield at

    def _split(
        self, one: Groups, other: Groups, answer: Column, wanted: Column
    ) -> tuple[Groups, Groups] | None:
        """The groups split by one more column on each side; None where they split differently."""
        self._left -= len(one) + len(other) + 1
        if self._left < 0:
            raise _Exhausted
        codes: dict[tuple[int, int], int] = {}
        gold = [codes.setdefault(pair, len(codes)) for pair in zip(other, wanted, strict=True)]
        known = len(codes)
        own = [codes.setdefault(pair, len(codes)) for pair in zip(one, answer, strict=True)]
        if len(codes) > known or self._profile(own) != self._profile(gold):
            return None
        return own, gold

    def _profile(self, column: Sequence[int]) -> object:
        # A plain dict, as Counters are compared by a loop of Python's.
        return dict(Counter(column)) if self._how == "multiset" else frozenset(column)


def _near(gold: int, count: int) -> list[int]:
    """The answer's columns, the one at the gold's own place first."""
    return sorted(range(count), key=lambda at: (at != gold, at))
