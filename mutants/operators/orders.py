"""SC.ORD, SC.LIM: the order of the rows, and how many of them."""

from collections.abc import Iterator

from mutants.gold import Edit, Gold
from mutants.operator import operator
from sqltext.clauses import Limit, OrderBy, OrderTerm, Query
from sqltext.expressions import Literal

_LONGEST = 18  # digits of a count of rows; with more, one more row may be no integer of SQLite


@operator(
    "SC.ORD",
    OrderTerm,
    examples={
        "SELECT a FROM t ORDER BY c": "SELECT a FROM t ORDER BY c DESC",
        "SELECT a FROM t ORDER BY c DESC LIMIT 1": "SELECT a FROM t ORDER BY c ASC LIMIT 1",
    },
)
def flip_order(node: OrderTerm, gold: Gold) -> Iterator[Edit]:
    """Sort the other way round.

    Catches databases whose rows all have the same key.
    """
    value = node.value
    if node.direction:
        at = value.last + 1
        text = "ASC" if node.direction == "DESC" else "DESC"
        yield gold.replace_tokens((at, at), text, node)
    else:
        yield gold.replace_tokens((value.first, value.last), f"{gold.text(value)} DESC", node)


@operator(
    "SC.ORD",
    OrderBy,
    examples={
        "SELECT a FROM t ORDER BY e, c DESC": "SELECT a FROM t ORDER BY e",
        "SELECT a FROM t ORDER BY c": "SELECT a FROM t ",
    },
)
def drop_order_key(node: OrderBy, gold: Gold) -> Iterator[Edit]:
    """Sort by one key less, or not at all.

    Catches databases where the other keys, or the order in which rows are stored, say the same.
    """
    if len(node.terms) > 1:
        for at in range(len(node.terms)):
            yield gold.drop_member(node.terms, at)
    elif not (isinstance(node.parent, Query) and node.parent.limit is not None):
        yield gold.replace(node, "")


@operator(
    "SC.LIM",
    OrderBy,
    examples={"SELECT a FROM t ORDER BY c DESC LIMIT 1": "SELECT a FROM t  LIMIT 1"},
)
def forget_order(node: OrderBy, gold: Gold) -> Iterator[Edit]:
    """Cut the answer as before, but wherever the rows happen to stand.

    Catches databases where the rows wanted are stored first.
    """
    if isinstance(node.parent, Query) and node.parent.limit is not None:
        yield gold.replace(node, "")


@operator(
    "SC.LIM",
    Limit,
    examples={
        "SELECT a FROM t ORDER BY c LIMIT 3": "SELECT a FROM t ORDER BY c LIMIT 4",
        "SELECT a FROM t LIMIT 3": "SELECT a FROM t LIMIT 2",
    },
)
def move_limit(node: Limit, gold: Gold) -> Iterator[Edit]:
    """One row more, or one less.

    Catches databases with fewer rows than the limit.
    """
    count = node.count
    if not isinstance(count, Literal) or not count.text.isdigit() or len(count.text) > _LONGEST:
        return
    yield gold.replace(count, str(int(count.text) + 1))
    if int(count.text) > 1:
        yield gold.replace(count, str(int(count.text) - 1))


@operator(
    "SC.LIM",
    Limit,
    examples={
        "SELECT a FROM t ORDER BY c LIMIT 1": "SELECT a FROM t ORDER BY c LIMIT 1 OFFSET 1",
    },
)
def skip_first(node: Limit, gold: Gold) -> Iterator[Edit]:
    """Leave the first row out.

    Catches databases whose first two rows give the same.
    """
    if node.offset is None:
        yield gold.replace(node, f"{gold.text(node)} OFFSET 1")


@operator(
    "SC.LIM",
    Limit,
    examples={"SELECT a FROM t ORDER BY c LIMIT 3": "SELECT a FROM t ORDER BY c "},
)
def drop_limit(node: Limit, gold: Gold) -> Iterator[Edit]:
    """All rows.

    Catches databases with no more rows than the limit.
    """
    yield gold.replace(node, "")
