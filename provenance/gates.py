"""The four gates that a reference passes, in order, to stay beside a gold.

A gate is a function: it says why it turns a reference away, or nothing. Its name is what the tables
and the report call it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pairset.rows import Sample
from provenance.owner import Gold, Verdict, foreign_items
from provenance.references import Desk, Reference, Text

GOLD, REFERENCE = "the_gold", "a_kept_reference"
"""Whose exact form is taken."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A reference held against the gold of a sample that may list it.

    ``taken`` are the exact forms that the sample has already, each with what has it.
    """

    desk: Desk
    reference: Reference
    sample: Sample
    taken: Mapping[str, str]

    @property
    def sql(self) -> str:
        """The reference's text."""
        return self.reference.sql or ""

    @property
    def text(self) -> Text:
        """What was read off it; only for one that parses."""
        assert self.reference.text is not None
        return self.reference.text


def parses(offer: Offer) -> str | None:
    """It is one query that can be read."""
    return offer.reference.refusal or None


def gives_the_golds_answer(offer: Offer) -> str | None:
    """On the original database it gives the answer that the gold gives."""
    answers, gold = offer.desk.answers, offer.sample.gold_sql
    if answers.missing:
        return "database_is_missing"
    if gold not in offer.desk.golds.by_sql:
        return "gold_does_not_parse"
    if failure := answers.failure(gold):
        return f"gold_fails: {failure}"
    if failure := answers.failure(offer.sql):
        return f"fails: {failure}"
    return None if answers.same(gold, offer.sql) else "another_answer"


def has_no_better_owner(offer: Offer) -> str | None:
    """No other gold that may own it is a better owner by the definition of record."""
    return better_owner(offer).note or None


def is_no_duplicate(offer: Offer) -> str | None:
    """Neither the gold nor a reference that the sample keeps has its exact form."""
    what = offer.taken.get(offer.text.exact)
    return f"exact_form_of_{what}" if what else None


GATES: tuple[Callable[[Offer], str | None], ...] = (
    parses,
    gives_the_golds_answer,
    has_no_better_owner,
    is_no_duplicate,
)
GATE_NAMES = tuple(gate.__name__ for gate in GATES)


def first_refusal(offer: Offer) -> tuple[str, str] | None:
    """The first gate that turns the reference away, and why; None if it may stay."""
    for gate in GATES:
        if (reason := gate(offer)) is not None:
            return gate.__name__, reason
    return None


def may_own(offer: Offer, gold: Gold) -> bool:
    """Whether a gold can be a reference's owner, now that answers are known.

    It gives the reference's answer, and mentions every string value and table that it mentions.
    Without this a right rewrite that joins one more table would be taken from its question, for
    nothing; a small count would be given to every question with the same count.
    """
    return offer.desk.answers.same(gold.sql, offer.sql) and not foreign_items(
        offer.text.footprint, gold.footprint
    )


def better_owner(offer: Offer) -> Verdict:
    """The verdict of record, among the golds that may own the reference."""
    place = offer.sample.gold_sql, offer.sample.corpus_row
    return offer.desk.golds.judge(offer.text.footprint, *place, lambda gold: may_own(offer, gold))


def is_misaligned(offer: Offer) -> Verdict | None:
    """The verdict of record on the texts alone; None where one of them does not parse."""
    if offer.reference.text is None or offer.sample.gold_sql not in offer.desk.golds.by_sql:
        return None
    place = offer.sample.gold_sql, offer.sample.corpus_row
    return offer.desk.golds.judge(offer.text.footprint, *place)


def extra_tables(offer: Offer) -> list[str]:
    """The tables that a reference reads and the gold does not: noted, and no gate."""
    if offer.reference.text is None or offer.sample.gold_sql not in offer.desk.golds.by_sql:
        return []
    extra = offer.text.footprint - offer.desk.golds.by_sql[offer.sample.gold_sql].footprint
    return sorted(item.removeprefix("table:") for item in extra if item.startswith("table:"))
