"""OR.UOI, OR.ABS, OR.AOR: numbers."""

from collections.abc import Iterator

from mutants.columns import family_of
from mutants.constants import NUMBER, constant_of, negated, shifted
from mutants.families import NUMBER as NUMBERS
from mutants.gold import Edit, Gold
from mutants.operator import operator
from mutants.queries import is_read_by_name
from sqltext.binding import CLOSED_POWER, PRODUCT_POWER, SUM_POWER, UNARY_POWER
from sqltext.clauses import GroupBy, Item, OrderTerm
from sqltext.expressions import (
    Between,
    Binary,
    Column,
    Comparison,
    Expression,
    Literal,
    Node,
    Paren,
)

_ARITHMETIC = ("+", "-", "*", "/", "%")


@operator(
    "OR.UOI",
    Literal,
    examples={
        "SELECT b FROM t WHERE a > 5": "SELECT b FROM t WHERE a > 6",
        "SELECT c -0.5 FROM t": "SELECT c - -0.5 FROM t",
    },
)
def shift_number(node: Literal, gold: Gold) -> Iterator[Edit]:
    """One more, one less, or the other sign.

    Catches databases without a value between the two numbers, or on one of them.
    """
    constant = constant_of(gold.scopes, node)
    if constant is None or constant.kind != NUMBER:
        return
    value = constant.value
    zero = value.strip("-0.") == ""
    for text in (shifted(value, 1), shifted(value, -1), *(() if zero else (negated(value),))):
        yield _number(gold, constant.node, text)


def _number(gold: Gold, node: Expression, text: str) -> Edit:
    power = UNARY_POWER if text.startswith("-") else CLOSED_POWER
    return gold.replace_expression(node, text, power)


@operator(
    "OR.ABS",
    Column,
    examples={"SELECT b FROM t WHERE c > 1": "SELECT b FROM t WHERE ABS(c) > 1"},
    default=False,
)
def take_absolute(node: Column, gold: Gold) -> Iterator[Edit]:
    """Without its sign, or with a minus.

    Catches databases without a negative number in that column, or without a positive one.
    """
    if gold.in_on(node) or is_read_by_name(node):
        return
    compared_or_shown = isinstance(node.parent, Comparison | Between | Item)
    if compared_or_shown and family_of(gold.scopes, node) == NUMBERS:
        yield gold.replace(node, f"ABS({gold.text(node)})")
        yield gold.replace_expression(node, f"-ABS({gold.text(node)})", UNARY_POWER)


@operator(
    "OR.AOR",
    Binary,
    examples={
        "SELECT a * c FROM t": "SELECT a / c FROM t",
        "SELECT 2 * c / a FROM t": "SELECT (2 + c) / a FROM t",
    },
)
def replace_arithmetic(node: Binary, gold: Gold) -> Iterator[Edit]:
    """Calculate in another way.

    Catches databases whose numbers are all 0 or 1, or NULL.
    """
    if node.op not in _ARITHMETIC or gold.is_long(node):
        return
    for op in _ARITHMETIC:
        if op != node.op:
            power = SUM_POWER if op in "+-" else PRODUCT_POWER
            yield gold.replace_operator(node, op, power)


@operator(
    "OR.AOR",
    Binary,
    examples={
        "SELECT a * 1.0 / 3 FROM t": "SELECT a  / 3 FROM t",
        "SELECT c - a FROM t": "SELECT  a FROM t",
    },
)
def keep_one_operand(node: Binary, gold: Gold) -> Iterator[Edit]:
    """Forget one side of a calculation.

    Catches databases where it is 0 or 1, or where integers divide without a rest.
    """
    if node.op not in _ARITHMETIC:
        return
    for side in (node.left, node.right):
        if not (isinstance(side, Literal) and _is_a_key(node)):
            yield gold.keep_side(node, side)


def _is_a_key(node: Node) -> bool:
    """Whether rows are sorted or grouped by a calculation: a number alone would be a position."""
    at = node.parent
    while isinstance(at, Paren):
        at = at.parent
    return isinstance(at, OrderTerm | GroupBy)
