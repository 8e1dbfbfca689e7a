"""The neighbours of one gold: from the corpus's references, then from the mutant grammar.

Each is kept once: an exact form that the gold has already, its own included, is turned away, and
the reason kept.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mutants.mutate import KEPT, REPEATED, SAME, Making, Mutant, Settings
from mutants.values import NO_VALUES, Values
from pairset.rows import Refusal, Sample
from sqltext.errors import NotAQuery
from sqltext.facts import Facts, Reading, read
from sqltext.schema import Schema

# Nodes of the golds that grow side by side, at most: thousands of golds that people wrote, or one
# of the largest that are read.
_TOGETHER = 200_000
ENRICHMENT, GRAMMAR = "finer_sql_enrichment", "mutant_grammar"

Outcome = tuple[str, str, int, str]
"""generator, operator, order, outcome."""


class Neighbor(NamedTuple):
    """One neighbour: its text, what was read off it, and where it came from."""

    sql: str
    facts: Reading
    generator: str
    origin: str
    reference_index: int = -1
    mutant: Mutant | None = None


@dataclass(slots=True)
class Neighbors:
    """A gold's neighbours in the order of record, the references turned away, and the counts."""

    kept: list[Neighbor] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    outcomes: Counter[Outcome] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Serving:
    """A gold with the samples it answers, in corpus order."""

    gold_id: str
    samples: Sequence[Sample]
    facts: Facts


Prepare = Callable[[list[str]], dict[str, str]]
"""Which of some queries the engine refuses to prepare, each with the kind of error."""


@dataclass(frozen=True, slots=True)
class Means:
    """What makes neighbours: the references or not, the grammar's settings or None for no mutants.

    ``values`` are what the grammar may know of the database, ``prepare`` asks its engine.
    """

    enrichment: bool
    settings: Settings | None
    values: Values = NO_VALUES
    prepare: Prepare = lambda _: {}


def all_neighbors(
    golds: Sequence[Serving], schema: Schema, means: Means
) -> Iterator[tuple[Serving, Neighbors]]:
    """The neighbours of the golds of one database.

    The engine is asked twice for many golds together. A mutant that does not prepare is no
    neighbour, unless its gold does not prepare.
    """
    for some in _together(golds):
        yield from _neighbors_of(some, schema, means)


def _together(golds: Sequence[Serving]) -> Iterator[list[Serving]]:
    """Golds that grow side by side: all of a database, or as many as memory should hold."""
    some: list[Serving] = []
    nodes = 0
    for gold in golds:
        size = len(gold.facts.scopes.parsed.nodes)
        if some and nodes + size > _TOGETHER:
            yield some
            some, nodes = [], 0
        some.append(gold)
        nodes += size
    if some:
        yield some


def _neighbors_of(
    golds: Sequence[Serving], schema: Schema, means: Means
) -> Iterator[tuple[Serving, Neighbors]]:
    grown = [_Growing(gold, schema, means) for gold in golds]
    offered = [sql for one in grown for sql in one.offer()]
    asked = [gold.samples[0].gold_sql for gold in golds] + offered
    refused = means.prepare(asked) if offered else {}
    drawn = [sql for one in grown for sql in one.draw(refused)]
    refused |= means.prepare(drawn) if drawn else {}
    for one in grown:
        yield one.gold, one.finished(refused)


class _Growing:
    """One gold and the neighbours it has so far."""

    def __init__(self, gold: Serving, schema: Schema, means: Means) -> None:
        self.gold = gold
        self.found = Neighbors()
        self.making: Making | None = None
        taken = {gold.facts.exact: SAME}
        if means.enrichment:
            _add_references(self.found, gold, schema, taken)
        if means.settings is not None:
            self.making = Making(gold.facts, taken, means.settings, values=means.values)

    def offer(self) -> list[str]:
        """Mutants of one edit."""
        return [] if self.making is None else [mutant.sql for mutant in self.making.offer()]

    def draw(self, refused: Mapping[str, str]) -> list[str]:
        """Mutants of two, from the single edits that the engine prepares."""
        if self.making is None:
            return []
        self.making.settle(self._dead(refused))
        return [mutant.sql for mutant in self.making.draw(self.gold.gold_id)]

    def finished(self, refused: Mapping[str, str]) -> Neighbors:
        """All neighbours, in the order of record."""
        if self.making is not None:
            self.making.bury(self._dead(refused))
            _add_mutants(self.found, self.gold, self.making)
            self.making.release()
        return self.found

    def _dead(self, refused: Mapping[str, str]) -> Mapping[str, str]:
        """Beside a gold that does not prepare itself, a mutant that does not is nothing odd."""
        return {} if self.gold.samples[0].gold_sql in refused else refused


def _add_references(found: Neighbors, gold: Serving, schema: Schema, taken: dict[str, str]) -> None:
    for sample in gold.samples:
        for index, text in enumerate(sample.references, 1):
            reason, note, facts = _judge(text, schema, taken)
            if facts is None:
                found.outcomes[ENRICHMENT, "", 0, reason] += 1
                found.refused.append(_refusal(gold, sample, index, reason, (text or "", note)))
                continue
            taken[facts.exact] = REPEATED
            origin = f"sample {sample.sample_id}, groundtruth_sqls[{index}]"
            found.outcomes[ENRICHMENT, "", 0, KEPT] += 1
            found.kept.append(Neighbor(text or "", facts, ENRICHMENT, origin, index))


def _judge(
    text: str | None, schema: Schema, taken: dict[str, str]
) -> tuple[str, str, Reading | None]:
    """What is read off a reference that is a neighbour, or the reason why it is none."""
    if text is None:
        return "reference_is_no_text", "", None
    if not text.strip():
        return "reference_is_empty", "", None
    try:
        facts = read(text, schema)
    except NotAQuery as error:
        return "reference_does_not_parse", f"{error.reason}: {error}", None
    if facts.exact in taken:
        return taken[facts.exact], "", None
    return "", "", facts


def refused_with_gold(gold_id: str, samples: Sequence[Sample]) -> Iterator[Refusal]:
    """The references of a gold that does not parse: they have nothing to be neighbours of."""
    for sample in samples:
        for index, text in enumerate(sample.references, 1):
            yield Refusal(
                "pairs", "gold_does_not_parse", sample.dataset, sample.db_id,
                f"groundtruth_sqls[{index}]", sample.sample_id, gold_id, text or "",
            )  # fmt: skip


def _refusal(
    gold: Serving, sample: Sample, index: int, reason: str, said: tuple[str, str]
) -> Refusal:
    return Refusal(
        "pairs", reason, sample.dataset, sample.db_id, f"groundtruth_sqls[{index}]",
        sample.sample_id, gold.gold_id, said[0], said[1],
    )  # fmt: skip


def _add_mutants(found: Neighbors, gold: Serving, making: Making) -> None:
    for (operator, order, outcome), count in making.outcomes.items():
        if count:
            found.outcomes[GRAMMAR, operator, order, outcome] += count
    origin = f"the gold of sample {gold.samples[0].sample_id}"
    for mutant in sorted(making.kept, key=_of_record):
        found.kept.append(Neighbor(mutant.sql, mutant.facts, GRAMMAR, origin, mutant=mutant))


def _of_record(mutant: Mutant) -> tuple[int, str, int, int, str]:
    return mutant.order, mutant.operator, mutant.start, mutant.end, mutant.sql
