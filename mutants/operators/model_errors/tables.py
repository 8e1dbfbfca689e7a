"""X.TBS: a table for another."""

from collections.abc import Iterator

from mutants.families import family_in
from mutants.gold import Edit, Gold
from mutants.names import quoted, similarity
from mutants.operator import operator
from mutants.spelling import source_name
from mutants.tables import clashes, columns_read, has_star, is_named
from sqltext.clauses import TableSource
from sqltext.lexer import fold
from sqltext.schema import TableSchema

_OTHERS = 2  # tables, nearest names first


@operator(
    "X.TBS",
    TableSource,
    examples={
        "SELECT id FROM t": "SELECT id FROM u",
        "SELECT t.id FROM t WHERE t.id > 2": "SELECT t.id FROM u AS t WHERE t.id > 2",
    },
)
def swap_table(node: TableSource, gold: Gold) -> Iterator[Edit]:
    """Read another table that has the same columns, as far as the query reads them.

    Catches databases where both tables hold the same there.
    """
    source = gold.scopes.by_node[node]
    read = columns_read(gold, source)
    if source.table is None or not read or len(node.names) > 1 or has_star(gold, node):
        return
    near = gold.scopes.sources.get(gold.home(node), [])
    if any(other.name == source.name for other in near if other is not source):
        return
    mine = source.table
    others = [table for table in gold.schema.tables.values() if _fits(mine, table, read)]
    others.sort(key=lambda table: -similarity(fold(mine.name), fold(table.name)))
    for other in [t for t in others if not clashes(gold, t, instead=source)][:_OTHERS]:
        text = quoted(other.name)
        if not node.alias and is_named(gold, source):
            text = f"{text} AS {quoted(source_name(source))}"
        yield gold.replace_tokens((node.first, node.first), text, node)


def _fits(mine: TableSchema, other: TableSchema, read: set[str]) -> bool:
    """Whether another table has all columns that are read, of the same families."""
    if other is mine or not all(name in other.folded for name in read):
        return False
    return all(family_in(mine, name) == family_in(other, name) for name in read)
