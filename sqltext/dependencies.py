"""Which columns of a SELECT's rows fix which others: closure over declared keys (rule E-KEY).

What is not sure is left out, so that the closure may be too small and is never too large.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field

from sqltext.clauses import From, Join, NestedSource, Select
from sqltext.expressions import (
    Column,
    Comparison,
    Expression,
    Literal,
    Logical,
    Node,
    NullTest,
    Unary,
)
from sqltext.form_printer import bare
from sqltext.lexer import fold
from sqltext.schema import TableSchema
from sqltext.scope import Scopes, Source

Attribute = tuple[Source, str]


@dataclass(slots=True)
class Dependencies:
    """What holds between the columns of one SELECT's rows, before they are grouped.

    ``sure`` is false where the sources are joined in a way that is not looked into.
    """

    sources: list[Source]
    constants: set[Attribute] = field(default_factory=set)
    equalities: list[tuple[Attribute, Attribute]] = field(default_factory=list)
    sure: bool = True

    def closure(self, attributes: Iterable[Attribute]) -> set[Attribute]:
        """All columns that have one value where those of ``attributes`` have one."""
        found = self.constants | set(attributes)
        size = -1
        while len(found) != size:
            size = len(found)
            for left, right in self.equalities:
                if left in found or right in found:
                    found |= {left, right}
            for source in self.sources:
                if self._key_in(source, found):
                    found |= _columns(source)
        return found

    def one_row(self, found: Set[Attribute | str]) -> bool:
        """Whether the columns of ``found`` single out one row: they have a key of every source."""
        return self.sure and all(self._key_in(source, found) for source in self.sources)

    def _key_in(self, source: Source, found: Set[Attribute | str]) -> bool:
        keys = () if source.table is None else source.table.keys
        return any(all((source, name) in found for name in key) for key in keys)


def _columns(source: Source) -> set[Attribute]:
    return {(source, name) for name in source.columns or ()}


def dependencies(scopes: Scopes, select: Select) -> Dependencies:
    """The dependencies of ``select``."""
    found = Dependencies(scopes.sources[select])
    if select.source is not None:
        _read_joins(scopes, select.source, found)
    if select.where is not None:
        _read_condition(scopes, select.where.condition, found)
    return found


def _read_joins(scopes: Scopes, source: From, found: Dependencies) -> None:
    """ON holds for every row of an inner join, whatever is joined to its left by LEFT JOIN."""
    nested = [source.source, *(join.source for join in source.joins)]
    outer = [join for join in source.joins if {"RIGHT", "FULL"} & set(join.op.split())]
    if outer or any(isinstance(node, NestedSource) for node in nested):
        found.sure = False
        return
    for join in source.joins:
        if "LEFT" in join.op.split():
            continue
        if join.on is not None:
            _read_condition(scopes, join.on.condition, found)
        _read_using(scopes, join, found)


def _read_using(scopes: Scopes, join: Join, found: Dependencies) -> None:
    """USING and NATURAL make equal what the first source that has the name and this one have."""
    right = scopes.by_node[join.source]
    names = (right.columns or ()) if "NATURAL" in join.op else map(fold, join.using)
    for name in names:
        left = next((source for source in found.sources if source.has(name)), None)
        if left is not None and left is not right:
            _equate((left, name), (right, name), found)


def _read_condition(scopes: Scopes, condition: Expression, found: Dependencies) -> None:
    for conjunct in _conjuncts(condition):
        if isinstance(conjunct, Comparison) and conjunct.op in ("=", "IS"):
            _read_equality(scopes, conjunct, found)
        elif isinstance(conjunct, NullTest) and not conjunct.negated:
            attribute = _own_column(scopes, conjunct.operand, found)
            if attribute is not None:
                found.constants.add(attribute)


def _conjuncts(condition: Expression) -> Iterator[Node]:
    stack: list[Node] = [condition]
    while stack:
        node = bare(stack.pop())
        if isinstance(node, Logical) and node.op == "AND":
            stack += (node.right, node.left)
        else:
            yield node


def _read_equality(scopes: Scopes, node: Comparison, found: Dependencies) -> None:
    left, right = _own_column(scopes, node.left, found), _own_column(scopes, node.right, found)
    if left is not None and right is not None:
        _equate(left, right, found)
    elif left is not None and _is_constant(scopes, node.right, left, found):
        found.constants.add(left)
    elif right is not None and _is_constant(scopes, node.left, right, found):
        found.constants.add(right)


def _equate(left: Attribute, right: Attribute, found: Dependencies) -> None:
    """Across affinities = is no equality of values: 1 = '1' and 1 = '01'."""
    if affinity(left) and affinity(left) == affinity(right):
        found.equalities.append((left, right))


def _own_column(scopes: Scopes, node: Expression, found: Dependencies) -> Attribute | None:
    resolved = _resolved_column(scopes, node)
    return resolved if resolved is not None and resolved[0] in found.sources else None


def _resolved_column(scopes: Scopes, node: Expression) -> Attribute | None:
    inner = bare(node)
    if not isinstance(inner, Column):
        return None
    resolved = scopes.columns[inner]
    if resolved.kind != "column" or resolved.source is None:
        return None
    return (resolved.source, resolved.name)


def _is_constant(scopes: Scopes, node: Expression, other: Attribute, found: Dependencies) -> bool:
    """A value written out, or a column of a query around this one."""
    inner = bare(node)
    if isinstance(inner, Unary) and inner.op == "-":
        inner = bare(inner.operand)
    if isinstance(inner, Literal):
        return True
    if isinstance(inner, Column) and scopes.columns[inner].kind == "value":
        return True
    outer = _resolved_column(scopes, node)
    return outer is not None and affinity(outer) == affinity(other) != ""


def affinity(attribute: Attribute) -> str:
    """``number``, ``text`` or ``none``, or an empty text where it is not known.

    Within one of them, equal values are the same value to a comparison of answers.
    """
    source, name = attribute
    table = source.table
    at = None if table is None else table.folded.get(name)
    if table is None or at is None or at >= len(table.types):
        return ""
    return _declared(table, at)


def _declared(table: TableSchema, at: int) -> str:
    """https://sqlite.org/datatype3.html, section 3.1."""
    words = table.types[at].upper()
    if "INT" in words:
        return "number"
    if any(word in words for word in ("CHAR", "CLOB", "TEXT")):
        return "text"
    return "none" if "BLOB" in words or not words.strip() else "number"
