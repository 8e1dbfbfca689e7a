"""IR.IRC, IR.IRH: columns for other columns."""

from collections.abc import Iterator

from mutants.columns import source_of
from mutants.gold import Edit, Gold
from mutants.neighbors import hidden_columns, referenced_columns
from mutants.operator import operator
from mutants.queries import is_read_by_name
from mutants.spelling import column_at
from sqltext.expressions import Column

_REFERENCED, _HIDDEN = 4, 3  # at most, nearest names first


@operator(
    "IR.IRC",
    Column,
    examples={
        "SELECT a FROM t WHERE c > 1": "SELECT c FROM t WHERE c > 1",
        "SELECT T1.a FROM t AS T1 JOIN u AS T2 ON T1.id = T2.t_id": (
            "SELECT T2.t_id FROM t AS T1 JOIN u AS T2 ON T1.id = T2.t_id"
        ),
    },
)
def replace_column(node: Column, gold: Gold) -> Iterator[Edit]:
    """Take another column that the query reads and that holds values of the same family.

    Catches databases where the two columns hold the same.
    """
    if gold.in_on(node) or is_read_by_name(node):
        return
    for other in referenced_columns(gold, node)[:_REFERENCED]:
        text = column_at(gold, node, other.source, other.name, other.word)
        if text is not None:
            yield gold.replace(node, text)


@operator("IR.IRH", Column, examples={"SELECT b FROM t": "SELECT e FROM t"})
def take_hidden_column(node: Column, gold: Gold) -> Iterator[Edit]:
    """Take another column of the table, of the same family, that the query does not read.

    Catches databases where the two columns hold the same.
    """
    found = source_of(gold.scopes, node)
    if found is None or gold.in_on(node) or is_read_by_name(node):
        return
    for name in hidden_columns(gold, node)[:_HIDDEN]:
        text = column_at(gold, node, found[0], name)
        if text is not None:
            yield gold.replace(node, text)
