"""All mutants of a gold: every single edit up to a quota, then pairs of edits up to the cap.

What a gold's mutants are depends on its text, its schema and the seed in its id alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mutants.gold import Edit, Gold
from mutants.grammar import DEFAULT
from mutants.operator import Operator
from mutants.weights import WEIGHTS
from sqltext.errors import NotAQuery
from sqltext.expressions import Node
from sqltext.facts import Facts, Reading, analyse
from sqltext.patching import Patch, Patcher

CAP = 72
_POOL = 100  # single edits that second-order pairs are drawn from, at most

KEPT, SAME, REPEATED, UNREADABLE, OVER_CAP = (
    "kept", "same_query_as_gold", "repeats_a_neighbor", "does_not_parse", "over_cap",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """One edit that an operator offers."""

    operator: Operator
    edit: Edit


@dataclass(frozen=True, slots=True)
class Mutant:
    """A neighbour that operators made, with all that was read off it."""

    sql: str
    operator: str
    order: int
    parent_sql: str
    start: int
    end: int
    facts: Reading


@dataclass(slots=True)
class Mutants:
    """The mutants kept, and what became of the others: (operator, order, outcome) counted."""

    kept: list[Mutant] = field(default_factory=list)
    outcomes: Counter[tuple[str, int, str]] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Settings:
    """How many mutants a gold may have, and how second-order edits are weighted."""

    cap: int = CAP
    second_order: bool = True
    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)


class _Making:
    """A gold's mutants in the making. ``taken`` says of an exact form why it is not made."""

    def __init__(self, gold: Gold, patcher: Patcher, taken: dict[str, str]) -> None:
        self.gold = gold
        self.patcher = patcher
        self.taken = taken
        self.made = Mutants()
        self.patches: dict[Edit, Patch | None] = {}

    def offer(self, operator: str, *edits: Edit) -> Mutant | None:
        """The mutant, if it is a query that this gold has not got yet."""
        sql, order = self.gold.splice(*edits), len(edits)
        try:
            facts = self._patched(edits) or analyse(sql, self.gold.schema)
        except NotAQuery:
            self.made.outcomes[operator, order, UNREADABLE] += 1
            return None
        if facts.exact in self.taken:
            self.made.outcomes[operator, order, self.taken[facts.exact]] += 1
            return None
        self.taken[facts.exact] = REPEATED
        first = edits[0]
        if order == 1:
            parent, span = self.gold.parsed.sql, (first.start, first.end)
        else:
            parent, span = self.gold.splice(first), (-1, -1)
        return Mutant(sql, operator, order, parent, *span, facts)

    def _patched(self, edits: Sequence[Edit]) -> Reading | None:
        """The mutant's facts from the gold's, where all edits can be made as patches."""
        patches = [patch for edit in edits if (patch := self._patch(edit)) is not None]
        return self.patcher.reading(*patches) if len(patches) == len(edits) else None

    def _patch(self, edit: Edit) -> Patch | None:
        if edit not in self.patches:
            self.patches[edit] = self.patcher.patch(edit.start, edit.end, edit.text)
        return self.patches[edit]

    def keep(self, mutant: Mutant) -> None:
        """Count it in."""
        self.made.kept.append(mutant)
        self.made.outcomes[mutant.operator, mutant.order, KEPT] += 1

    def leave_out(self, mutant: Mutant) -> None:
        """Over its quota: counted, and free for another edit to make."""
        del self.taken[mutant.facts.exact]
        self.made.outcomes[mutant.operator, mutant.order, OVER_CAP] += 1


def mutate(facts: Facts, taken: dict[str, str], seed: str, settings: Settings) -> Mutants:
    """The mutants of the gold whose facts those are.

    ``taken`` are the exact forms that the gold has already, its own among them, each with the
    outcome that a mutant of that form gets; the mutants' own are added to it.
    """
    gold = Gold(facts.scopes)
    making = _Making(gold, Patcher(facts), taken)
    offered = ((c, making.offer(c.operator.code, c.edit)) for c in candidates(gold))
    first = [(candidate, mutant) for candidate, mutant in offered if mutant is not None]
    kept = _within_quotas(making, first, settings.cap)
    if settings.second_order:
        _second_order(making, kept, random.Random(seed), settings)
    return making.made


def candidates(gold: Gold, grammar: Sequence[Operator] = DEFAULT) -> list[Candidate]:
    """Every edit that any operator offers, by operator and then by place in the text."""
    by_type: dict[type[Node], list[Node]] = {}
    for node in gold.parsed.nodes:
        by_type.setdefault(type(node), []).append(node)
    return [
        Candidate(rule, edit)
        for rule in grammar
        for kind in rule.on
        for node in by_type.get(kind, ())
        for edit in rule.edits(node, gold)
    ]


def _within_quotas(
    making: _Making, first: list[tuple[Candidate, Mutant]], cap: int
) -> list[Candidate]:
    """Keep all, or as many of each class as fit under the cap; the others are counted."""
    quota = water_fill(Counter(candidate.operator.code for candidate, _ in first), cap)
    kept: list[Candidate] = []
    for candidate, mutant in first:
        if quota[candidate.operator.code] > 0:
            quota[candidate.operator.code] -= 1
            making.keep(mutant)
            kept.append(candidate)
        else:
            making.leave_out(mutant)
    return kept


def water_fill(wanted: Mapping[str, int], cap: int) -> dict[str, int]:
    """How many of each class fit under ``cap`` together, the small classes served in full first.

    >>> water_fill({"OR.ROR": 50, "SC.SEL": 2, "SC.JOI": 9}, 30)
    {'SC.SEL': 2, 'SC.JOI': 9, 'OR.ROR': 19}
    """
    quota: dict[str, int] = {}
    left = cap
    by_size = sorted(wanted, key=lambda code: (wanted[code], code))
    for at, code in enumerate(by_size):
        quota[code] = min(wanted[code], left // (len(by_size) - at))
        left -= quota[code]
    return quota


def _second_order(
    making: _Making, first: list[Candidate], draw: random.Random, settings: Settings
) -> None:
    room = settings.cap - len(making.made.kept)
    for one, other in drawn_pairs(first, draw, settings.weights):
        if room == 0:
            break
        operator = f"{one.operator.code}+{other.operator.code}"
        mutant = making.offer(operator, one.edit, other.edit)
        if mutant is not None:
            making.keep(mutant)
            room -= 1


def drawn_pairs(
    first: Sequence[Candidate], draw: random.Random, weights: Mapping[str, float]
) -> list[tuple[Candidate, Candidate]]:
    """Pairs of edits of different classes at sites apart, in a drawn order.

    The order is a weighted sample without replacement: each pair's key is u^(1/w), u uniform, w the
    product of its classes' weights (Efraimidis and Spirakis 2006).
    """
    pool = list(first)
    if len(pool) > _POOL:
        pool = [pool[at] for at in sorted(draw.sample(range(len(pool)), _POOL))]
    keyed: list[tuple[float, int, tuple[Candidate, Candidate]]] = []
    for at, one in enumerate(pool):
        for other in pool[at + 1 :]:
            if one.operator.code == other.operator.code or one.edit.nests_with(other.edit):
                continue
            weight = weights.get(one.operator.code, 1.0) * weights.get(other.operator.code, 1.0)
            keyed.append((draw.random() ** (1.0 / weight), len(keyed), (one, other)))
    return [pair for _, _, pair in sorted(keyed, key=lambda k: (-k[0], k[1]))]
