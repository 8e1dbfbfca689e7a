"""The constants in CHECK constraints, and the columns that each constraint is about."""

from collections.abc import Iterator, Sequence

from mutants.constants import plain_number
from pairset.fuzz.literals import Value
from sqltext.errors import NotAQuery
from sqltext.lexer import NUMBER, QUOTED, STRING, WORD, Tokens, fold, tokenize, unquote

_CHECK = "CHECK"


def checked_values(ddl: str, columns: Sequence[str]) -> Iterator[tuple[str, Value]]:
    """Each of ``columns`` (folded) with each constant of a CHECK that names it.

    >>> list(checked_values("CREATE TABLE t(a INT CHECK (a IN (1, 2)), b)", ["a", "b"]))
    [('a', 1), ('a', 2)]
    """
    try:
        tokens = tokenize(ddl)
    except NotAQuery:
        return
    for first, last in _checks(tokens):
        inside = range(first, last)
        named = [name for at in inside if (name := _name(ddl, tokens, at)) in columns]
        for at in inside:
            if (value := _value(ddl, tokens, at)) is not None:
                yield from ((name, value) for name in dict.fromkeys(named))


def _checks(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """The tokens between the parentheses of each CHECK."""
    for at, word in enumerate(tokens.upper):
        if word == _CHECK and tokens.upper[at + 1] == "(":
            depth, end = 1, at + 2
            while depth and end < len(tokens.upper):
                depth += (tokens.upper[end] == "(") - (tokens.upper[end] == ")")
                end += 1
            yield at + 2, end - 1


def _name(ddl: str, tokens: Tokens, at: int) -> str:
    text = ddl[tokens.starts[at] : tokens.ends[at]]
    if tokens.kinds[at] == QUOTED:
        return fold(unquote(text))
    return fold(text) if tokens.kinds[at] == WORD else ""


def _value(ddl: str, tokens: Tokens, at: int) -> Value | None:
    text = ddl[tokens.starts[at] : tokens.ends[at]]
    if tokens.kinds[at] == STRING:
        return unquote(text)
    if tokens.kinds[at] != NUMBER:
        return None
    number = plain_number(text)
    if number is None:
        return None
    return float(number) if "." in number else int(number)
