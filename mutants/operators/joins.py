"""SC.JOI: join types."""

from collections.abc import Iterator

from mutants.gold import Edit, Gold
from mutants.operator import operator
from sqltext.clauses import Join
from sqltext.lexer import fold

_SIDES = ("LEFT", "RIGHT", "FULL")


@operator(
    "SC.JOI",
    Join,
    examples={
        "SELECT a FROM t JOIN u ON t.id = u.t_id": "SELECT a FROM t LEFT JOIN u ON t.id = u.t_id",
        "SELECT a FROM t LEFT OUTER JOIN u ON t.id = u.t_id": (
            "SELECT a FROM t INNER JOIN u ON t.id = u.t_id"
        ),
    },
)
def replace_join(node: Join, gold: Gold) -> Iterator[Edit]:
    """Keep the rows without a partner on the left, on the right, on both sides, or on neither.

    Catches databases where every row has its partner.
    """
    words = node.op.split()
    natural = "NATURAL " if "NATURAL" in words else ""
    if node.on is None and not node.using and not natural:
        return
    side = next((word for word in _SIDES if word in words), "INNER")
    for other in ("INNER", *_SIDES):
        if other != side:
            yield gold.replace_tokens((node.first, node.op_last), f"{natural}{other} JOIN", node)


@operator(
    "SC.JOI",
    Join,
    examples={
        "SELECT a FROM t JOIN u ON t.id = u.t_id WHERE c > 1": (
            "SELECT a FROM t CROSS JOIN u WHERE c > 1"
        ),
    },
)
def forget_condition(node: Join, gold: Gold) -> Iterator[Edit]:
    """Join every row with every row: in SQLite a CROSS JOIN keeps its ON, so that goes too.

    Catches databases with one row on either side.
    """
    shares = node.using or "NATURAL" in node.op.split()
    if node.on is not None or (shares and not _has_shared_names(gold, node)):
        yield gold.replace(node, f"CROSS JOIN {gold.text(node.source)}")


def _has_shared_names(gold: Gold, node: Join) -> bool:
    """Whether a bare name means a column that two tables have, and that only the join makes one."""
    sources = gold.scopes.sources.get(gold.home(node), [])
    bare = (fold(column.names[0]) for column in gold.scopes.columns if len(column.names) == 1)
    return any(sum(source.has(name) for source in sources) > 1 for name in bare)
