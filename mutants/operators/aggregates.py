"""Aggregates."""

from collections.abc import Iterator

from mutants.gold import Edit, Gold
from mutants.operator import operator
from sqltext.expressions import Call
from sqltext.lexer import fold

AGGREGATES = ("COUNT", "SUM", "AVG", "MIN", "MAX")
_WITH_DISTINCT = ("COUNT", "SUM", "AVG")


@operator(
    "SC.AGR",
    Call,
    examples={
        "SELECT SUM(c) FROM t": "SELECT AVG(c) FROM t",
        "SELECT count(DISTINCT b) FROM t": "SELECT MAX(DISTINCT b) FROM t",
    },
)
def replace_aggregate(node: Call, gold: Gold) -> Iterator[Edit]:
    """Sum up in another way.

    Catches databases whose groups hold one value, or values whose sum is their mean.
    """
    name = fold(node.name).upper()
    if name not in AGGREGATES or len(node.arguments) != 1:
        return
    for other in AGGREGATES:
        if other != name:
            yield gold.replace_tokens((node.first, node.first), other, node)


@operator(
    "SC.AGR",
    Call,
    examples={
        "SELECT COUNT(b) FROM t": "SELECT COUNT(DISTINCT b) FROM t",
        "SELECT COUNT(DISTINCT b) FROM t": "SELECT COUNT(b) FROM t",
    },
)
def toggle_aggregate_distinct(node: Call, gold: Gold) -> Iterator[Edit]:
    """Count every value, or every different one.

    Catches databases whose groups hold no value twice.
    """
    if fold(node.name).upper() not in _WITH_DISTINCT or len(node.arguments) != 1:
        return
    value, last = gold.text(node.arguments[0]), node.arguments[0].last
    if node.distinct:
        yield gold.replace_tokens((node.first + 2, last), value, node)
    elif node.window is None:
        yield gold.replace_tokens((node.arguments[0].first, last), f"DISTINCT {value}", node)
