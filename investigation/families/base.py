"""What a family is, and how an instance comes about: drawn, tried, kept if it is a fair task."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import NamedTuple

from db_execution.sandbox import EPISODE, GENERAL
from db_execution.sandbox.memory import Memory, NoRows
from investigation.drawing import Unfit
from investigation.errors import BadDraw
from investigation.grading import same
from investigation.instance import Instance, Row, Table, Trap

TRIES = 50
"""How often a family may draw anew for one seed."""

SEEDS = 2**63
"""Seeds are below this: what a signed 64-bit integer holds."""


ON_TRIAL = replace(EPISODE, wall_ms=GENERAL.wall_ms)
"""What a draw is tried under: an episode's limits but for its second, as a slow machine draws the
same instance as a quick one."""


class NoInstance(RuntimeError):
    """A family drew so often as it may and no draw was a fair task: a bug of the family."""


class BrokenQuery(NoInstance):
    """The oracle SQL or a trap does not run as an agent's query does: a bug of the family."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a family draws once. The trial decides whether it becomes an instance.

    ``traps`` map a name to a wrong query that must give another answer. ``twins`` are wrong or
    careless queries that the data need not tell apart; the family says why.
    """

    instruction: str
    tables: tuple[Table, ...]
    columns: tuple[str, ...]
    expected: tuple[Row, ...]
    oracle_sql: str
    traps: dict[str, str]
    twins: dict[str, str] = field(default_factory=dict)


class Drawn(NamedTuple):
    """An instance, and why each draw before it was put aside."""

    instance: Instance
    refused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of task. ``version`` is raised whenever a seed would give another instance.

    ``untold`` says of each twin, by its name, why no data of this family tells it apart for sure.
    """

    name: str
    version: int
    draft: Callable[[Random], Draft]
    untold: tuple[tuple[str, str], ...] = ()

    def draw(self, seed: int) -> Instance:
        """The instance of ``seed``, always the same one.

        Raises BadDraw unless 0 <= seed < 2**63, and NoInstance where no draw was a fair task.
        """
        return self.drawn(seed).instance

    def drawn(self, seed: int) -> Drawn:
        """The instance of ``seed``, with the reasons for which earlier draws were put aside."""
        check_seed(seed)
        rng = Random(f"{self.name}/{self.version}/{seed}")
        refused: list[str] = []
        for _ in range(TRIES):
            try:
                draft = self.draft(rng)
                reason = refusal(draft)
            except Unfit as unfit:
                reason = str(unfit)
            if reason is None:
                return Drawn(_instance(self.name, seed, draft), tuple(refused))
            refused.append(reason)
        counts = ", ".join(f"{count} {reason}" for reason, count in Counter(refused).most_common())
        raise NoInstance(f"{self.name}, seed {seed}: no fair task in {TRIES} draws: {counts}")


def check_seed(seed: object) -> None:
    """Raise BadDraw unless ``seed`` is a whole number from 0 to 2**63 - 1."""
    if type(seed) is not int or not 0 <= seed < SEEDS:
        raise BadDraw(f"a seed is a whole number from 0 to 2**63 - 1, not {seed!r:.60}")


def refusal(draft: Draft) -> str | None:
    """Why ``draft`` is no fair task, or None if it is one.

    The oracle and the traps are run as an agent's queries are.
    """
    with Memory(draft.tables, ON_TRIAL) as database:
        return next(_flaws(draft, database), None)


def _flaws(draft: Draft, database: Memory) -> Iterator[str]:
    if not draft.expected:
        yield "empty_answer"
    if not same(draft.expected, answer(database, draft.oracle_sql)):
        yield "oracles_differ"
    for name, sql in draft.traps.items():
        if same(draft.expected, answer(database, sql)):
            yield f"tied {name}"


def answer(database: Memory, sql: str) -> tuple[Row, ...]:
    """The rows of one of our own queries; raises BrokenQuery where it does not run."""
    try:
        return database.rows(sql)  # type: ignore[return-value]  # no family stores a BLOB
    except NoRows as none:
        raise BrokenQuery(f"a query of ours failed ({none}): {sql}") from none


def _instance(family: str, seed: int, draft: Draft) -> Instance:
    return Instance(
        family=family,
        seed=seed,
        instruction=draft.instruction,
        tables=draft.tables,
        columns=draft.columns,
        expected=draft.expected,
        oracle_sql=draft.oracle_sql,
        traps=_named(draft.traps),
        twins=_named(draft.twins),
    )


def _named(queries: dict[str, str]) -> tuple[Trap, ...]:
    return tuple(Trap(name, sql) for name, sql in queries.items())
