"""X.VAL: another value of the same column."""

import re
from collections.abc import Iterator
from decimal import Decimal

from mutants.columns import known, source_of
from mutants.constants import NUMBER, Constant, constant_of, text_like
from mutants.gold import Edit, Gold
from mutants.names import similarity
from mutants.operator import operator
from sqltext.binding import CLOSED_POWER, UNARY_POWER
from sqltext.expressions import Between, Column, Comparison, In, Literal, Node
from sqltext.lexer import fold
from sqltext.scope import Scopes

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?\Z")


@operator(
    "X.VAL",
    Literal,
    Column,
    examples={
        "SELECT a FROM t WHERE b = 'x'": "SELECT a FROM t WHERE b = 'X'",
        "SELECT b FROM t WHERE a > 5": "SELECT b FROM t WHERE a > 7",
    },
)
def take_stored_value(node: Literal | Column, gold: Gold) -> Iterator[Edit]:
    """Ask for another value that the column holds: the most frequent, the nearest, an extreme.

    Catches databases where both values single out the same rows.
    """
    found = _held_against(node, gold.scopes) if gold.values else None
    if found is None:
        return
    constant, table, column = found
    stored = gold.values.of(fold(table), fold(column))
    texts = [text for kind, text in stored if kind == constant.kind]
    for text in _chosen(constant, texts):
        yield _written(gold, constant, text)


def asked_of(scopes: Scopes) -> Iterator[tuple[str, str, str | None]]:
    """The columns that constants of a query are held against: table, column, and a number.

    Whoever fills `mutants.values.Values` asks the database about these.
    """
    for node in scopes.parsed.nodes:
        found = _held_against(node, scopes) if isinstance(node, Literal | Column) else None
        if found is not None:
            constant, table, column = found
            yield table, column, constant.value if constant.kind == NUMBER else None


def _held_against(node: Literal | Column, scopes: Scopes) -> tuple[Constant, str, str] | None:
    """A constant with the table and column that it is held against."""
    constant = constant_of(scopes, node)
    operand = _compared_with(constant.node) if constant is not None else None
    found = source_of(scopes, operand) if operand is not None else None
    base = known(scopes, *found) if found is not None else None
    if constant is None or base is None:
        return None
    table, at = base
    return constant, table.name, table.columns[at]


def _compared_with(node: Node) -> Node | None:
    """The operand that a constant is held against; patterns have operators of their own."""
    parent = node.parent
    if isinstance(parent, Comparison):
        return parent.right if parent.left is node else parent.left
    return parent.operand if isinstance(parent, In | Between) else None


def _chosen(constant: Constant, texts: list[str]) -> list[str]:
    """The most frequent value, the nearest, and an extreme; of texts, the two that are nearest."""
    chosen = _near_numbers if constant.kind == NUMBER else _near_texts
    return list(dict.fromkeys(chosen(constant.value, texts)))


def _near_numbers(value: str, texts: list[str]) -> list[str]:
    mine = Decimal(value)
    others = [t for t in texts if _NUMBER.match(t) and Decimal(t) != mine]
    nearest = sorted(others, key=lambda text: abs(Decimal(text) - mine))
    return [others[0], nearest[0], nearest[-1]] if others else []


def _near_texts(value: str, texts: list[str]) -> list[str]:
    mine = fold(value)
    others = [text for text in texts if text != value]
    return others[:1] + sorted(others, key=lambda text: -similarity(mine, fold(text)))[:2]


def _written(gold: Gold, constant: Constant, text: str) -> Edit:
    if constant.kind != NUMBER:
        return gold.replace(constant.node, text_like(gold.scopes, constant.node, text))
    power = UNARY_POWER if text.startswith("-") else CLOSED_POWER
    return gold.replace_expression(constant.node, text, power)
