"""OR.BTW: BETWEEN."""

from collections.abc import Iterator

from mutants.gold import Edit, Gold
from mutants.operator import operator
from sqltext.binding import AND_POWER, OR_POWER, ORDER_POWER
from sqltext.expressions import Between


@operator(
    "OR.BTW",
    Between,
    examples={
        "SELECT b FROM t WHERE a BETWEEN 2 AND 5": "SELECT b FROM t WHERE a > 2 AND a <= 5",
        "SELECT b FROM t WHERE a NOT BETWEEN 2 AND 5": "SELECT b FROM t WHERE a < 2 OR a >= 5",
    },
)
def exclude_bound(node: Between, gold: Gold) -> Iterator[Edit]:
    """One bound is no longer inside; under NOT, no longer outside it.

    Catches databases without a row on a bound.
    """
    relations = (("<=", ">"), ("<", ">=")) if node.negated else ((">", "<="), (">=", "<"))
    word, power = ("OR", OR_POWER) if node.negated else ("AND", AND_POWER)
    for low, high in relations:
        text = f"{_side(node, gold, low)} {word} {_side(node, gold, high)}"
        yield gold.replace_expression(node, text, power)


@operator(
    "OR.BTW",
    Between,
    examples={
        "SELECT b FROM t WHERE a BETWEEN 2 AND 5": "SELECT b FROM t WHERE a >= 2",
        "SELECT b FROM t WHERE a NOT BETWEEN 2 AND 5": "SELECT b FROM t WHERE a > 5",
    },
)
def drop_bound(node: Between, gold: Gold) -> Iterator[Edit]:
    """Forget the upper bound, or the lower one.

    Catches databases without a row beyond the bound.
    """
    for relation in ("<", ">") if node.negated else (">=", "<="):
        yield gold.replace_expression(node, _side(node, gold, relation), ORDER_POWER)


@operator(
    "OR.BTW",
    Between,
    examples={
        "SELECT b FROM t WHERE a BETWEEN 2 AND 5": "SELECT b FROM t WHERE a NOT BETWEEN 2 AND 5",
    },
)
def negate_between(node: Between, gold: Gold) -> Iterator[Edit]:
    """Outside for inside, and the other way round.

    Catches databases with no value to compare at all.
    """
    at = node.operand.last + 1
    word = "BETWEEN" if node.negated else "NOT BETWEEN"
    yield gold.replace_tokens((at, at + node.negated), word, node)


def _side(node: Between, gold: Gold, relation: str) -> str:
    """The comparison with one bound: > and >= are about the lower one, unless under NOT."""
    bound = node.low if (relation in (">", ">=")) != node.negated else node.high
    left = gold.operand(node.operand, ORDER_POWER)
    return f"{left} {relation} {gold.operand(bound, ORDER_POWER + 1)}"
