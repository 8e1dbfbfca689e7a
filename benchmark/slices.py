"""The score cut by what a question is: its difficulty, its gold's clauses, its database."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from benchmark.outcome import Evaluation, Outcome
from sqltext.errors import NotAQuery
from sqltext.facts import Facts, analyse

CLAUSES = (
    "join", "where", "group", "having", "order", "limit", "subquery", "union", "union_all",
    "intersect", "except", "cte", "window",
)  # fmt: skip
PARTS = ("easy", "medium", "hard", "extra")
_BOUNDS = (2, 4, 6)
"""A gold of up to two parts is easy, of up to four medium, of up to six hard."""


@lru_cache(maxsize=20_000)
def _facts(sql: str) -> Facts | None:
    try:
        return analyse(sql)
    except NotAQuery:
        return None


def hardness(sql: str | None) -> str:
    """How much there is in a gold: one part each for a clause, an aggregate, a column shown.

    Joins count once a join, subqueries and set operations twice, conditions once each after the
    first; what does not parse is ``unknown``. This is a rule of ours, for benchmarks whose
    questions come without a difficulty.

    >>> hardness("SELECT a FROM t"), hardness("SELECT a FROM t WHERE b AND c ORDER BY d LIMIT 1")
    ('easy', 'medium')
    """
    facts = _facts(sql) if sql else None
    if facts is None:
        return "unknown"
    found = facts.features
    clauses = set(found.clauses) & {"where", "group", "having", "order", "limit", "window", "cte"}
    joined = max(0, len(found.tables) - 1)
    shown = max(map(len, found.items), default=1) - 1
    nested = 2 * (len(found.subqueries) + len(found.set_operations))
    more = max(0, len(found.where) - 1) + len(found.aggregates)
    parts = len(clauses) + joined + shown + nested + more
    return next(
        (name for name, most in zip(PARTS, _BOUNDS, strict=False) if parts <= most), "extra"
    )


def clauses(sql: str | None) -> tuple[str, ...]:
    """The clauses of a gold's outermost query; ``plain`` where it has none of them."""
    facts = _facts(sql) if sql else None
    if facts is None:
        return ("unknown",)
    return tuple(one for one in CLAUSES if one in facts.features.clauses) or ("plain",)


def difficulty(outcome: Outcome) -> str:
    """The benchmark's own word, or `hardness`."""
    return outcome.task.difficulty or hardness(outcome.task.gold_sql)


def slices(evaluation: Evaluation) -> dict[str, dict[str, dict[str, float | int]]]:
    """By difficulty, clause and database: how many tasks there are, and how many passed."""
    return {
        "difficulty": _cut((difficulty(one), one) for one in evaluation.outcomes),
        "clause": _cut(
            (clause, one) for one in evaluation.outcomes for clause in clauses(one.task.gold_sql)
        ),
        "database": _cut((one.task.db_id, one) for one in evaluation.outcomes),
    }


def _cut(named: Iterable[tuple[str, Outcome]]) -> dict[str, dict[str, float | int]]:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for name, outcome in named:
        groups[name].append(outcome)
    return {name: _counts(groups[name]) for name in sorted(groups, key=_place)}


def _place(name: str) -> tuple[int, str]:
    known: Mapping[str, int] = {one: at for at, one in enumerate((*PARTS, *CLAUSES))}
    return known.get(name, -1), name


def _counts(outcomes: list[Outcome]) -> dict[str, float | int]:
    passed = sum(one.bucket == "passed" for one in outcomes)
    share = round(100 * passed / len(outcomes), 2)
    return {"total": len(outcomes), "passed": passed, "rate": share}
