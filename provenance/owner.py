"""Whose query is it? The one definition of a reference that answers another question.

A neighbour is ``misaligned_in_corpus`` when both hold:

(a) another gold of the same database is strictly closer to it than the gold it is attached to,
    closeness being the Jaccard similarity of footprints (DESIGN section 5b);
(b) it mentions a string value or a table that its gold never mentions.

Closeness is kept as two whole numbers and compared by multiplying crosswise: no verdict hangs on
how a fraction is rounded. Pure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

OK, MISALIGNED, BUILDER_ERROR = "ok", "misaligned_in_corpus", "builder_error"
CHECKS = (OK, MISALIGNED, BUILDER_ERROR)

_FOREIGN = (("string values", "value:"), ("tables", "table:"))
_SHOWN_ITEMS, _SHOWN_LETTERS = 5, 60

Footprint = frozenset[str]


@dataclass(frozen=True, slots=True)
class Closeness:
    """How much two footprints share: ``shared`` items of ``union``. Two empty ones share nothing.

    >>> float(Closeness.of(frozenset("abc"), frozenset("bcd")))
    0.5
    """

    shared: int
    union: int

    @classmethod
    def of(cls, one: Footprint, other: Footprint) -> Closeness:
        """The closeness of two footprints."""
        shared = len(one & other)
        return cls(shared, len(one) + len(other) - shared)

    def __gt__(self, other: Closeness) -> bool:
        return self.shared * (other.union or 1) > other.shared * (self.union or 1)

    def __float__(self) -> float:
        return self.shared / (self.union or 1)


@dataclass(frozen=True, slots=True, order=True)
class Asker:
    """A sample that a gold answers: where it stands in the corpus, and its id."""

    corpus_row: int
    sample_id: str


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold of a database: its text, its footprint, and the samples that it answers."""

    sql: str
    footprint: Footprint
    askers: tuple[Asker, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the definition says of one neighbour; an owner is named where it is misaligned."""

    check: str
    note: str
    closeness_gold: Closeness
    closeness_owner: Closeness | None = None
    owner: Asker | None = None


class Golds:
    """The golds of one database, found by the items that they mention.

    How close a footprint is to every gold is counted along the lists of its own items: golds that
    share nothing with it are never looked at, and golds with one footprint are looked at once.
    """

    def __init__(self, golds: Iterable[Gold]) -> None:
        listed = sorted(golds, key=lambda gold: (min(gold.askers), gold.sql))
        self.by_sql = {gold.sql: gold for gold in listed}
        self._alike: dict[Footprint, list[Gold]] = defaultdict(list)
        for gold in listed:
            self._alike[gold.footprint].append(gold)
        self._having: dict[str, list[Footprint]] = defaultdict(list)
        for touched in self._alike:
            for item in touched:
                self._having[item].append(touched)

    def near(self, footprint: Footprint) -> Iterator[tuple[Closeness, list[Gold]]]:
        """Every footprint of golds that shares an item with this one, and its golds."""
        shared: Counter[Footprint] = Counter()
        for item in footprint:
            shared.update(self._having.get(item, ()))
        for touched, count in shared.items():
            union = len(touched) + len(footprint) - count
            yield Closeness(count, union), self._alike[touched]

    def closest(
        self,
        footprint: Footprint,
        than: Closeness,
        may_own: Callable[[Gold], bool] = lambda _: True,
    ) -> tuple[Closeness, list[Gold]]:
        """The golds closest to ``footprint`` that are closer ``than`` that, of those that may own.

        There may be none.
        """
        best, golds = than, list[Gold]()
        for closeness, alike in self.near(footprint):
            if best > closeness or not (golds or closeness > best):
                continue
            able = [gold for gold in alike if may_own(gold)]
            if able and closeness > best:
                best, golds = closeness, able
            else:
                golds += able
        return best, golds

    def judge(
        self,
        footprint: Footprint,
        gold_sql: str,
        corpus_row: int,
        may_own: Callable[[Gold], bool] = lambda _: True,
    ) -> Verdict:
        """The verdict on a neighbour that stands in ``corpus_row``, attached to that gold.

        Of several equally close owners the nearest sample is named, the earlier one of two. Whoever
        knows more than texts, such as answers, says by ``may_own`` which golds may own at all.
        """
        gold = self.by_sql[gold_sql].footprint
        own = Closeness.of(footprint, gold)
        foreign = foreign_items(footprint, gold)
        if not foreign:
            return Verdict(OK, "", own)
        best, golds = self.closest(footprint, own, may_own)
        if not golds:
            return Verdict(OK, "", own)
        owner = nearest(corpus_row, (asker for one in golds for asker in one.askers))
        return Verdict(MISALIGNED, note(owner, best, own, foreign), own, best, owner)


def foreign_items(footprint: Footprint, gold: Footprint) -> Footprint:
    """The string values and tables of a neighbour that its gold never mentions."""
    return frozenset(
        item for item in footprint - gold if item.startswith(("value:", "table:"))
    )  # fmt: skip


def nearest(corpus_row: int, askers: Iterable[Asker]) -> Asker:
    """The sample nearest to a row, the earlier one of two."""
    return min(askers, key=lambda one: (abs(one.corpus_row - corpus_row), one))


def note(owner: Asker, theirs: Closeness, own: Closeness, foreign: Footprint) -> str:
    """What a person needs to see that a neighbour is misaligned.

    >>> near, far = Closeness(6, 6), Closeness(2, 10)
    >>> note(Asker(16707, "5854"), near, far, frozenset({"value:2018/8/1", "table:airlines"}))[:68]
    'belongs to sample 5854 of the same database (closeness 1.00 vs 0.20)'
    """
    figures = "closeness {} vs {}".format(*_told_apart(float(theirs), float(own)))
    parts = [f"belongs to sample {owner.sample_id} of the same database ({figures})"]
    for what, tag in _FOREIGN:
        named = sorted(item.removeprefix(tag) for item in foreign if item.startswith(tag))
        if named:
            parts.append(f"{what} not in the gold: {_listed(named)}")
    return "; ".join(parts)


def _told_apart(one: float, other: float) -> tuple[str, str]:
    """Two figures with two decimals, or as many more as it takes to see which is greater."""
    for digits in range(2, 9):
        if f"{one:.{digits}f}" != f"{other:.{digits}f}":
            break
    return f"{one:.{digits}f}", f"{other:.{digits}f}"


def _listed(names: list[str]) -> str:
    """The first few, each cut where it is long: a value may hold a whole book."""
    more = f" and {len(names) - _SHOWN_ITEMS} more" if len(names) > _SHOWN_ITEMS else ""
    return ", ".join(map(_cut, names[:_SHOWN_ITEMS])) + more


def _cut(text: str) -> str:
    line = " ".join(text.split()) if "\n" in text else text
    return line if len(line) <= _SHOWN_LETTERS else f"{line[: _SHOWN_LETTERS - 3]}..."
