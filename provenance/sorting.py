"""Where every reference of a database ends: kept, taken to its owner, or removed.

First each sample puts its own list through the gates. Then every reference that was turned away is
offered to the samples that may own it, through the same gates, nearest first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pairset.rows import Sample
from provenance.gates import GOLD, REFERENCE, Offer, first_refusal, may_own
from provenance.owner import Closeness
from provenance.references import Desk, Reference, Text
from provenance.score.blocks import LIKELY
from provenance.score.evidence import UNSCORED, Scored

Place = tuple[int, int]


@dataclass(slots=True)
class Fate:
    """What became of one reference.

    ``gate`` and ``reason`` say why its own sample does not keep it; ``ends`` is the sample that
    lists it in the end, ``at`` its index there; ``offers`` counts what the others said.
    """

    reference: Reference
    gate: str | None = None
    reason: str | None = None
    ends: Sample | None = None
    at: int | None = None
    offers: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class _Shelf:
    """A sample's list in the making: its length with the gold, and the exact forms on it."""

    length: int = 1
    taken: dict[str, str] = field(default_factory=dict)


def sort_references(
    desk: Desk, texts: Mapping[str, Text], scored: Mapping[Place, Scored]
) -> list[Fate]:
    """The fate of every reference, in corpus order."""
    shelves = {one.corpus_row: _Shelf() for one in desk.samples}
    for sample in desk.samples:
        if sample.gold_sql in texts:
            shelves[sample.corpus_row].taken[texts[sample.gold_sql].exact] = GOLD
    fates = [Fate(reference) for reference in desk.references]
    for fate in fates:
        sample = fate.reference.sample
        refusal = _put(desk, fate, sample, shelves[sample.corpus_row])
        if refusal is not None:
            fate.gate, fate.reason = refusal
    for fate in fates:
        if fate.gate is not None:
            _offer(desk, fate, shelves, scored.get(fate.reference.place, UNSCORED))
    return fates


def _put(desk: Desk, fate: Fate, sample: Sample, shelf: _Shelf) -> tuple[str, str] | None:
    """Put a reference on a sample's list, or say which gate turns it away."""
    offer = Offer(desk, fate.reference, sample, shelf.taken)
    refusal = first_refusal(offer)
    if refusal is None:
        shelf.taken[offer.text.exact] = REFERENCE
        fate.ends, fate.at = sample, shelf.length
        shelf.length += 1
    return refusal


def _offer(desk: Desk, fate: Fate, shelves: Mapping[int, _Shelf], score: Scored) -> None:
    if fate.reference.text is None:
        return  # what is no query passes nowhere
    for sample in owners(desk, fate.reference, score):
        refusal = _put(desk, fate, sample, shelves[sample.corpus_row])
        if refusal is None:
            return
        fate.offers[refusal[0]] += 1


def owners(desk: Desk, reference: Reference, score: Scored) -> Iterator[Sample]:
    """The samples that a removed reference is offered to.

    Where the score names an owner, that gold's samples alone: to take it elsewhere would be a guess
    against the evidence. Else the samples of its own gold, and then those whose gold may own it and
    is strictly closer to it than its own was; each kind nearest first, the earlier one of two.
    """
    here = reference.sample
    if reference.text is None:
        return
    if score.owner is not None and score.chance >= LIKELY:
        yield from _nearest(desk, here, [score.owner.gold_sql])
        return
    yield from _nearest(desk, here, [here.gold_sql])
    yield from _nearest(desk, here, _closer_golds(desk, reference, reference.text))


def _nearest(desk: Desk, here: Sample, golds: Iterable[str]) -> list[Sample]:
    """The other samples that have one of the golds, the nearest first."""
    found = [one for gold in golds for one in desk.by_gold[gold] if one is not here]
    return sorted(found, key=lambda one: (abs(one.corpus_row - here.corpus_row), one.corpus_row))


def _closer_golds(desk: Desk, reference: Reference, text: Text) -> set[str]:
    """The golds strictly closer than its own that may own it."""
    own = desk.golds.by_sql.get(reference.sample.gold_sql)
    limit = Closeness(0, 0) if own is None else Closeness.of(text.footprint, own.footprint)
    offer = Offer(desk, reference, reference.sample, {})
    return {
        gold.sql
        for closeness, alike in desk.golds.near(text.footprint)
        if closeness > limit
        for gold in alike
        if may_own(offer, gold)
    }
