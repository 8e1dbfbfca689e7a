"""What can be said of a statement before the engine sees it: size, nesting, expansion."""

import re
from collections.abc import Iterator

from db_execution.sandbox.profile import Profile
from db_execution.sandbox.verdicts import PolicyError

_TOKEN = re.compile(
    r"""(?P<skip>\s+|--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*(?:'|\Z))"""
    r"""|"(?P<quoted>(?:[^"]|"")*)(?:"|\Z)|\[(?P<bracket>[^\]]*)(?:\]|\Z)|`(?P<tick>[^`]*)(?:`|\Z)"""
    r"""|(?P<word>\w+)|(?P<sign>.)""",
    re.DOTALL,
)
_BLANK = re.compile(r"(?:[\s;]+|--[^\n]*(?:\n|\Z)|/\*.*?(?:\*/|\Z))*", re.DOTALL)


def check(sql: str, profile: Profile) -> None:
    """Raise PolicyError for a text that is not to be compiled at all."""
    if len(sql) > profile.sql_characters:
        most = profile.sql_characters
        raise PolicyError("sql_bytes", f"{len(sql)} characters of SQL, at most {most} are read")
    size = len(sql) if sql.isascii() else len(_utf8(sql))
    if size > profile.sql_bytes:
        raise PolicyError("sql_bytes", f"{size} bytes of SQL, at most {profile.sql_bytes} are read")
    if "\0" in sql:
        raise PolicyError("not_text", "a NUL character ends no statement and begins none")
    if sql.count("(") > profile.nesting and nesting(sql) > profile.nesting:
        raise PolicyError("nesting", f"nested deeper than {profile.nesting} parentheses")
    if "with" in sql.lower() and expansion(sql, enough=profile.expansion) > profile.expansion:
        raise PolicyError("expansion", f"its CTEs unfold to more than {profile.expansion} copies")


def is_blank(text: str) -> bool:
    """Whether there is no statement in ``text``: only blanks, comments and semicolons.

    >>> is_blank("; -- SELECT 1")
    True
    """
    match = _BLANK.match(text)
    return match is not None and match.end() == len(text)


def nesting(sql: str) -> int:
    """How many parentheses are open at once, at most; those in quotes and comments do not count."""
    depth = deepest = 0
    for token in _tokens(sql):
        depth += (token == "(") - (token == ")")
        deepest = max(deepest, depth)
    return deepest


def expansion(sql: str, *, enough: int) -> int:
    """An upper bound on how many copies of CTE bodies the engine makes while compiling ``sql``.

    A CTE that is named twice is copied twice, and so is all that it names. Counting stops when
    it is ``enough``.
    """
    copies: dict[str, int] = {}
    total = 1
    for name, body in _ctes(list(_tokens(sql))):
        if name is None:
            total = sum(copies.get(word, 0) for word in body)
        else:
            copies[name] = 1 + sum(copies.get(word, 0) for word in body)
        if max(total, *copies.values(), 0) > enough:
            return enough + 1
    return total


def _ctes(tokens: list[str]) -> Iterator[tuple[str | None, list[str]]]:
    """Each ``name AS (body)`` of the text in order, innermost first, then the whole under None."""
    starts: list[tuple[str | None, int]] = []
    for place, token in enumerate(tokens):
        if token == "(":
            starts.append((_cte_name(tokens, place), place))
        elif token == ")" and starts:
            name, start = starts.pop()
            if name is not None:
                yield name, tokens[start + 1 : place]
    yield None, tokens


def _cte_name(tokens: list[str], place: int) -> str | None:
    """The name in ``name [(columns)] AS [[NOT] MATERIALIZED]`` that ends before ``place``."""
    at = place - 1
    while at >= 0 and tokens[at] in ("materialized", "not"):
        at -= 1
    if at < 1 or tokens[at] != "as":
        return None
    at -= 1
    if tokens[at] == ")":
        at = _opening(tokens, at) - 1
    return tokens[at] if at >= 0 else None


def _opening(tokens: list[str], at: int) -> int:
    depth = 0
    while at >= 0:
        depth += (tokens[at] == ")") - (tokens[at] == "(")
        if depth == 0:
            return at
        at -= 1
    return 0


def _tokens(sql: str) -> Iterator[str]:
    for match in _TOKEN.finditer(sql):
        if match.lastgroup in ("word", "sign"):
            yield match.group().lower()
        elif match.lastgroup != "skip":
            name = match.group(match.lastgroup or 0).lower()
            yield name if name not in ("(", ")") else f'"{name}"'


def _utf8(sql: str) -> bytes:
    try:
        return sql.encode()
    except UnicodeEncodeError:
        raise PolicyError("not_text", "half a surrogate pair is not text") from None
