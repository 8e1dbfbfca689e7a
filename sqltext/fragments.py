"""Pieces of a query read on their own, for what is put in the place of a piece."""

from __future__ import annotations

from sqltext.clauses import Join, Limit, OrderTerm
from sqltext.expressions import Node
from sqltext.grammar import Grammar


def read_as(node: Node, text: str) -> tuple[Node, list[Node]]:
    """``text`` read as a node of the kind that ``node`` is, with all nodes in it.

    Raises `sqltext.errors.NotAQuery` where it is none, or more than one.
    """
    grammar = Grammar(text)
    if isinstance(node, OrderTerm):
        root: Node = grammar.order_term()
    elif isinstance(node, Limit):
        root = grammar.limit()
    else:
        root = grammar.expression()
    return root, _whole(grammar)


def read_items(text: str) -> tuple[list[Node], list[Node]]:
    """``text`` read as the items of a SELECT, with all nodes in them."""
    grammar = Grammar(text)
    return grammar.items(), _whole(grammar)


def read_join(text: str) -> tuple[Join, list[Node]]:
    """``text`` read as one table more in a FROM, with the operator before it."""
    grammar = Grammar(text)
    return grammar.join(), _whole(grammar)


def _whole(grammar: Grammar) -> list[Node]:
    grammar.end()
    for node in grammar.nodes:
        for part in node.parts():
            part.parent = node
    return grammar.nodes
