"""All mutants of a gold: every single edit up to a quota, then pairs of edits up to the cap.

What a gold's mutants are depends on its text, its schema, the seed in its id, and on which of them
the engine refuses to prepare. Making goes in steps, so that an engine can be asked about many golds
at once: `offer` single edits, `settle` which of them stay, `draw` pairs of those, `bury` the dead.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop
from math import log
from typing import NamedTuple

from mutants.gold import Edit, Gold
from mutants.grammar import DEFAULT
from mutants.operator import Operator
from mutants.values import NO_VALUES, Values
from mutants.weights import WEIGHTS
from sqltext.errors import NotAQuery
from sqltext.expressions import Node
from sqltext.facts import Facts, Reading, read
from sqltext.patches import Change
from sqltext.patching import Patcher

CAP = 72
_POOL = 100  # single edits that second-order pairs are drawn from, at most
_OFFERED = 1_000  # single edits of one gold that are read, at most
_READ = 1_000_000  # nodes that are read with them, at most, were each edit to read the whole gold

KEPT, SAME, REPEATED, UNREADABLE, OVER_CAP = (
    "kept", "same_query_as_gold", "repeats_a_neighbor", "does_not_parse", "over_cap",
)  # fmt: skip


class Candidate(NamedTuple):
    """One edit that an operator offers."""

    operator: Operator
    edit: Edit


class Mutant(NamedTuple):
    """A neighbour that operators made, with all that was read off it."""

    sql: str
    operator: str
    order: int
    parent_sql: str
    start: int
    end: int
    facts: Reading


@dataclass(frozen=True, slots=True)
class Settings:
    """How many mutants a gold may have, and how second-order edits are weighted."""

    cap: int = CAP
    second_order: bool = True
    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)


class Making:
    """One gold's mutants in the making.

    ``taken`` are the exact forms that the gold has already, its own among them, each with the
    outcome that a mutant of that form gets; the mutants' own are added to it. ``outcomes`` counts
    what became of everything that an operator offered, by (operator, order, outcome).
    """

    def __init__(
        self,
        facts: Facts,
        taken: dict[str, str],
        settings: Settings,
        *,
        values: Values = NO_VALUES,
    ) -> None:
        self.gold = Gold(facts.scopes, values)
        self.settings = settings
        self.kept: list[Mutant] = []
        self.outcomes: Counter[tuple[str, int, str]] = Counter()
        self._patcher = Patcher(facts)
        self._taken = taken
        self._changes: dict[Edit, Change | None] = {}
        self._first: list[tuple[Candidate, Mutant]] = []

    def offer(self) -> list[Mutant]:
        """Every single edit that gives a query of its own."""
        for candidate in self._bounded(candidates(self.gold)):
            mutant = self._offer(candidate.operator.code, candidate.edit)
            if mutant is not None:
                self._first.append((candidate, mutant))
        return [mutant for _, mutant in self._first]

    def settle(self, dead: Mapping[str, str]) -> None:
        """Keep the single edits that are not ``dead``, all of them or as many as fit the cap."""
        alive: list[tuple[Candidate, Mutant]] = []
        for candidate, mutant in self._first:
            if mutant.sql in dead:
                self._turn_away(mutant, dead[mutant.sql])
            else:
                alive.append((candidate, mutant))
        codes = [candidate.operator.code for candidate, _ in alive]
        places = set(within_quotas(codes, self.settings.cap))
        for at, (_, mutant) in enumerate(alive):
            if at in places:
                self._keep(mutant)
            else:
                self._turn_away(mutant, OVER_CAP)
        self._first = [alive[at] for at in sorted(places)]

    def draw(self, seed: str) -> list[Mutant]:
        """Pairs of the single edits that stay, in a drawn order, up to the cap."""
        drawn: list[Mutant] = []
        room = self.settings.cap - len(self.kept) if self.settings.second_order else 0
        first = [candidate for candidate, _ in self._first]
        for one, other in draws(first, random.Random(seed), self.settings.weights):
            if len(drawn) >= room:
                break
            mutant = self._offer(f"{one.operator.code}+{other.operator.code}", one.edit, other.edit)
            if mutant is not None:
                drawn.append(mutant)
        for mutant in drawn:
            self._keep(mutant)
        return drawn

    def bury(self, dead: Mapping[str, str]) -> None:
        """Take out the mutants that are ``dead``, and count them as what they died of."""
        for mutant in [mutant for mutant in self.kept if mutant.sql in dead]:
            self.kept.remove(mutant)
            self.outcomes[mutant.operator, mutant.order, KEPT] -= 1
            self._turn_away(mutant, dead[mutant.sql])

    def release(self) -> None:
        """Let go of the gold's tree; the mutants that were kept need none of it."""
        self._patcher.release()

    def _bounded(self, offered: list[Candidate]) -> Iterator[Candidate]:
        """All of them, or as many of each class as are read of one gold; the others are counted."""
        most = max(self.settings.cap, min(_OFFERED, _READ // len(self.gold.parsed.nodes)))
        places = set(within_quotas([one.operator.code for one in offered], most))
        for at, candidate in enumerate(offered):
            if at in places:
                yield candidate
            else:
                self.outcomes[candidate.operator.code, 1, OVER_CAP] += 1

    def _offer(self, operator: str, *edits: Edit) -> Mutant | None:
        """The mutant, if it is a query that this gold has not got yet."""
        sql, order = self.gold.splice(*edits), len(edits)
        try:
            facts = self._patched(edits) or read(sql, self.gold.schema)
        except NotAQuery:
            self.outcomes[operator, order, UNREADABLE] += 1
            return None
        if facts.exact in self._taken:
            self.outcomes[operator, order, self._taken[facts.exact]] += 1
            return None
        self._taken[facts.exact] = REPEATED
        first = edits[0]
        if order == 1:
            parent, span = self.gold.parsed.sql, (first.start, first.end)
        else:
            parent, span = self.gold.splice(first), (-1, -1)
        return Mutant(sql, operator, order, parent, *span, facts)

    def _patched(self, edits: Sequence[Edit]) -> Reading | None:
        """The mutant's facts from the gold's, where all edits can be made as patches."""
        changes = [change for edit in edits if (change := self._change(edit)) is not None]
        return self._patcher.reading(*changes) if len(changes) == len(edits) else None

    def _change(self, edit: Edit) -> Change | None:
        if edit not in self._changes:
            self._changes[edit] = self._patcher.patch(edit.start, edit.end, edit.text)
        return self._changes[edit]

    def _keep(self, mutant: Mutant) -> None:
        self.kept.append(mutant)
        self.outcomes[mutant.operator, mutant.order, KEPT] += 1

    def _turn_away(self, mutant: Mutant, outcome: str) -> None:
        """Counted, and its form is free for another edit to make."""
        del self._taken[mutant.facts.exact]
        self.outcomes[mutant.operator, mutant.order, outcome] += 1


def mutate(facts: Facts, taken: dict[str, str], seed: str, settings: Settings) -> Making:
    """The mutants of the gold whose facts those are, no engine asked."""
    making = Making(facts, taken, settings)
    making.offer()
    making.settle({})
    making.draw(seed)
    return making


def candidates(gold: Gold, grammar: Sequence[Operator] = DEFAULT) -> list[Candidate]:
    """Every edit that any operator offers: by operator, kind of node, and place in the text."""
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


def within_quotas(codes: Sequence[str], cap: int) -> list[int]:
    """The places of all, or of as many of each class as fit under ``cap``, spread over the text.

    >>> within_quotas(["a", "b", "a", "a", "a"], 3)
    [0, 1, 3]
    """
    if len(codes) <= cap:
        return list(range(len(codes)))
    by_code: dict[str, list[int]] = {}
    for at, code in enumerate(codes):
        by_code.setdefault(code, []).append(at)
    quota = water_fill({code: len(places) for code, places in by_code.items()}, cap)
    return sorted(
        places[at * len(places) // quota[code]]
        for code, places in by_code.items()
        for at in range(quota[code])
    )


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


def drawn_pairs(
    first: Sequence[Candidate], draw: random.Random, weights: Mapping[str, float]
) -> list[tuple[Candidate, Candidate]]:
    """All that `draws` gives."""
    return list(draws(first, draw, weights))


def draws(
    first: Sequence[Candidate], draw: random.Random, weights: Mapping[str, float]
) -> Iterator[tuple[Candidate, Candidate]]:
    """Pairs of edits of different classes at sites apart, in a drawn order.

    The order is a weighted sample without replacement: each pair's key is log(u)/w, u uniform
    (Efraimidis and Spirakis 2006). A pair's weight is the product of its edits', and an edit's is
    its class's, shared among the class's edits: a class of many edits is no likelier for that.
    """
    pool = list(first)
    if len(pool) > _POOL:
        pool = [pool[at] for at in sorted(draw.sample(range(len(pool)), _POOL))]
    keyed = _keyed(pool, draw.random, weights)
    heapify(keyed)
    while keyed:
        _, one, other = heappop(keyed)
        yield pool[one], pool[other]


def _keyed(
    pool: Sequence[Candidate], uniform: Callable[[], float], weights: Mapping[str, float]
) -> list[tuple[float, int, int]]:
    """Every pair that may be made, as places in ``pool``, behind its key."""
    counts = Counter(candidate.operator.code for candidate in pool)
    told = [
        (c.operator.code, *c.edit.site, weights.get(c.operator.code, 1.0), counts[c.operator.code])
        for c in pool
    ]
    keyed: list[tuple[float, int, int]] = []
    for one, (code, start, end, weight, count) in enumerate(told):
        share = weight / count
        for other, (its_code, its_start, its_end, its_weight, its_count) in enumerate(
            told[one + 1 :], one + 1
        ):
            if code != its_code and (its_end <= start or end <= its_start):
                key = -log(1.0 - uniform()) / (share * its_weight / its_count)
                keyed.append((key, one, other))
    return keyed
