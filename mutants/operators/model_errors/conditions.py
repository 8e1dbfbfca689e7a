"""X.ONC: the condition of a join."""

from collections.abc import Iterator

from mutants.columns import source_of
from mutants.gold import Edit, Gold
from mutants.neighbors import key_columns
from mutants.operator import operator
from mutants.spelling import column_at
from sqltext.clauses import On
from sqltext.expressions import Column, Comparison, Logical, Node, Paren

_OTHERS = 2  # columns that may take one side's place, nearest names first


@operator(
    "X.ONC",
    Column,
    examples={
        "SELECT b, x FROM t JOIN u ON t.id = u.t_id": "SELECT b, x FROM t JOIN u ON t.id = u.id",
    },
)
def join_on_another_key(node: Column, gold: Gold) -> Iterator[Edit]:
    """Join on another key of the table, or another reference to a key.

    Catches databases where both columns point at the same rows.
    """
    around = node.parent
    if not isinstance(around, Comparison) or around.op != "=" or not _is_a_join(around):
        return
    found = source_of(gold.scopes, node)
    if found is None:
        return
    opposite = source_of(gold.scopes, around.right if around.left is node else around.left)
    others = [name for name in key_columns(gold, node) if (found[0], name) != opposite]
    for name in others[:_OTHERS]:
        text = column_at(gold, node, found[0], name)
        if text is not None:
            yield gold.replace(node, text)


@operator(
    "X.ONC",
    Logical,
    examples={
        "SELECT b, x FROM t JOIN u ON t.id = u.t_id AND t.a = u.y": (
            "SELECT b, x FROM t JOIN u ON t.id = u.t_id "
        ),
    },
)
def drop_join_condition(node: Logical, gold: Gold) -> Iterator[Edit]:
    """Forget one of the conditions that two tables are joined on.

    Catches databases where the others find the same partners.
    """
    if _is_a_join(node):
        yield gold.keep_side(node, node.left)
        yield gold.keep_side(node, node.right)


def _is_a_join(node: Node) -> bool:
    """Whether a condition is one of those that an ON is made of."""
    at = node.parent
    while isinstance(at, Logical | Paren):
        at = at.parent
    return isinstance(at, On)
