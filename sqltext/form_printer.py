"""What printing a form needs: the forms of the children, and names and numbers in one spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from sqltext.cursor import RESERVED, VALUE_WORDS
from sqltext.expressions import (
    Between,
    Binary,
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
    Unary,
)
from sqltext.lexer import fold
from sqltext.scope import Scopes, Source

_PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_$]*\Z")
_WRAPPED = (Unary, Binary, Comparison, Logical, Not, Like, Between, In, NullTest, Collate)
MARK = "?"
# What is no name without quotes where a value stands.
_NO_NAMES = RESERVED | VALUE_WORDS
_TWO_63 = 2**63


class Printer:
    """The forms printed so far. ``abstract`` puts a mark in the place of every literal value."""

    def __init__(self, scopes: Scopes, *, abstract: bool) -> None:
        self.scopes = scopes
        self.abstract = abstract
        self.printed: list[str] = []

    def alias(self, source: Source) -> str:
        """What a source is called in place of its alias."""
        return f"T{source.number}"

    def query(self, node: Node) -> str:
        """The form of a query inside another."""
        return self.printed[node.at]

    def of(self, node: Node) -> str:
        """The form of a child."""
        return self.printed[node.at]

    def all(self, nodes: Iterable[Node]) -> str:
        """The forms of children in a list."""
        printed = self.printed
        return ", ".join([printed[node.at] for node in nodes])

    def operand(self, node: Expression) -> str:
        """A child of an operator, in parentheses where it is an operation itself."""
        text = self.printed[node.at]
        return f"({text})" if isinstance(bare(node), _WRAPPED) else text

    def member(self, node: Expression) -> str:
        """A child of AND or OR, which bind looser than all that is not one of them."""
        text = self.printed[node.at]
        return f"({text})" if isinstance(bare(node), Logical) else text

    def clause(self, word: str, node: Node | None) -> str:
        """`` word form``, or nothing."""
        return "" if node is None else f" {word}{self.printed[node.at]}"


def bare(node: Node) -> Node:
    """``node`` without the parentheses around it; SQLite's own parser keeps none."""
    while isinstance(node, Paren):
        node = node.operand
    return node


@lru_cache(maxsize=10_000)
def name(text: str) -> str:
    """A name in its one spelling: folded, and quoted only where it must be.

    In double quotes, one that no table has would be a text value.

    >>> name("Name"), name("Home Town"), name("true")
    ('name', '`home town`', '`true`')
    """
    folded = fold(text)
    if _PLAIN_NAME.match(folded) and folded.upper() not in _NO_NAMES:
        return folded
    return "`" + folded.replace("`", "``") + "`"


def type_name(text: str) -> str:
    """A type's words, each as a name is spelled, and its sizes."""
    words, bracket, sizes = text.partition("(")
    return " ".join(map(name, words.split())) + bracket + sizes


def text_value(value: str) -> str:
    """A text literal in its one spelling."""
    return "'" + value.replace("'", "''") + "'"


def number(text: str) -> str:
    """A number in its one spelling; integers and reals stay apart, as division tells them apart.

    >>> number("0x1F"), number("007"), number("1.50"), number("1e3"), number(".5")
    ('31', '7', '1.5', '1000.0', '0.5')
    """
    plain = text.replace("_", "").lower()
    if plain.startswith("0x"):
        return _hexadecimal(plain)
    if plain.isdigit():
        digits = plain.lstrip("0") or "0"
        if len(digits) < 19 or (len(digits) == 19 and int(digits) <= _TWO_63):
            return digits  # 2^63 is a REAL, but -2^63 an INTEGER
    real = repr(float(plain))
    return "9e999" if real == "inf" else real


def _hexadecimal(text: str) -> str:
    """A negative one stays as it is: with a minus before it, it would be a comment."""
    value = int(text, 16)
    return str(value) if value < _TWO_63 else hex(value)
