"""All laws of the families over a range of seeds: each instance drawn twice, rebuilt, and asked."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

from db_execution.protocol import Answer
from db_execution.sandbox import GENERAL, Sandbox, open_script
from investigation.families import FAMILIES, Drawn, NoInstance
from investigation.golden import SEEDS, digest, is_golden
from investigation.grading import same
from investigation.instance import Instance
from investigation.scripts import script

MOST_MS = 50.0
"""CPU time that drawing an instance may take, with every try and every query of the trial."""

LONGEST, MOST_ROWS = 4_000, 100
"""Characters of a query and rows of an answer, at most: what an episode lets an agent have."""

AT_ONCE = 50
"""Seeds that a worker is given at a time."""


@dataclass(frozen=True)
class Specimen:
    """An instance under test: drawn twice, and its database rebuilt from its own script."""

    instance: Instance
    again: Instance
    cpu_ms: float
    database: Sandbox

    def answer(self, sql: str) -> Answer:
        """What a query gives on the rebuilt database, under the service's own limits."""
        return self.database.run(sql)

    @cached_property
    def oracle(self) -> Answer:
        """What the oracle SQL gives."""
        return self.answer(self.instance.oracle_sql)


def is_the_same_again(one: Specimen) -> bool:
    """The seed alone decides the instance."""
    return one.instance == one.again


def is_golden_where_fixed(one: Specimen) -> bool:
    """Of the first hundred seeds the digest is fixed."""
    return one.instance.seed not in SEEDS or is_golden(one.instance)


def has_an_answer(one: Specimen) -> bool:
    """The right answer is not empty, and has a cell a column."""
    rows, width = one.instance.expected, len(one.instance.columns)
    return bool(rows) and all(len(row) == width for row in rows)


def oracles_agree(one: Specimen) -> bool:
    """The oracle SQL gives just what Python gives: not by the grading alone, but cell for cell."""
    rows = one.oracle.rows
    if rows is None or not same(one.instance.expected, rows):
        return False
    return Counter(rows) == Counter(one.instance.expected)


def every_trap_differs(one: Specimen) -> bool:
    """Every trap runs, and gives another table by the grading."""
    answers = [one.answer(trap.sql) for trap in one.instance.traps]
    return all(
        answer.rows is not None and not same(one.instance.expected, answer.rows)
        for answer in answers
    )


def every_twin_runs(one: Specimen) -> bool:
    """Every twin runs, whatever it gives."""
    return all(one.answer(twin.sql).rows is not None for twin in one.instance.twins)


def says_all_that_counts(one: Specimen) -> bool:
    """Every word, date and span that the oracle SQL compares with is said in the instruction."""
    literals = re.findall(r"'\+?([^']+)'", one.instance.oracle_sql)
    told = one.instance.instruction
    return all(literal in told for literal in [*literals, *one.instance.columns])


def fits_an_episode(one: Specimen) -> bool:
    """An agent could send each query, and see the whole answer."""
    queries = [one.instance.oracle_sql, *(trap.sql for trap in one.instance.traps)]
    return max(map(len, queries)) <= LONGEST and len(one.instance.expected) <= MOST_ROWS


def is_drawn_in_time(one: Specimen) -> bool:
    """Drawing it took at most 50 ms of CPU."""
    return one.cpu_ms <= MOST_MS


LAWS: tuple[Callable[[Specimen], bool], ...] = (
    is_the_same_again,
    is_golden_where_fixed,
    has_an_answer,
    oracles_agree,
    every_trap_differs,
    every_twin_runs,
    says_all_that_counts,
    fits_an_episode,
    is_drawn_in_time,
)
"""What holds of every instance; over all of a family, no two are alike besides."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One seed of a family: the laws that it breaks, by name, and what drawing it took."""

    family: str
    seed: int
    broken: tuple[str, ...]
    cpu_ms: float = 0.0
    refused: tuple[str, ...] = ()
    digest: str = ""
    tied_twins: tuple[str, ...] = ()
    traps: int = 0


@dataclass(frozen=True, slots=True)
class Held:
    """What was found of one family: counts, CPU milliseconds of a draw, draws put aside by reason.

    ``tied_twins`` counts the instances on which a twin gave the right table.
    """

    family: str
    instances: int
    failed: int
    traps: int
    median_ms: float
    max_ms: float
    drawn_again: dict[str, int]
    tied_twins: dict[str, int]


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found of every seed, by family in order."""

    judged: tuple[Judged, ...]

    @property
    def families(self) -> tuple[str, ...]:
        """The families that were looked at."""
        return tuple(dict.fromkeys(one.family for one in self.judged))

    @property
    def failed(self) -> list[Judged]:
        """The instances that break a law."""
        return [one for one in self.judged if one.broken]

    @property
    def broken(self) -> Counter[str]:
        """How often each law is broken, by its name."""
        return Counter(law for one in self.judged for law in one.broken)

    def of(self, family: str) -> Held:
        """What was found of one family."""
        found = [one for one in self.judged if one.family == family]
        times = [one.cpu_ms for one in found]
        return Held(
            family,
            instances=len(found),
            failed=sum(bool(one.broken) for one in found),
            traps=max(one.traps for one in found),
            median_ms=round(median(times), 1),
            max_ms=round(max(times), 1),
            drawn_again=dict(Counter(reason for one in found for reason in one.refused)),
            tied_twins=dict(Counter(twin for one in found for twin in one.tied_twins)),
        )


Piece = tuple[str, range]
"""Some seeds of a family."""


def pieces(families: Sequence[str], count: int) -> list[Piece]:
    """The seeds 0 to ``count - 1`` of each family, cut up for workers."""
    starts = range(0, count, AT_ONCE)
    return [(name, range(at, min(at + AT_ONCE, count))) for name in families for at in starts]


def judge_all(piece: Piece) -> list[Judged]:
    """The seeds of a piece, each held against every law."""
    family, seeds = piece
    return [judge(family, seed) for seed in seeds]


def gathered(judged: Iterable[Sequence[Judged]]) -> Verification:
    """What was found of all pieces, in order; here it shows whether an instance comes twice."""
    return Verification(tuple(_apart(one for piece in judged for one in piece)))


def judge(family: str, seed: int) -> Judged:
    """One seed held against every law."""
    try:
        drawn, first_ms = _timed(family, seed)
        again, second_ms = _timed(family, seed)
    except NoInstance:
        return Judged(family, seed, ("is_drawn_at_all",))
    # The second draw shows what the first took beside its own work: imports, a collection.
    cpu_ms = min(first_ms, second_ms)
    instance = drawn.instance
    with closing(open_script(script(instance.tables), profile=GENERAL)) as database:
        one = Specimen(instance, again.instance, cpu_ms, database)
        broken = tuple(law.__name__ for law in LAWS if not law(one))
        tied = tuple(_tied_twins(one))
    return Judged(
        family,
        seed,
        broken,
        cpu_ms=cpu_ms,
        refused=drawn.refused,
        digest=digest(instance),
        tied_twins=tied,
        traps=len(instance.traps),
    )


def _timed(family: str, seed: int) -> tuple[Drawn, float]:
    began = time.process_time()
    drawn = FAMILIES[family].drawn(seed)
    return drawn, (time.process_time() - began) * 1000


def _tied_twins(one: Specimen) -> Iterator[str]:
    for twin in one.instance.twins:
        rows = one.answer(twin.sql).rows
        if rows is not None and same(one.instance.expected, rows):
            yield twin.name


def _apart(found: Iterable[Judged]) -> Iterator[Judged]:
    """An instance that is the same as one before it breaks a law of its own."""
    seen: set[str] = set()
    for one in found:
        repeated = bool(one.digest) and one.digest in seen
        seen.add(one.digest)
        yield replace(one, broken=(*one.broken, "is_no_repetition")) if repeated else one
