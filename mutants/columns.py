"""What the column nodes of a query stand for: whose they are, their family, whether NULL may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mutants.families import NUMBER, TEXT, family_of_type
from sqltext.clauses import (
    Cte,
    From,
    Item,
    Join,
    NestedSource,
    Query,
    QuerySource,
    Select,
    TableSource,
)
from sqltext.expressions import Binary, Call, Cast, Column, Expression, Literal, Node, Paren
from sqltext.lexer import fold
from sqltext.parse import Parsed
from sqltext.schema import ROWID, TableSchema
from sqltext.scope import Scopes, Source

_FAMILY_OF_CALL = {
    **dict.fromkeys(("count", "sum", "avg", "total", "abs", "round", "length"), NUMBER),
    **dict.fromkeys(("upper", "lower", "trim", "substr", "strftime", "group_concat"), TEXT),
}
_FAMILY_OF_LITERAL = {"number": NUMBER, "bool": NUMBER, "string": TEXT}
_FIRST_ARGUMENT = frozenset(("min", "max", "coalesce", "ifnull", "nullif"))
_DEPTH = 20  # queries in queries that a name is followed through

Home = tuple[int, int, Node]
Known = tuple[TableSchema, int]
"""A column of a table: the table and the column's place in it."""


def homes(parsed: Parsed) -> list[Home]:
    """The tokens of each SELECT and query, inner ones first, and whose names are read there first.

    An ORDER BY reads the names of its SELECT; that of a compound reads the query's.
    """
    found: list[Home] = []
    for node in parsed.nodes:
        if isinstance(node, Select):
            found.append((node.first, node.last, node))
        elif isinstance(node, Query):
            core = node.cores[0]
            single = len(node.cores) == 1 and isinstance(core, Select)
            found.append((node.first, node.last, core if single else node))
    return found


def home_of(homes: Sequence[Home], node: Node) -> Node:
    """The SELECT whose names ``node`` reads first; spans, not parents: a chain of OR is deep."""
    return next(home for first, last, home in homes if first <= node.first <= last)


class Read(NamedTuple):
    """A column that a query reads, by its folded name; ``word`` is how its author writes it."""

    source: Source
    name: str
    family: str | None
    word: str


def reads(scopes: Scopes, homes: Sequence[Home]) -> dict[Node, list[Read]]:
    """The different columns that each SELECT reads, in the order of the text."""
    found: dict[Node, list[Read]] = {}
    seen: set[tuple[Node, Source, str]] = set()
    for node, resolved in scopes.columns.items():
        home, source, name = home_of(homes, node), resolved.source, resolved.name
        if source is not None and resolved.kind == "column" and (home, source, name) not in seen:
            seen.add((home, source, name))
            word = "" if node.quote == "'" else _last_word(scopes.parsed, node)
            read = Read(source, name, family(scopes, source, name), word)
            found.setdefault(home, []).append(read)
    return found


def _last_word(parsed: Parsed, node: Column) -> str:
    return parsed.sql[parsed.tokens.starts[node.last] : parsed.tokens.ends[node.last]]


def source_of(scopes: Scopes, node: Node) -> tuple[Source, str] | None:
    """The source and the folded name of a column node, where both are known."""
    found = scopes.columns.get(node) if isinstance(node, Column) else None
    if found is None or found.kind != "column" or found.source is None:
        return None
    return found.source, found.name


def known(scopes: Scopes, source: Source, name: str) -> Known | None:
    """The table's column behind a source's: queries and CTEs are looked through."""
    for _ in range(_DEPTH):
        if source.table is not None:
            at = source.table.folded.get(name)
            return None if at is None else (source.table, at)
        value = _value_behind(scopes, source, name)
        found = None if value is None else source_of(scopes, value)
        if found is None:
            return None
        source, name = found
    return None


def family(scopes: Scopes, source: Source, name: str, depth: int = 0) -> str | None:
    """The family of a source's column, or None where it is not known."""
    found = known(scopes, source, name)
    if found is not None:
        table, at = found
        return family_of_type(table.types[at]) if table.types else None
    if source.table is not None:
        return NUMBER if name in ROWID else None
    value = _value_behind(scopes, source, name)
    return None if value is None or depth > _DEPTH else family_of(scopes, value, depth + 1)


def family_of(scopes: Scopes, node: Expression, depth: int = 0) -> str | None:
    """The family of an expression's values, or None where it is not known."""
    if isinstance(node, Column):
        found = scopes.columns[node]
        if found.source is not None:
            return family(scopes, found.source, found.name, depth)
        return TEXT if found.kind == "value" else None
    if isinstance(node, Literal):
        return _FAMILY_OF_LITERAL.get(node.kind)
    if isinstance(node, Cast):
        return family_of_type(node.type_name)
    if isinstance(node, Binary):
        return TEXT if node.op in ("||", "->", "->>") else NUMBER
    if isinstance(node, Paren):
        return family_of(scopes, node.operand, depth)
    return _family_of_call(scopes, node, depth) if isinstance(node, Call) else None


def _family_of_call(scopes: Scopes, node: Call, depth: int) -> str | None:
    name = fold(node.name)
    if name in _FIRST_ARGUMENT and node.arguments:
        return family_of(scopes, node.arguments[0], depth)
    return _FAMILY_OF_CALL.get(name)


def is_nullable(scopes: Scopes, source: Source, name: str) -> bool:
    """Whether a source's column may be NULL: by its declaration, or as an outer join makes it so.

    A member of a key is taken not to be: SQLite lets NULL into a TEXT primary key, people do not.
    """
    if _on_a_null_side(source.node):
        return True
    found = known(scopes, source, name)
    if found is None:
        return False
    table, at = found
    declared = bool(table.not_null) and table.not_null[at]
    name = fold(table.columns[at])
    return not declared and not any(name in key for key in table.keys)


def _on_a_null_side(node: Node) -> bool:
    """Whether an outer join fills this source of a FROM with NULL where it has no partner."""
    at = node
    while at.parent is not None and not isinstance(at, Select):
        around = at.parent
        if isinstance(around, Join) and _has_side(around, "LEFT"):
            return True
        if isinstance(around, From | NestedSource):
            later = (join for join in around.joins if join.first > at.last)
            if any(_has_side(join, "RIGHT") for join in later):
                return True
        at = around
    return False


def _has_side(join: Join, side: str) -> bool:
    words = join.op.split()
    return side in words or "FULL" in words


def _value_behind(scopes: Scopes, source: Source, name: str) -> Expression | None:
    """The expression that gives a column of a query in a FROM, or of a CTE."""
    query = _query_of(source)
    if query is None or source.columns is None or name not in source.columns:
        return None
    core = query.cores[0]
    if not isinstance(core, Select):
        return None
    at = source.columns.index(name)
    if not all(isinstance(item, Item) for item in core.items[: at + 1]) or at >= len(core.items):
        return None
    item = core.items[at]
    return item.value if isinstance(item, Item) else None


def _query_of(source: Source) -> Query | None:
    node = source.node
    if isinstance(node, QuerySource):
        return node.query
    for cte in _ctes_around(node):
        if fold(cte.name) == source_table(source):
            return cte.query
    return None


def source_table(source: Source) -> str:
    """The folded name of the table or CTE that a source reads."""
    node = source.node
    return fold(node.names[-1]) if isinstance(node, TableSource) else ""


def _ctes_around(node: Node) -> Iterator[Cte]:
    at: Node | None = node
    while at is not None:
        if isinstance(at, Query) and at.with_ is not None:
            yield from at.with_.ctes
        at = at.parent
