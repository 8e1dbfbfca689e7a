"""SC.UNI: set operations."""

from collections.abc import Iterator

from mutants.gold import Edit, Gold
from mutants.operator import operator
from mutants.queries import is_recursive
from sqltext.clauses import Compound, Query

_OPERATIONS = ("UNION", "UNION ALL", "INTERSECT", "EXCEPT")


@operator(
    "SC.UNI",
    Compound,
    examples={
        "SELECT a FROM t UNION SELECT y FROM u": "SELECT a FROM t UNION ALL SELECT y FROM u",
        "SELECT a FROM t EXCEPT SELECT y FROM u": "SELECT a FROM t INTERSECT SELECT y FROM u",
    },
)
def replace_set_operation(node: Compound, gold: Gold) -> Iterator[Edit]:
    """Join two answers in another way.

    Catches databases where the two answers share no row, or all, or hold none twice.
    """
    recursive = isinstance(node.parent, Query) and is_recursive(node.parent)
    for other in _OPERATIONS[:2] if recursive else _OPERATIONS:
        if other != node.op:
            yield gold.replace(node, other)


@operator(
    "SC.UNI",
    Query,
    examples={
        "SELECT a FROM t UNION SELECT y FROM u": "SELECT a FROM t ",
        "SELECT a FROM t EXCEPT SELECT y FROM u": " SELECT y FROM u",
    },
)
def drop_arm(node: Query, gold: Gold) -> Iterator[Edit]:
    """Forget one of the answers that are joined.

    Catches databases where the forgotten answer adds nothing, or takes nothing away.
    """
    if is_recursive(node):
        return
    for at, operation in enumerate(node.operators):
        if at == 0:
            yield gold.replace_tokens((node.cores[0].first, operation.last), "")
        yield gold.replace_tokens((operation.first, node.cores[at + 1].last), "")


@operator(
    "SC.UNI",
    Query,
    examples={
        "SELECT a FROM t EXCEPT SELECT y FROM u": "SELECT y FROM u EXCEPT SELECT a FROM t",
    },
)
def swap_arms(node: Query, gold: Gold) -> Iterator[Edit]:
    """Take the first answer away from the second.

    Catches databases where both answers are the same.
    """
    if [operation.op for operation in node.operators] != ["EXCEPT"] or is_recursive(node):
        return
    one, other = node.cores
    between = gold.parsed.sql[gold.parsed.end(one) : gold.parsed.start(other)]
    text = gold.text(other) + between + gold.text(one)
    yield gold.replace_tokens((one.first, other.last), text)
