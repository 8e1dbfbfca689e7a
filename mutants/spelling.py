"""How a column or table is written at a place of a query, so that it means what is wanted there."""

from __future__ import annotations

from mutants.gold import Gold
from mutants.names import quoted
from sqltext.clauses import From, Item, QuerySource, Select, TableSource
from sqltext.expressions import Column, Node
from sqltext.lexer import fold
from sqltext.scope import Source


def column_at(gold: Gold, at: Node, source: Source, name: str, word: str = "") -> str | None:
    """A source's column as it is written in the place of ``at``, or None where it cannot be.

    It has a qualifier if the author used one there, or if it means another column without it; and
    in a FROM, where the next table may have a column of that name. ``word`` is its name as the
    author writes it elsewhere.
    """
    mark = at.quote if isinstance(at, Column) else '"'
    text = word or quoted(_declared(source, name), mark)
    found = gold.scopes.columns.get(at) if isinstance(at, Column) else None
    if isinstance(at, Column) and found is not None and found.source is source:
        if len(at.names) > 1:
            return _qualifier(gold, at) + text
    elif _hidden(gold, at, source):
        return None
    if not _is_qualified(at) and _means(gold, at, source, name):
        return text
    return f"{quoted(source_name(source), mark)}.{text}" if source.name else None


def source_name(source: Source) -> str:
    """The name that a source's columns are qualified by, as its author wrote it."""
    node = source.node
    if isinstance(node, TableSource):
        return node.alias or node.names[-1]
    return node.alias if isinstance(node, QuerySource) else source.name


def _declared(source: Source, name: str) -> str:
    """A folded name as its table declares it."""
    table = source.table
    return table.columns[table.folded[name]] if table and name in table.folded else name


def _qualifier(gold: Gold, at: Column) -> str:
    """What the author wrote before a column's last name, with the point."""
    tokens = gold.parsed.tokens
    return gold.parsed.sql[tokens.starts[at.first] : tokens.starts[at.last]]


def _is_qualified(at: Node) -> bool:
    return isinstance(at, From) or (isinstance(at, Column) and len(at.names) > 1)


def _hidden(gold: Gold, at: Node, source: Source) -> bool:
    """Whether another source of the place has the same name as this one."""
    near = gold.scopes.sources.get(gold.home(at), [])
    return any(other.name == source.name and other is not source for other in near)


def _means(gold: Gold, at: Node, source: Source, name: str) -> bool:
    """Whether the bare name is this source's column there, and nothing else."""
    home = gold.home(at)
    if not isinstance(home, Select):
        return False
    near = gold.scopes.sources[home]
    owners = [other for other in near if other.columns is None or name in other.columns]
    return owners == [source] and not any(
        isinstance(item, Item) and fold(item.alias) == name for item in home.items
    )
