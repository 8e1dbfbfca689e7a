"""AND and OR."""

from collections.abc import Iterator

from mutants.gold import AND_POWER, OR_POWER, Edit, Gold, power_of, slot
from mutants.operator import operator
from sqltext.expressions import Logical


@operator(
    "OR.LCR",
    Logical,
    examples={
        "SELECT a FROM t WHERE b = 1 AND c = 2": "SELECT a FROM t WHERE b = 1 OR c = 2",
        "SELECT a FROM t WHERE b = 1 AND c = 2 AND d = 3": (
            "SELECT a FROM t WHERE (b = 1 OR c = 2) AND d = 3"
        ),
    },
)
def swap_connective(node: Logical, gold: Gold) -> Iterator[Edit]:
    """AND to OR, and back.

    Catches databases where no row holds one side alone.
    """
    op, power = ("OR", OR_POWER) if node.op == "AND" else ("AND", AND_POWER)
    fits = power_of(node.left) >= power and power_of(node.right) > power and slot(node) <= power
    if fits:
        at = node.left.last + 1
        yield gold.replace_tokens((at, at), op, node)
    else:
        sides = gold.operand(node.left, power), gold.operand(node.right, power + 1)
        yield gold.replace_expression(node, f"{sides[0]} {op} {sides[1]}", power)


@operator(
    "OR.LCR",
    Logical,
    examples={"SELECT a FROM t WHERE b = 1 AND c = 2": "SELECT a FROM t WHERE b = 1"},
)
def drop_condition(node: Logical, gold: Gold) -> Iterator[Edit]:
    """Forget one side of an AND or OR.

    Catches databases where the forgotten condition never rules a row out, or never lets one in.
    """
    for side in (node.left, node.right):
        yield gold.replace_expression(node, gold.text(side), power_of(side))
