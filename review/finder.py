"""Which pairs the filters leave, how many each further choice would leave, and what is next."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from review.facets import Facet, Mask
from review.filters import NAMES, VERDICT, Filters
from review.index import Index
from review.said import Said

KEPT = 16
"""So many answers are kept: a person turns pages of one search, then of the next."""

Options = list[tuple[str, int]]
T = TypeVar("T")


class Found(NamedTuple):
    """The rows that the filters leave, in order."""

    rows: NDArray[np.intp]

    def at(self, row: int) -> tuple[int, bool]:
        """How many of them come before ``row``, and whether it is one of them."""
        before = int(np.searchsorted(self.rows, row))
        return before, before < len(self.rows) and int(self.rows[before]) == row

    def beside(self, row: int) -> tuple[int | None, int | None]:
        """The rows before and after ``row``, which need not be one of them."""
        before, there = self.at(row)
        after = before + there
        return (
            int(self.rows[before - 1]) if before else None,
            int(self.rows[after]) if after < len(self.rows) else None,
        )


class Finder:
    """Answers filters over the index. Safe to ask from many threads."""

    def __init__(self, index: Index, said: Said) -> None:
        self._index = index
        self._said = said
        self._texts = _Kept[Mask]()
        self._fixed = _Kept[Mask | None]()
        self._options = _Kept[Options]()

    def find(self, filters: Filters) -> Found:
        """The rows that ``filters`` leave, by today's verdicts."""
        mask = self._mask(filters.text, filters.chosen)
        rows = np.arange(self._index.rows) if mask is None else np.flatnonzero(mask)
        return Found(rows)

    def options(self, filters: Filters) -> dict[str, Options]:
        """For each filter, the values that would leave something, and how many pairs."""
        return {name: self._counted(name, filters) for name in NAMES}

    def _counted(self, name: str, filters: Filters) -> Options:
        """The counts under all other filters: what choosing another value would leave."""
        others = tuple(one for one in filters.chosen if one[0] != name)

        def work_out() -> Options:
            return self._facet(name).counts(self._mask(filters.text, others))

        if VERDICT in (name, *dict(others)):
            return work_out()
        return self._options.get((name, filters.text, others), work_out)

    def _mask(self, text: str, chosen: tuple[tuple[str, str], ...]) -> Mask | None:
        """Which rows are left; None stands for all. Verdicts change, so they are never kept."""
        lasting = tuple(one for one in chosen if one[0] != VERDICT)
        mask = self._fixed.get((text, lasting), lambda: self._lasting(text, lasting))
        for name, value in chosen:
            if name == VERDICT:
                found = self._said.facet.mask(value)
                mask = found if mask is None else mask & found
        return mask

    def _lasting(self, text: str, chosen: tuple[tuple[str, str], ...]) -> Mask | None:
        mask = self._texts.get(text, lambda: self._index.has_text(text)) if text else None
        for name, value in chosen:
            found = self._facet(name).mask(value)
            mask = found if mask is None else mask & found
        return mask

    def _facet(self, name: str) -> Facet:
        return self._said.facet if name == VERDICT else self._index.facets[name]


class _Kept(Generic[T]):
    """The last answers to the last questions."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, question: Hashable, work_out: Callable[[], T]) -> T:
        """The answer kept, or worked out; two threads may work out the same one."""
        with self._lock:
            if question in self._answers:
                self._answers.move_to_end(question)
                return self._answers[question]
        answer = work_out()
        with self._lock:
            self._answers[question] = answer
            while len(self._answers) > KEPT:
                self._answers.popitem(last=False)
        return answer
