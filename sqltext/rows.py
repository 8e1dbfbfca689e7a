"""What is known of the rows a SELECT makes: what its expressions are, and what fixes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from sqltext.clauses import Item, Query, Select, Star
from sqltext.dependencies import Attribute, Dependencies, affinity, dependencies
from sqltext.expressions import Call, Collate, Column, Expression, Literal, Node
from sqltext.form_printer import Printer, bare
from sqltext.forms import print_nodes
from sqltext.lexer import fold
from sqltext.nondeterminism import CHANCE
from sqltext.scope import Scopes
from sqltext.terms import is_aggregate

# A column of a source, or the exact form of any other expression.
Value = Attribute | str


@dataclass(slots=True)
class Rows:
    """Reads the rows of one query's SELECTs.

    ``plain``: text is equal only if its bytes are, as there is no COLLATE here or in the tables.
    """

    scopes: Scopes
    exact: list[str]
    aggregates: dict[Select, list[Call]]
    plain: bool
    known: dict[Select, Dependencies] = field(default_factory=dict)
    written: dict[str, Node] = field(default_factory=dict)

    def dependencies(self, select: Select) -> Dependencies:
        """What holds between the columns of ``select``; nothing where text is not plain."""
        if select not in self.known:
            found = dependencies(self.scopes, select)
            self.known[select] = found if self.plain else Dependencies(found.sources, sure=False)
        return self.known[select]

    def value(self, select: Select, node: Expression) -> Value:
        """What an expression of ``select`` is; an alias is what it stands for."""
        inner = _unaliased(self.scopes, select, bare(node))
        if isinstance(inner, Column):
            resolved = self.scopes.columns[inner]
            if resolved.kind == "column" and resolved.source is not None:
                return (resolved.source, resolved.name)
        text = self.exact[inner.at]
        self.written[text] = inner
        return text

    def key(self, select: Select, node: Expression) -> Value:
        """What a term of GROUP BY or ORDER BY is; a number is the position of an output."""
        at = position(node)
        if at is None:
            return self.value(select, node)
        outputs = self.outputs(select)
        return outputs[at] if outputs is not None and at < len(outputs) else "?"

    def outputs(self, select: Select) -> list[Value] | None:
        """The columns of the answer, or None where a star hides them."""
        found: list[Value] = []
        for item in select.items:
            if isinstance(item, Star):
                columns = self.starred(select, item)
                if columns is None:
                    return None
                found += columns
            elif isinstance(item, Item):
                found.append(self.value(select, item.value))
        return found

    def starred(self, select: Select, star: Star) -> list[Value] | None:
        """The columns of a star, or None where they are not known, or joined to fewer."""
        if _merges_columns(select):
            return None
        found: list[Value] = []
        for source in self.scopes.sources[select]:
            if star.table and source.name != fold(star.table):
                continue
            if source.columns is None:
                return None
            found += [(source, name) for name in source.columns]
        return found

    def determined(self, value: Value, found: Collection[Value]) -> bool:
        """Whether ``value`` has one value where all of ``found`` have one."""
        if value in found:
            return True
        return isinstance(value, str) and self._derived(value, found)

    def _derived(self, text: str, found: Collection[Value]) -> bool:
        node = self.written.get(text)
        return node is not None and all(self._repeats(part, found) for part in below(node))

    def _repeats(self, node: Node, found: Collection[Value]) -> bool:
        """Whether ``node`` gives again what it gave, for the same values of its columns."""
        if isinstance(node, Column):
            resolved = self.scopes.columns[node]
            if resolved.kind == "value":
                return True
            attribute = None if resolved.source is None else (resolved.source, resolved.name)
            if attribute is None or attribute not in found:
                return False
            return affinity(attribute) in ("number", "text")
        if isinstance(node, Call):
            return not (is_aggregate(node) or node.window is not None or fold(node.name) in CHANCE)
        return not isinstance(node, Query)


def _merges_columns(select: Select) -> bool:
    joins = [] if select.source is None else select.source.joins
    return any(join.using or "NATURAL" in join.op for join in joins)


def rows_of(scopes: Scopes) -> Rows:
    """The reader for a resolved query."""
    exact = print_nodes(scopes.parsed.nodes, Printer(scopes, abstract=False))
    return Rows(scopes, exact, _aggregates(scopes), _compares_bytes(scopes))


def position(node: Expression) -> int | None:
    """The output, counted from 0, that a number in GROUP BY or ORDER BY names."""
    inner = bare(node)
    if isinstance(inner, Literal) and inner.kind == "number" and inner.text.isdigit():
        return int(inner.text[:9]) - 1
    return None


def below(node: Node) -> Iterator[Node]:
    """``node`` and all under it, inner queries too."""
    stack = [node]
    while stack:
        at = stack.pop()
        yield at
        stack += at.parts()


def selects_around(node: Node) -> Iterator[Select]:
    """The SELECTs that ``node`` stands in, inner first; an ORDER BY belongs to its SELECT."""
    child, at = node, node.parent
    while at is not None:
        if isinstance(at, Select):
            yield at
        elif isinstance(at, Query) and child is at.order and isinstance(at.cores[-1], Select):
            yield at.cores[-1]
        child, at = at, at.parent


def _compares_bytes(scopes: Scopes) -> bool:
    if any(isinstance(node, Collate) for node in scopes.parsed.nodes):
        return False
    tables = (source.table for source in scopes.by_node.values())
    return not any(table is not None and any(table.collations) for table in tables)


def _unaliased(scopes: Scopes, select: Select, node: Node) -> Node:
    if isinstance(node, Column) and scopes.columns[node].kind == "alias":
        name = scopes.columns[node].name
        aliased = (i for i in select.items if isinstance(i, Item) and fold(i.alias) == name)
        item = next(aliased, None)
        return node if item is None else bare(item.value)
    return node


def _aggregates(scopes: Scopes) -> dict[Select, list[Call]]:
    """The aggregate calls of each SELECT: of the innermost one whose columns they are over."""
    found: dict[Select, list[Call]] = {}
    for node in scopes.parsed.nodes:
        if isinstance(node, Call) and is_aggregate(node):
            select = _owner(scopes, node)
            if select is not None:
                found.setdefault(select, []).append(node)
    return found


def _owner(scopes: Scopes, call: Call) -> Select | None:
    around = list(selects_around(call))
    over = [scopes.columns[node].source for node in below(call) if isinstance(node, Column)]
    over = [source for source in over if source is not None]
    for select in around if over else []:
        if any(source in over for source in scopes.sources[select]):
            return select
    return around[0] if around else None
