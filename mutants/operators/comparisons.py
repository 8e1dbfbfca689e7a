"""Relational operators."""

from collections.abc import Iterator

from mutants.gold import EQUAL_POWER, ORDER_POWER, Edit, Gold, power_of, slot
from mutants.operator import operator
from sqltext.clauses import On
from sqltext.expressions import Comparison, Logical, Node, Paren

RELATIONS = ("=", "<>", "<", "<=", ">", ">=")


def in_join(node: Node) -> bool:
    """Whether a condition is one of those that join two tables."""
    at = node.parent
    while isinstance(at, Logical | Paren):
        at = at.parent
    return isinstance(at, On)


@operator(
    "OR.ROR",
    Comparison,
    examples={
        "SELECT a FROM t WHERE b > 5": "SELECT a FROM t WHERE b >= 5",
        "SELECT a FROM t WHERE b = 'x' ORDER BY a": "SELECT a FROM t WHERE (1=0) ORDER BY a",
    },
)
def replace_relation(node: Comparison, gold: Gold) -> Iterator[Edit]:
    """Compare in another way, or say always, or never.

    Catches databases without a row on the boundary, above it or below it; (1=0) catches every
    answer that is not empty.
    """
    if node.op not in RELATIONS or in_join(node):
        return
    for relation in RELATIONS:
        if relation != node.op:
            yield with_relation(node, gold, relation)
    yield gold.replace(node, "(1=1)")
    yield gold.replace(node, "(1=0)")


def with_relation(node: Comparison, gold: Gold, relation: str) -> Edit:
    """The relation's token replaced; the whole comparison where it would bind otherwise."""
    power = EQUAL_POWER if relation in ("=", "<>") else ORDER_POWER
    fits = power_of(node.left) >= power and power_of(node.right) > power and slot(node) <= power
    if fits:
        at = node.left.last + 1
        return gold.replace_tokens((at, at), relation, node)
    sides = gold.operand(node.left, power), gold.operand(node.right, power + 1)
    return gold.replace_expression(node, f"{sides[0]} {relation} {sides[1]}", power)
