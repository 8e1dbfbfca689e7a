"""SC.WHR, SC.HAV, SC.GRU: whole clauses, and the keys of a grouping."""

from collections.abc import Iterator

from mutants.gold import Edit, Gold
from mutants.operator import operator
from mutants.queries import has_aggregate
from sqltext.clauses import GroupBy, Having, Query, Select, Where


@operator(
    "SC.WHR",
    Where,
    examples={"SELECT b FROM t WHERE a > 5": "SELECT b FROM t "},
)
def drop_where(node: Where, gold: Gold) -> Iterator[Edit]:
    """Take every row.

    Catches databases where every row meets the condition.
    """
    if isinstance(node.parent, Select):
        yield gold.replace(node, "")


@operator(
    "SC.HAV",
    Having,
    examples={
        "SELECT b FROM t GROUP BY b HAVING COUNT(*) > 1": "SELECT b FROM t GROUP BY b ",
    },
)
def drop_having(node: Having, gold: Gold) -> Iterator[Edit]:
    """Take every group.

    Catches databases where every group meets the condition.
    """
    yield gold.replace(node, "")


@operator(
    "SC.GRU",
    GroupBy,
    examples={
        "SELECT b, COUNT(*) FROM t GROUP BY b, e": "SELECT b, COUNT(*) FROM t GROUP BY b",
        "SELECT b, MAX(c) FROM t GROUP BY b HAVING COUNT(*) > 1": "SELECT b, MAX(c) FROM t ",
    },
)
def drop_group_key(node: GroupBy, gold: Gold) -> Iterator[Edit]:
    """Group by one key less; the last key takes GROUP BY and HAVING along.

    Catches databases where the other keys make the same groups, or all rows are one group.
    """
    if len(node.keys) > 1:
        for at in range(len(node.keys)):
            yield gold.drop_member(node.keys, at)
    elif isinstance(node.parent, Select) and not _needs_groups(node.parent):
        last = node.parent.having or node
        yield gold.replace_tokens((node.first, last.last), "")


def _needs_groups(select: Select) -> bool:
    """Whether the ORDER BY sums up rows that, without GROUP BY, nothing else would: an error."""
    query = select.parent
    order = query.order if isinstance(query, Query) else None
    return has_aggregate(order) and not has_aggregate(*select.items)
