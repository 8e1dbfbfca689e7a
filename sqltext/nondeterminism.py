"""Whether a query asks the clock, chance or the connection, and whether it asks for an order."""

from __future__ import annotations

from collections.abc import Iterable

from sqltext.expressions import Call, Column, Expression, Literal, Node
from sqltext.form_printer import bare
from sqltext.lexer import fold, unquote
from sqltext.parse import Parsed
from sqltext.scope import Scopes

CHANCE = frozenset({"random", "randomblob", "changes", "total_changes", "last_insert_rowid"})
# How many arguments each date function has before, and without, a time.
_DATES = {
    "date": 0,
    "time": 0,
    "datetime": 0,
    "julianday": 0,
    "unixepoch": 0,
    "strftime": 1,
    "timediff": 1,
}
# `unixepoch('subsec')` has no time either: the word says how the clock is read.
_CLOCK = frozenset({"now", "subsec", "subsecond"})


def ordered(parsed: Parsed) -> bool:
    """Whether the outermost query has an ORDER BY; parentheses around it cannot hide one."""
    return parsed.query.order is not None


def nondeterministic(scopes: Scopes) -> bool:
    """Whether the text calls what may answer otherwise tomorrow (DESIGN section 5).

    A column or alias called random or current_date is no call.
    """
    return asks_outside(scopes, scopes.parsed.nodes)


def asks_outside(scopes: Scopes, nodes: Iterable[Node]) -> bool:
    """Whether one of these nodes is such a call, or CURRENT_DATE and its kind."""
    for node in nodes:
        kind = type(node)
        if kind is Call:
            assert isinstance(node, Call)
            if _call_asks(scopes, node):
                return True
        elif kind is Literal:
            assert isinstance(node, Literal)
            if node.kind == "now":
                return True
    return False


def _call_asks(scopes: Scopes, call: Call) -> bool:
    name = fold(call.name)
    if name in CHANCE:
        return True
    without_time = _DATES.get(name)
    if without_time is None:
        return False
    if len(call.arguments) <= without_time and name != "timediff":
        return True
    return any(_text(scopes, argument) in _CLOCK for argument in call.arguments)


def _text(scopes: Scopes, node: Expression) -> str:
    """The string that an expression writes out, in lower case."""
    inner = bare(node)
    if isinstance(inner, Literal) and inner.kind == "string":
        return unquote(inner.text).lower()
    if isinstance(inner, Column) and scopes.columns[inner].kind == "value":
        return scopes.columns[inner].name.lower()
    return ""
