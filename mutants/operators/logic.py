"""OR.LCR: AND and OR."""

from collections.abc import Iterator

from mutants.gold import Edit, Gold
from mutants.operator import operator
from sqltext.binding import AND_POWER, OR_POWER
from sqltext.expressions import Logical


@operator(
    "OR.LCR",
    Logical,
    examples={
        "SELECT a FROM t WHERE c > 1 AND d > '2020'": "SELECT a FROM t WHERE c > 1 OR d > '2020'",
        "SELECT a FROM t WHERE c > 1 AND e = 'x' AND b = 'x'": (
            "SELECT a FROM t WHERE (c > 1 OR e = 'x') AND b = 'x'"
        ),
    },
)
def swap_connective(node: Logical, gold: Gold) -> Iterator[Edit]:
    """AND to OR, and back.

    Catches databases where no row holds one side alone.
    """
    if gold.in_on(node) or gold.is_long(node):
        return
    op, power = ("OR", OR_POWER) if node.op == "AND" else ("AND", AND_POWER)
    yield gold.replace_operator(node, op, power)


@operator(
    "OR.LCR",
    Logical,
    examples={
        "SELECT a FROM t WHERE c > 1 AND e = 'x'": "SELECT a FROM t WHERE c > 1 ",
        "SELECT a FROM t WHERE c > 1 OR e = 'x'": "SELECT a FROM t WHERE  e = 'x'",
    },
)
def drop_condition(node: Logical, gold: Gold) -> Iterator[Edit]:
    """Forget one side of an AND or OR.

    Catches databases where the forgotten condition never rules a row out, or never lets one in.
    """
    if not gold.in_on(node):
        yield gold.keep_side(node, node.left)
        yield gold.keep_side(node, node.right)


@operator(
    "OR.LCR",
    Logical,
    examples={
        "SELECT a FROM t WHERE (c > 1 OR e = 'x') AND b = 'x'": (
            "SELECT a FROM t WHERE ((1=1)) AND b = 'x'"
        ),
    },
)
def settle_condition(node: Logical, gold: Gold) -> Iterator[Edit]:
    """Say always, or never, for both sides of an AND or OR.

    Catches databases where some row meets the two conditions, and some row does not.
    """
    if not gold.in_on(node):
        yield gold.replace(node, "(1=1)")
        yield gold.replace(node, "(1=0)")
