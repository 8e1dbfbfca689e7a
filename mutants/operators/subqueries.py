"""SC.SUB: predicates over a query, and membership. ALL, ANY and SOME are no words of SQLite."""

from collections.abc import Iterator

from mutants.gold import Edit, Gold
from mutants.operator import operator
from mutants.queries import gives_one_row
from sqltext.binding import NOT_POWER
from sqltext.expressions import Comparison, Exists, In, Not, Row, Subquery


@operator(
    "SC.SUB",
    In,
    examples={
        "SELECT b FROM t WHERE id IN (SELECT t_id FROM u)": (
            "SELECT b FROM t WHERE id NOT IN (SELECT t_id FROM u)"
        ),
        "SELECT b FROM t WHERE a NOT IN (1, 5)": "SELECT b FROM t WHERE a IN (1, 5)",
    },
)
def negate_membership(node: In, gold: Gold) -> Iterator[Edit]:
    """In the list for not in it, and the other way round.

    Catches databases where neither rows in the list nor others are there, or NULL hides them.
    """
    yield gold.replace_tokens(_operator(node), "IN" if node.negated else "NOT IN", node)


@operator(
    "SC.SUB",
    In,
    examples={
        "SELECT b FROM t WHERE id IN (SELECT t_id FROM u)": (
            "SELECT b FROM t WHERE id = (SELECT t_id FROM u)"
        ),
    },
)
def compare_with_one(node: In, gold: Gold) -> Iterator[Edit]:
    """Compare with the first row of the query alone.

    Catches databases where the query gives one row, or the same in all its rows.
    """
    if node.query is not None and not isinstance(node.operand, Row):
        yield gold.replace_tokens(_operator(node), "<>" if node.negated else "=", node)


@operator(
    "SC.SUB",
    Comparison,
    examples={
        "SELECT b FROM t WHERE id = (SELECT t_id FROM u WHERE y > 1)": (
            "SELECT b FROM t WHERE id IN (SELECT t_id FROM u WHERE y > 1)"
        ),
    },
)
def accept_any(node: Comparison, gold: Gold) -> Iterator[Edit]:
    """Compare with every row of a query that was asked for one.

    Catches databases where the query gives one row, or the same in all its rows.
    """
    if node.op not in ("=", "<>") or not isinstance(node.right, Subquery):
        return
    if not gives_one_row(node.right.query):
        at = node.left.last + 1
        yield gold.replace_tokens((at, at), "IN" if node.op == "=" else "NOT IN", node)


@operator(
    "SC.SUB",
    Exists,
    examples={
        "SELECT b FROM t WHERE EXISTS (SELECT 1 FROM u WHERE t_id = t.id)": (
            "SELECT b FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE t_id = t.id)"
        ),
        "SELECT b FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE t_id = t.id)": (
            "SELECT b FROM t WHERE EXISTS (SELECT 1 FROM u WHERE t_id = t.id)"
        ),
    },
)
def negate_existence(node: Exists, gold: Gold) -> Iterator[Edit]:
    """Where there is such a row for where there is none, and the other way round.

    Catches databases with no row to ask about.
    """
    around = node.parent
    word = gold.parsed.sql[gold.parsed.start(node) :][: len("exists")]
    if isinstance(around, Not):
        yield gold.replace_tokens((around.first, node.first), word, around)
    else:
        yield gold.replace_expression(node, f"NOT {gold.text(node)}", NOT_POWER)


def _operator(node: In) -> tuple[int, int]:
    """The tokens of IN or NOT IN."""
    at = node.operand.last + 1
    return at, at + node.negated
