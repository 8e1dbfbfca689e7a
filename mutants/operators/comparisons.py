"""OR.ROR: relational operators."""

from collections.abc import Iterator

from mutants.gold import Edit, Gold
from mutants.operator import operator
from sqltext.binding import EQUAL_POWER, ORDER_POWER
from sqltext.expressions import Comparison

RELATIONS = ("=", "<>", "<", "<=", ">", ">=")


@operator(
    "OR.ROR",
    Comparison,
    examples={
        "SELECT b FROM t WHERE a > 5": "SELECT b FROM t WHERE a >= 5",
        "SELECT a FROM t WHERE b = 'x' ORDER BY a": "SELECT a FROM t WHERE (1=0) ORDER BY a",
    },
)
def replace_relation(node: Comparison, gold: Gold) -> Iterator[Edit]:
    """Compare in another way, or say always, or never.

    Catches databases without a row on the boundary, above it or below it; (1=0) catches those
    where the answer is empty.
    """
    if node.op not in RELATIONS or gold.in_on(node):
        return
    for relation in RELATIONS:
        if relation != node.op:
            power = EQUAL_POWER if relation in ("=", "<>") else ORDER_POWER
            yield gold.replace_operator(node, relation, power)
    yield gold.replace(node, "(1=1)")
    yield gold.replace(node, "(1=0)")
