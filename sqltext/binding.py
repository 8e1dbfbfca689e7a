"""How tightly each operation binds, and how tightly what stands in a place has to bind."""

from __future__ import annotations

from sqltext.expressions import (
    Between,
    Binary,
    Collate,
    Comparison,
    In,
    Like,
    Logical,
    Node,
    Not,
    NullTest,
    Unary,
)

_OR, _AND, _NOT, _EQUAL, _ORDER, _BITS, _SUM, _PRODUCT, _JOINED, _COLLATE, _UNARY, _CLOSED = range(
    1, 13
)
_BINARY = {
    **dict.fromkeys(("&", "|", "<<", ">>"), _BITS),
    **dict.fromkeys(("+", "-"), _SUM),
    **dict.fromkeys(("*", "/", "%"), _PRODUCT),
    **dict.fromkeys(("||", "->", "->>"), _JOINED),
}
_OTHERS: dict[type[Node], int] = {
    **dict.fromkeys((Like, Between, In, NullTest), _EQUAL),
    Not: _NOT,
    Collate: _COLLATE,
    Unary: _UNARY,
}

OR_POWER, AND_POWER, NOT_POWER, EQUAL_POWER, ORDER_POWER = _OR, _AND, _NOT, _EQUAL, _ORDER
SUM_POWER, PRODUCT_POWER, UNARY_POWER, CLOSED_POWER = _SUM, _PRODUCT, _UNARY, _CLOSED


_COMPARISONS = {
    **dict.fromkeys(("=", "<>"), _EQUAL),
    **dict.fromkeys(("<", "<=", ">", ">="), _ORDER),
}


def operator_power(kind: type[Node], op: str) -> int | None:
    """How tightly an operator of marks binds in a node of that kind; None for any other text.

    Texts that a node keeps in another spelling are among the others.
    """
    known = _COMPARISONS if kind is Comparison else _BINARY
    return known.get(op)


def power_of(node: Node) -> int:
    """How tightly ``node`` binds; what is closed by its own marks binds tightest."""
    if isinstance(node, Logical):
        return _AND if node.op == "AND" else _OR
    if isinstance(node, Comparison):
        return _ORDER if node.op in ("<", "<=", ">", ">=") else _EQUAL
    if isinstance(node, Binary):
        return _BINARY[node.op]
    return _OTHERS.get(type(node), _CLOSED)


def slot(node: Node) -> int:
    """How tightly what stands in ``node``'s place has to bind, for its parent to keep its shape."""
    parent = node.parent
    if isinstance(parent, Logical | Comparison | Binary):
        return power_of(parent) + (node is parent.right)
    if isinstance(parent, Not | Unary):
        return power_of(parent)
    if isinstance(parent, Like | Collate | NullTest):
        leftmost = parent.parts()[0] is node
        return power_of(parent) + (not leftmost)
    if isinstance(parent, In | Between):
        return _between_slot(parent, node)
    return _OR


def _between_slot(parent: In | Between, node: Node) -> int:
    """The list of an IN is closed; the low end of a BETWEEN ends at the AND."""
    if node is parent.operand:
        return _EQUAL
    if isinstance(parent, In):
        return _OR
    return _NOT if node is parent.low else _ORDER
