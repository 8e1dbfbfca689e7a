"""The constants of a query: numbers and text values that may be others in the same shape."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from sqltext.clauses import Item, Limit, Window
from sqltext.expressions import Call, Column, Exists, Like, Literal, Node, Unary
from sqltext.form_expressions import is_position
from sqltext.lexer import fold, unquote
from sqltext.scope import Scopes

NUMBER, STRING = "number", "string"
_LONGEST = 400  # digits of a number, written out; all that a database can hold has fewer
_FIRST_IS_A_FORMAT = frozenset(("strftime", "printf", "format"))


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """A number with its sign, or a text value in quotes of either kind.

    ``text`` is how it is written, ``value`` what is written: a plain number, or the text's body.
    """

    node: Literal | Column | Unary
    kind: str
    value: str
    text: str


def constants(scopes: Scopes) -> list[Constant]:
    """The constants of a query in the order of its text.

    Left out is what is no value that rows are measured by: LIMIT and OFFSET, positions in ORDER BY
    and GROUP BY, the bounds of a window's frame, formats, escapes, what EXISTS selects, and
    numbers beyond all that a database can hold.
    """
    found = (constant_of(scopes, node) for node in scopes.parsed.nodes)
    return [constant for constant in found if constant is not None]


def constant_of(scopes: Scopes, node: Node) -> Constant | None:
    """The constant that a node is, if it is one."""
    if isinstance(node, Column):
        resolved = scopes.columns[node]
        if resolved.kind != "value" or not _counts(node):
            return None
        return Constant(node, STRING, resolved.name, scopes.parsed.text(node))
    if not isinstance(node, Literal) or node.kind not in (NUMBER, STRING) or not _counts(node):
        return None
    if node.kind == STRING:
        return Constant(node, STRING, unquote(node.text), node.text)
    number = plain_number(node.text)
    if number is None:
        return None
    sign = node.parent
    if isinstance(sign, Unary) and sign.op == "-":
        return Constant(sign, NUMBER, f"-{number}", scopes.parsed.text(sign))
    return Constant(node, NUMBER, number, node.text)


def _counts(node: Literal | Column) -> bool:
    parent = node.parent
    if isinstance(parent, Limit | Window) or (isinstance(node, Literal) and is_position(node)):
        return False
    if isinstance(parent, Like):
        return node is not parent.escape
    if isinstance(parent, Call):
        return fold(parent.name) not in _FIRST_IS_A_FORMAT or node is not parent.arguments[0]
    return not (isinstance(parent, Item) and _in_exists(parent))


def _in_exists(item: Item) -> bool:
    select = item.parent
    query = select.parent if select is not None else None
    return query is not None and isinstance(query.parent, Exists)


def plain_number(text: str) -> str | None:
    """A number without exponent, hexadecimal digits or underscores; a real keeps its point.

    None for one that has too many digits, so written.

    >>> plain_number("0x1F"), plain_number("1_000"), plain_number(".5"), plain_number("1e3")
    ('31', '1000', '0.5', '1000.0')
    >>> plain_number("1e999999999"), plain_number("9" * 401)
    (None, None)
    """
    digits = text.replace("_", "").lower()
    if len(digits) > _LONGEST:
        return None
    if digits.startswith("0x"):
        return str(int(digits, 16))
    if digits.isdigit():
        return digits
    return real(Decimal(digits)) if _is_short(digits) else None


def _is_short(digits: str) -> bool:
    """Whether a real has few digits once its exponent is gone."""
    exponent = digits.partition("e")[2]
    return len(exponent) < 6 and abs(int(exponent or "0")) <= _LONGEST


def real(value: Decimal) -> str:
    """A real as SQL, with a point."""
    text = format(value, "f")
    return text if "." in text else f"{text}.0"


def shifted(number: str, by: int) -> str:
    """A plain number and ``by`` more; reals stay reals.

    >>> shifted("5", 1), shifted("0.5", -1), shifted("-3", 1)
    ('6', '-0.5', '-2')
    """
    if "." in number:
        return real(Decimal(number) + by)
    return str(int(number) + by)


def negated(number: str) -> str:
    """A plain number with the other sign."""
    return number[1:] if number.startswith("-") else f"-{number}"


def text_like(scopes: Scopes, node: Node, value: str) -> str:
    """A text value as SQL in the place of ``node``, between the quotes that its author uses there.

    In double quotes it would be read as a name where there is one, so then it takes single ones.
    """
    mark = scopes.parsed.sql[scopes.parsed.start(node)]
    if mark != '"' or _is_a_name(scopes, fold(value)):
        mark = "'"
    return mark + value.replace(mark, mark * 2) + mark


def _is_a_name(scopes: Scopes, folded: str) -> bool:
    if not scopes.schema or scopes.schema.has_column(folded):
        return True
    return any(folded in (names or ()) for names in scopes.outputs.values())
