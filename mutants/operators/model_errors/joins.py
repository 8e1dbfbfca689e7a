"""X.JTD, X.JTA: a table less in a FROM, or one more."""

from collections.abc import Callable, Iterator

from mutants.gold import Edit, Gold
from mutants.names import quoted
from mutants.operator import operator
from mutants.spelling import column_at
from mutants.tables import Reference, clashes, has_star, is_read, references_from, references_to
from sqltext.clauses import From, Join, Select
from sqltext.lexer import fold
from sqltext.schema import Schema
from sqltext.scope import Source

References = Callable[[Schema, str], tuple[Reference, ...]]


@operator(
    "X.JTD",
    Join,
    examples={"SELECT b FROM t JOIN u ON t.id = u.t_id": "SELECT b FROM t "},
)
def drop_join(node: Join, gold: Gold) -> Iterator[Edit]:
    """Leave out a table of which nothing else is read.

    Catches databases where every row has just one partner there.
    """
    if not has_star(gold, node) and not is_read(gold, node.source, node):
        yield gold.replace(node, "")


@operator(
    "X.JTD",
    From,
    examples={"SELECT x FROM t JOIN u ON t.id = u.t_id": "SELECT x FROM u"},
)
def drop_first_table(node: From, gold: Gold) -> Iterator[Edit]:
    """Leave out the first table, where only the condition that joins it to the next one reads it.

    Catches databases where every row has just one partner there.
    """
    if not node.joins or has_star(gold, node):
        return
    join = node.joins[0]
    if join.on is not None and not is_read(gold, node.source, join.on):
        yield gold.replace_tokens((node.source.first, join.last), gold.text(join.source))


@operator(
    "X.JTA",
    From,
    examples={"SELECT b FROM t": "SELECT b FROM t JOIN u ON u.t_id = t.id"},
)
def add_join(node: From, gold: Gold) -> Iterator[Edit]:
    """Join the first table that a foreign key leads to, or comes from, and read nothing of it.

    Catches databases where every row has just one partner there.
    """
    select = node.parent
    sources = gold.scopes.sources.get(select, []) if isinstance(select, Select) else []
    if has_star(gold, node) or any(source.columns is None for source in sources):
        return
    last = node.joins[-1] if node.joins else node.source
    for references in (references_from, references_to):
        text = next(_additions(gold, node, sources, references), None)
        if text is not None:
            yield gold.replace(last, f"{gold.text(last)} {text}")


def _additions(
    gold: Gold, node: From, sources: list[Source], references: References
) -> Iterator[str]:
    every = gold.scopes.by_node.values()
    taken = {name for source in every for name in (source.name, source.table_name)}
    for source in sources:
        known = references(gold.schema, fold(source.table_name)) if source.table else ()
        for reference in known:
            if fold(reference.table.name) not in taken and not clashes(gold, reference.table):
                yield from _join_text(gold, node, source, reference)


def _join_text(gold: Gold, node: From, source: Source, reference: Reference) -> Iterator[str]:
    table = quoted(reference.table.name)
    sides = []
    for own, other in zip(reference.own, reference.other, strict=True):
        mine = column_at(gold, node, source, fold(own))
        if mine is None:
            return
        sides.append(f"{table}.{quoted(other)} = {mine}")
    yield f"JOIN {table} ON {' AND '.join(sides)}"
