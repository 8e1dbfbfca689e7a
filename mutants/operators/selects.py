"""DISTINCT, ORDER BY and LIMIT."""

from collections.abc import Iterator

from mutants.gold import Edit, Gold
from mutants.operator import operator
from sqltext.clauses import Limit, OrderTerm, Select
from sqltext.expressions import Literal


@operator(
    "SC.SEL",
    Select,
    examples={
        "SELECT b FROM t": "SELECT DISTINCT b FROM t",
        "SELECT DISTINCT b FROM t": "SELECT b FROM t",
    },
)
def toggle_distinct(node: Select, gold: Gold) -> Iterator[Edit]:
    """Keep the duplicates, or drop them.

    Catches databases where no two rows of the answer are the same.
    """
    word = gold.parsed.sql[gold.parsed.start(node) :][: len("select")]
    last = node.first + (1 if node.quantifier else 0)
    text = word if node.quantifier == "DISTINCT" else f"{word} DISTINCT"
    yield gold.replace_tokens((node.first, last), text)


@operator(
    "SC.ORD",
    OrderTerm,
    examples={
        "SELECT a FROM t ORDER BY b": "SELECT a FROM t ORDER BY b DESC",
        "SELECT a FROM t ORDER BY b DESC LIMIT 1": "SELECT a FROM t ORDER BY b ASC LIMIT 1",
    },
)
def flip_order(node: OrderTerm, gold: Gold) -> Iterator[Edit]:
    """Sort the other way round.

    Catches databases whose rows all have the same key.
    """
    if node.direction:
        at = node.value.last + 1
        text = "ASC" if node.direction == "DESC" else "DESC"
        yield gold.replace_tokens((at, at), text, node)
    else:
        value = node.value
        yield gold.replace_tokens((value.first, value.last), f"{gold.text(value)} DESC", node)


@operator(
    "SC.LIM",
    Limit,
    examples={
        "SELECT a FROM t ORDER BY b LIMIT 3": "SELECT a FROM t ORDER BY b LIMIT 4",
        "SELECT a FROM t LIMIT 3": "SELECT a FROM t LIMIT 2",
    },
)
def move_limit(node: Limit, gold: Gold) -> Iterator[Edit]:
    """One row more, or one less.

    Catches databases with fewer rows than the limit.
    """
    count = node.count
    if isinstance(count, Literal) and count.text.isdigit():
        yield gold.replace(count, str(int(count.text) + 1))
        if int(count.text) > 0:
            yield gold.replace(count, str(int(count.text) - 1))


@operator(
    "SC.LIM",
    Limit,
    examples={
        "SELECT a FROM t ORDER BY b LIMIT 1": "SELECT a FROM t ORDER BY b LIMIT 1 OFFSET 1",
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
    examples={"SELECT a FROM t ORDER BY b LIMIT 3": "SELECT a FROM t ORDER BY b "},
)
def drop_limit(node: Limit, gold: Gold) -> Iterator[Edit]:
    """All rows.

    Catches databases with no more rows than the limit.
    """
    yield gold.replace(node, "")
