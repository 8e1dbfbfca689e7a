"""The form of each kind of expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqltext.clauses import GroupBy, OrderTerm
from sqltext.expressions import (
    Between,
    Binary,
    Call,
    Case,
    Cast,
    Collate,
    Column,
    Comparison,
    Exists,
    Expression,
    In,
    Like,
    Literal,
    Logical,
    Node,
    Not,
    NullTest,
    Parameter,
    Paren,
    Row,
    Subquery,
    Unary,
    When,
)
from sqltext.form_printer import MARK, Printer, bare, name, number, text_value, type_name
from sqltext.lexer import unquote


def _literal(node: Literal, p: Printer) -> str:
    if node.kind in ("null", "now"):
        return node.text.lower()
    if p.abstract and not is_position(node):
        return MARK
    if node.kind == "number":
        return number(node.text)
    if node.kind == "string":
        return text_value(unquote(node.text))
    return node.text.lower()


def is_position(node: Literal) -> bool:
    """Whether a number names a column by its position, in ORDER BY or GROUP BY: no value."""
    return node.kind == "number" and isinstance(_outside(node), OrderTerm | GroupBy)


def _outside(node: Node) -> Node | None:
    at = node.parent
    while isinstance(at, Paren):
        at = at.parent
    return at


def _parameter(node: Parameter, _: Printer) -> str:
    return node.text


def _column(node: Column, p: Printer) -> str:
    found = p.scopes.columns[node]
    if found.kind == "value":
        return MARK if p.abstract else text_value(found.name)
    if found.source is not None:
        return f"{p.alias(found.source)}.{name(found.name)}"
    return ".".join(map(name, node.names))


def _unary(node: Unary, p: Printer) -> str:
    return f"{node.op}{p.operand(node.operand)}"


def _infix(node: Binary | Comparison, p: Printer) -> str:
    return f"{p.operand(node.left)} {node.op.lower()} {p.operand(node.right)}"


def _logical(node: Logical, p: Printer) -> str:
    """The members of the whole chain, sorted; printed once, at the top of the chain."""
    outside = _outside(node)
    if isinstance(outside, Logical) and outside.op == node.op:
        return ""
    return f" {node.op.lower()} ".join(sorted(_members(node, p)))


def _members(node: Logical, p: Printer) -> list[str]:
    """A loop, as chains may be long."""
    found: list[str] = []
    sides: list[Expression] = [node]
    while sides:
        side = sides.pop()
        inner = bare(side)
        if isinstance(inner, Logical) and inner.op == node.op:
            sides += (inner.left, inner.right)
        else:
            found.append(p.member(side))
    return found


def _not(node: Not, p: Printer) -> str:
    return f"not {p.operand(node.operand)}"


def _negation(negated: bool) -> str:
    return "not " if negated else ""


def _like(node: Like, p: Printer) -> str:
    escape = "" if node.escape is None else f" escape {p.operand(node.escape)}"
    op = _negation(node.negated) + node.op.lower()
    return f"{p.operand(node.left)} {op} {p.operand(node.pattern)}{escape}"


def _between(node: Between, p: Printer) -> str:
    bounds = f"{p.operand(node.low)} and {p.operand(node.high)}"
    return f"{p.operand(node.operand)} {_negation(node.negated)}between {bounds}"


def _in(node: In, p: Printer) -> str:
    inside = f"({p.all(node.items)})"
    if node.query is not None:
        inside = f"({p.query(node.query)})"
    elif node.table is not None:
        inside = p.of(node.table)
    return f"{p.operand(node.operand)} {_negation(node.negated)}in {inside}"


def _null_test(node: NullTest, p: Printer) -> str:
    return f"{p.operand(node.operand)} is {_negation(node.negated)}null"


def _exists(node: Exists, p: Printer) -> str:
    return f"exists ({p.query(node.query)})"


def _subquery(node: Subquery, p: Printer) -> str:
    return f"({p.query(node.query)})"


def _paren(node: Paren, p: Printer) -> str:
    return p.of(node.operand)


def _row(node: Row, p: Printer) -> str:
    return f"({p.all(node.items)})"


def _call(node: Call, p: Printer) -> str:
    inside = "*" if node.star else p.all(node.arguments)
    distinct = "distinct " if node.distinct else ""
    order = p.clause("", node.order)
    condition = "" if node.condition is None else f" filter ({p.of(node.condition)})"
    window = "" if node.window is None else f" over {p.of(node.window)}"
    return f"{name(node.name)}({distinct}{inside}{order}){condition}{window}"


def _case(node: Case, p: Printer) -> str:
    operand = "" if node.operand is None else f" {p.of(node.operand)}"
    whens = "".join(f" {p.of(when)}" for when in node.whens)
    default = "" if node.default is None else f" else {p.of(node.default)}"
    return f"case{operand}{whens}{default} end"


def _when(node: When, p: Printer) -> str:
    return f"when {p.of(node.condition)} then {p.of(node.result)}"


def _cast(node: Cast, p: Printer) -> str:
    return f"cast({p.of(node.operand)} as {type_name(node.type_name)})"


def _collate(node: Collate, p: Printer) -> str:
    return f"{p.operand(node.operand)} collate {name(node.collation)}"


PRINT: dict[type[Node], Callable[[Any, Printer], str]] = {
    Literal: _literal,
    Parameter: _parameter,
    Column: _column,
    Unary: _unary,
    Binary: _infix,
    Comparison: _infix,
    Logical: _logical,
    Not: _not,
    Like: _like,
    Between: _between,
    In: _in,
    NullTest: _null_test,
    Exists: _exists,
    Subquery: _subquery,
    Paren: _paren,
    Row: _row,
    Call: _call,
    Case: _case,
    When: _when,
    Cast: _cast,
    Collate: _collate,
}
