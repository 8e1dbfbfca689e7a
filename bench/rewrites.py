"""Rewrites that cannot change an answer, in SQLite's three-valued logic, affinities and all.

Each takes a node of a gold and gives the text that stands in its place, or None. They are what the
comparator is held against: a gold and its rewrite are tied on every database.
"""

from collections.abc import Callable, Iterator
from typing import TypeGuard

from sqltext.clauses import Having, On, Where
from sqltext.expressions import (
    Between,
    Collate,
    Comparison,
    Expression,
    In,
    Like,
    Logical,
    Node,
    Not,
    NullTest,
    Paren,
    Row,
)
from sqltext.parse import Parsed
from sqltext.scope import Scopes

Rewrite = Callable[[Parsed, Node], str | None]
_OTHER_SIDE = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def rewrites(scopes: Scopes) -> Iterator[tuple[str, str]]:
    """(name, query) for every rewrite of every node of a condition.

    Only below WHERE, HAVING and ON: elsewhere an expression can be a position, a name or a key.
    Where the schema or the query names a collation, none is given: the left operand's holds.
    """
    parsed = scopes.parsed
    named = any(any(table.collations) for table in scopes.schema.tables.values())
    if named or any(isinstance(node, Collate) for node in parsed.nodes):
        return
    for node in parsed.nodes:
        if isinstance(node, Expression) and _in_condition(node):
            for name, rewrite in REWRITES.items():
                written = rewrite(parsed, node)
                if written is not None:
                    start, end = parsed.start(node), parsed.end(node)
                    yield name, f"{parsed.sql[:start]}{written}{parsed.sql[end:]}"


def commuted(parsed: Parsed, node: Node) -> str | None:
    """``x AND y`` to ``y AND x``, and OR."""
    if not isinstance(node, Logical):
        return None
    return f"(({parsed.text(node.right)}) {node.op} ({parsed.text(node.left)}))"


def de_morgan(parsed: Parsed, node: Node) -> str | None:
    """``x AND y`` to ``NOT (NOT x OR NOT y)``, and OR."""
    if not isinstance(node, Logical):
        return None
    op = "OR" if node.op == "AND" else "AND"
    return f"(NOT ((NOT ({parsed.text(node.left)})) {op} (NOT ({parsed.text(node.right)}))))"


def turned(parsed: Parsed, node: Node) -> str | None:
    """``x = y`` to ``y = x``, ``x < y`` to ``y > x``."""
    if not _is_plain(node):
        return None
    op = _OTHER_SIDE[node.op]
    return f"(({parsed.text(node.right)}) {op} ({parsed.text(node.left)}))"


def denied(parsed: Parsed, node: Node) -> str | None:
    """``x < y`` to ``NOT (x >= y)``: unknown stays unknown."""
    if not _is_plain(node):
        return None
    op = _OPPOSITE[node.op]
    return f"(NOT (({parsed.text(node.left)}) {op} ({parsed.text(node.right)})))"


def bounds(parsed: Parsed, node: Node) -> str | None:
    """``x BETWEEN y AND z`` to ``x >= y AND x <= z``, denied where it says NOT."""
    if not isinstance(node, Between) or isinstance(node.operand, Row):
        return None
    value, low, high = map(parsed.text, (node.operand, node.low, node.high))
    both = f"(({value}) >= ({low}) AND ({value}) <= ({high}))"
    return f"(NOT {both})" if node.negated else both


def wrapped(parsed: Parsed, node: Node) -> str | None:
    """A condition in two pairs of parentheses."""
    conditions = Comparison | Logical | Like | Between | In | NullTest | Not
    return f"(({parsed.text(node)}))" if isinstance(node, conditions) else None


REWRITES: dict[str, Rewrite] = {
    rewrite.__name__: rewrite for rewrite in (commuted, de_morgan, turned, denied, bounds, wrapped)
}


def _is_plain(node: Node) -> TypeGuard[Comparison]:
    """A comparison of two single values, by one of the six relations."""
    if not isinstance(node, Comparison) or node.op not in _OPPOSITE:
        return False
    return not (isinstance(_bare(node.left), Row) or isinstance(_bare(node.right), Row))


def _bare(node: Node) -> Node:
    while isinstance(node, Paren):
        node = node.operand
    return node


def _in_condition(node: Node) -> bool:
    at = node.parent
    while at is not None and not isinstance(at, Where | Having | On):
        at = at.parent
    return at is not None
