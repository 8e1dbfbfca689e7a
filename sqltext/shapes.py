"""The shape of every node: its structural form with table names for aliases and no inner queries.

T1, T2... say where a source stands, so dropping a table renames all that follow it. Two queries are
compared by these texts instead, in which a column keeps its name while its table stays.
"""

from __future__ import annotations

from sqltext.clauses import QuerySource, TableSource
from sqltext.expressions import Node
from sqltext.form_printer import Printer
from sqltext.lexer import fold
from sqltext.scope import Scopes, Source

QUERY = "query"


class ShapePrinter(Printer):
    """Prints shapes."""

    def __init__(self, scopes: Scopes) -> None:
        super().__init__(scopes, abstract=True)
        self.labels = labels(scopes)

    def alias(self, source: Source) -> str:
        """The name of its table, and which one of that name it is."""
        return self.labels.get(source, "")

    def query(self, node: Node) -> str:
        """An inner query is compared on its own."""
        return QUERY


def labels(scopes: Scopes) -> dict[Source, str]:
    """A name for each source that does not depend on the other tables of the query.

    The second source of one name is called ``name#2``, counting those of the SELECTs around it.
    """
    found: dict[Source, str] = {}
    counts: dict[Node, dict[str, int]] = {}
    for select in scopes.sources:
        _label(scopes, select, found, counts)
    return found


def _label(
    scopes: Scopes, select: Node, found: dict[Source, str], counts: dict[Node, dict[str, int]]
) -> dict[str, int]:
    """Label the sources of ``select``; gives how many there are of each name, outer ones too."""
    if select in counts:
        return counts[select]
    outer = scopes.outer[select]
    seen = {} if outer is None else dict(_label(scopes, outer, found, counts))
    counts[select] = seen
    for source in scopes.sources[select]:
        name = _table_name(source)
        seen[name] = seen.get(name, 0) + 1
        found[source] = name if seen[name] == 1 else f"{name}#{seen[name]}"
    return seen


def next_label(scopes: Scopes, select: Node, source: Source) -> str:
    """The label of a source that comes behind all others of ``select``."""
    name, count = _table_name(source), 1
    at: Node | None = select
    while at is not None:
        count += sum(_table_name(other) == name for other in scopes.sources[at])
        at = scopes.outer[at]
    return name if count == 1 else f"{name}#{count}"


def _table_name(source: Source) -> str:
    if isinstance(source.node, QuerySource):
        return QUERY
    return source.table_name or _cte_name(source.node)


def _cte_name(node: Node) -> str:
    return fold(node.names[-1]) if isinstance(node, TableSource) else ""
