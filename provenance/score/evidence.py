"""What speaks for each later sample, read off the references, the golds and the answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pairset.rows import Sample
from provenance.owner import Gold
from provenance.references import Answers, Desk, Reference, Text
from provenance.score.blocks import REACH, RECORD, Score, Sign, Weights, score_list
from provenance.score.rarity import Rarity


@dataclass(frozen=True, slots=True)
class Candidate:
    """A gold of the rows that follow a list: its samples, the nearest first, and all signs."""

    gold: Gold
    samples: tuple[Sample, ...]
    signs: tuple[Sign, ...]
    closeness: tuple[tuple[float, float], ...]
    """Of each reference to this gold and to its own, by rarity."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A reference with its score; the owner and the evidence are empty where nobody later fits."""

    chance: float
    owner: Sample | None
    evidence: str


UNSCORED = Scored(0.0, None, "")


def scores(
    desk: Desk, texts: Mapping[str, Text], weights: Weights = RECORD
) -> dict[tuple[int, int], Scored]:
    """The score of every reference of a database, by its place.

    ``texts`` has what is read off every gold that parses.
    """
    found: dict[tuple[int, int], Scored] = {}
    for listed, others in candidates(desk, texts):
        if not others:
            continue
        signs = [one.signs for one in others]
        judged = score_list(signs, [len(one.samples) for one in others], weights)
        for reference, score in zip(listed, judged, strict=True):
            found[reference.place] = _scored(reference, score, others, len(listed))
    return found


def candidates(
    desk: Desk, texts: Mapping[str, Text]
) -> Iterator[tuple[list[Reference], list[Candidate]]]:
    """Every list of a database with the golds that a block at its head may belong to."""
    by_items = Rarity(gold.footprint for gold in desk.golds.by_sql.values())
    by_words = Rarity(texts[sql].words for sql in desk.golds.by_sql)
    for at, sample in enumerate(desk.samples):
        listed = desk.lists.get(sample.corpus_row, [])
        if not listed or sample.gold_sql not in desk.golds.by_sql:
            continue
        weigh = _Weigher(desk, texts, by_items, by_words, listed)
        yield listed, [weigh.candidate(*one) for one in _later(desk, at).items()]


def _later(desk: Desk, at: int) -> dict[str, list[Sample]]:
    """The samples of the ten rows that follow, by their golds, other than the list's own."""
    here = desk.samples[at]
    found: dict[str, list[Sample]] = {}
    for other in desk.samples[at + 1 : at + 1 + REACH]:
        near = other.corpus_row - here.corpus_row <= REACH
        if near and other.gold_sql != here.gold_sql and other.gold_sql in desk.golds.by_sql:
            found.setdefault(other.gold_sql, []).append(other)
    return found


@dataclass(frozen=True, slots=True)
class _Weigher:
    """Weighs the references of one list."""

    desk: Desk
    texts: Mapping[str, Text]
    by_items: Rarity
    by_words: Rarity
    listed: list[Reference]

    def candidate(self, gold_sql: str, samples: list[Sample]) -> Candidate:
        """All that the list says of one later gold."""
        own = self.listed[0].sample.gold_sql
        gold = self.desk.golds.by_sql[gold_sql]
        tied = self.desk.answers.same(own, gold_sql)
        close = tuple(self._closeness(one, gold, own) for one in self.listed)
        signs = tuple(
            Sign(
                0 if tied else _answer(self.desk.answers, reference, gold_sql, own),
                theirs - ours,
                self._words(reference, gold_sql),
            )
            for reference, (theirs, ours) in zip(self.listed, close, strict=True)
        )
        return Candidate(gold, tuple(samples), signs, close)

    def _closeness(self, reference: Reference, gold: Gold, own: str) -> tuple[float, float]:
        if reference.text is None:
            return 0.0, 0.0
        here = self.desk.golds.by_sql[own].footprint
        touched = reference.text.footprint
        return (
            self.by_items.closeness(touched, gold.footprint),
            self.by_items.closeness(touched, here),
        )

    def _words(self, reference: Reference, gold_sql: str) -> float:
        if reference.text is None:
            return 0.0
        return self.by_words.closeness(reference.text.words, self.texts[gold_sql].words)


def _answer(answers: Answers, reference: Reference, gold_sql: str, own: str) -> int:
    if reference.text is None or reference.sql is None:
        return 0
    return answers.same(gold_sql, reference.sql) - answers.same(own, reference.sql)


def _scored(reference: Reference, score: Score, others: list[Candidate], size: int) -> Scored:
    one = others[score.candidate]
    at = reference.index - 1
    theirs, ours = one.closeness[at]
    owner = one.samples[0]
    block = f"the first {score.length} of {size}" if score.length > 1 else f"the first of {size}"
    evidence = (
        f"{block} may be of sample {owner.sample_id}; {_ANSWERS[one.signs[at].answer]}; "
        f"closeness by rarity {theirs:.2f} vs {ours:.2f}"
    )
    return Scored(score.chance, owner, evidence)


_ANSWERS = {
    1: "gives that gold's answer and not the answer here",
    0: "the answers do not tell",
    -1: "gives the answer here and not that gold's",
}
