"""SC.AGR: aggregates."""

from collections.abc import Iterator

from mutants.gold import Edit, Gold
from mutants.neighbors import nullable_columns
from mutants.operator import operator
from mutants.queries import FIVE_AGGREGATES
from mutants.spelling import column_at
from sqltext.expressions import Call
from sqltext.lexer import fold

_WITH_DISTINCT = ("COUNT", "SUM", "AVG")
_COUNTED = 2  # columns that COUNT(*) is offered


@operator(
    "SC.AGR",
    Call,
    examples={
        "SELECT SUM(c) FROM t": "SELECT AVG(c) FROM t",
        "SELECT count(DISTINCT b) FROM t": "SELECT MAX(b) FROM t",
    },
)
def replace_aggregate(node: Call, gold: Gold) -> Iterator[Edit]:
    """Sum up in another way.

    Catches databases whose groups hold one value, or values whose sum is their mean.
    """
    name = fold(node.name).upper()
    if name not in FIVE_AGGREGATES or len(node.arguments) != 1:
        return
    for other in FIVE_AGGREGATES:
        if other == name:
            continue
        if node.distinct and other not in _WITH_DISTINCT:
            # The greatest of all values is the greatest of the different ones.
            text = f"{other}({gold.text(node.arguments[0])}"
            yield gold.replace_tokens((node.first, node.arguments[0].last), text, node)
        else:
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
    value = gold.text(node.arguments[0])
    inside = (node.first + 2, node.arguments[0].last)  # with an ALL, if there is one
    if node.distinct:
        yield gold.replace_tokens(inside, value, node)
    elif node.window is None:
        yield gold.replace_tokens(inside, f"DISTINCT {value}", node)


@operator("SC.AGR", Call, examples={"SELECT COUNT(*) FROM t": "SELECT COUNT(a) FROM t"})
def count_column(node: Call, gold: Gold) -> Iterator[Edit]:
    """Count the rows where a column is not NULL, instead of all.

    Catches databases where the column is never NULL.
    """
    if not node.star or fold(node.name) != "count":
        return
    for column in nullable_columns(gold, node)[:_COUNTED]:
        text = column_at(gold, node, column.source, column.name, column.word)
        if text is not None:
            yield gold.replace_tokens((node.first + 2, node.first + 2), text, node)
