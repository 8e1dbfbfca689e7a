"""A table more in a FROM, as a change that leaves every name the meaning it had.

A table that comes last moves no other table's number or label, unless an inner SELECT counts on
from there. What it might do is to make a name unclear, or to take one that was found further out.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqltext.clauses import From, Join, On, Select, Star, TableSource
from sqltext.expressions import Column, Node
from sqltext.lexer import fold
from sqltext.patches import Change
from sqltext.schema import ROWID
from sqltext.scope import Scopes, Source
from sqltext.shapes import next_label
from sqltext.sources import table_source


def may_grow(scopes: Scopes, node: From) -> bool:
    """Whether a table may be added behind all others of a FROM, with nothing but names to mind."""
    select = node.parent
    if not isinstance(select, Select) or not scopes.sources[select]:
        return False
    counted_on = any(outer is select for outer in scopes.outer.values())
    return not counted_on and not any(isinstance(item, Star) for item in select.items)


def added_source(scopes: Scopes, node: From, join: Join) -> Source | None:
    """The table that ``join`` adds to a FROM; None where it may change what a name means.

    ``join`` has to stand in the tree already; the FROM need not have it.
    """
    table, select = join.source, node.parent
    assert select is not None
    plain = join.op == "JOIN" and isinstance(join.on, On)
    if not plain or not isinstance(table, TableSource) or table.arguments is not None:
        return None
    source = table_source(scopes, table)
    if source.table is None or not leaves_alone(source, scopes.parsed.nodes):
        return None
    source.number = scopes.sources[select][-1].number + 1
    return source


def label_of(scopes: Scopes, node: From, source: Source) -> str:
    """What an added table is called in shapes."""
    assert node.parent is not None
    return next_label(scopes, node.parent, source)


def leaves_alone(source: Source, nodes: Iterable[Node]) -> bool:
    """Whether no name among the nodes can mean something else beside that table."""
    return not any(isinstance(node, Column) and _may_mean(source, node) for node in nodes)


def _may_mean(source: Source, node: Column) -> bool:
    if len(node.names) > 1:
        return fold(node.names[-2]) == source.name
    name = fold(node.names[0])
    return source.has(name) or name in ROWID


def together(one: Change, other: Change) -> bool:
    """Whether both can be made, and a table that one adds leaves the names of the other alone."""
    return one.apart_from(other) and _leaves_alone(one, other) and _leaves_alone(other, one)


def _leaves_alone(one: Change, other: Change) -> bool:
    if one.source is None:
        return True
    return all(leaves_alone(one.source, patch.fresh) for patch in other.patches)
