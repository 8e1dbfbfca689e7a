"""Which aggregates a SELECT has, what it groups by, and which of its columns are bare."""

from __future__ import annotations

from collections.abc import Iterator

from sqltext.clauses import GroupBy, Item, OrderBy, Query, Select, Star
from sqltext.dependencies import Attribute, Dependencies
from sqltext.expressions import Call, Column, Expression, Literal, Node
from sqltext.form_printer import bare
from sqltext.lexer import fold
from sqltext.scope import Scopes, Source
from sqltext.terms import is_aggregate


def aggregates(scopes: Scopes) -> dict[Node, list[Call]]:
    """The aggregate calls of each SELECT: of the innermost one whose columns they are over."""
    found: dict[Node, list[Call]] = {}
    for node in scopes.parsed.nodes:
        if isinstance(node, Call) and is_aggregate(node):
            select = _owner(scopes, node)
            if select is not None:
                found.setdefault(select, []).append(node)
    return found


def _owner(scopes: Scopes, call: Call) -> Select | None:
    around = list(selects_around(call))
    over = {
        id(scopes.columns[node].source)
        for argument in call.arguments
        for node in below(argument)
        if isinstance(node, Column) and scopes.columns[node].source is not None
    }
    for select in around if over else []:
        if any(id(source) in over for source in scopes.sources[select]):
            return select
    return around[0] if around else None


def selects_around(node: Node) -> Iterator[Select]:
    """The SELECTs that ``node`` stands in, inner first; an ORDER BY belongs to its SELECT."""
    child, at = node, node.parent
    while at is not None:
        if isinstance(at, Select):
            yield at
        elif isinstance(at, Query) and child is at.order and len(at.cores) == 1:
            core = at.cores[0]
            if isinstance(core, Select):
                yield core
        child, at = at, at.parent


def below(node: Node) -> Iterator[Node]:
    """``node`` and all under it, inner queries too."""
    stack = [node]
    while stack:
        at = stack.pop()
        yield at
        stack += at.parts()


def named_item(select: Select, node: Node) -> Item | None:
    """The item that a position or an alias in GROUP BY or ORDER BY stands for."""
    inner = bare(node)
    if isinstance(inner, Literal) and inner.kind == "number" and inner.text.isdigit():
        at = int(inner.text) - 1
        plain = [item for item in select.items if isinstance(item, Item)]
        return plain[at] if at < len(plain) == len(select.items) else None
    if isinstance(inner, Column) and len(inner.names) == 1:
        name = fold(inner.names[0])
        return next(
            (i for i in select.items if isinstance(i, Item) and fold(i.alias) == name), None
        )
    return None
