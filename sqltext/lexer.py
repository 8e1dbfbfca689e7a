"""SQL text to tokens, as SQLite cuts it; nothing is dropped but blanks and comments."""

import re
from typing import NamedTuple

from sqltext.errors import NotAQuery

WORD, QUOTED, STRING, NUMBER, BLOB, OPERATOR, PARAMETER, BROKEN = range(8)

# Longest first within an alternative; the group that matched says the kind.
_TOKEN = re.compile(
    r"""
    (?P<blank>[ \t\n\f\r][\t-\r ]*|\ufeff|--[^\n]*(?:\n|\Z)|/\*(?:.*?\*/|.+\Z))
    |(?P<blob>[xX]'(?:[0-9a-fA-F]{2})*')
    |(?P<broken>[xX]'[^']*'?)
    |(?P<word>[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_$\u0080-\U0010ffff]*)
    |(?P<number>(?:0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*
        |(?:[0-9]+(?:_[0-9]+)*(?:\.(?:[0-9]+(?:_[0-9]+)*)?)?|\.[0-9]+(?:_[0-9]+)*)
            (?:[eE][+-]?[0-9]+(?:_[0-9]+)*)?)
        (?P<tail>[A-Za-z0-9_$\u0080-\U0010ffff]+)?)
    |(?P<string>'(?:[^']|'')*')
    |(?P<quoted>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])
    |(?P<operator>->>|\|\||->|<<|>>|<=|>=|<>|!=|==|[-+*/%&|~<>=(),.;])
    |(?P<parameter>\?[0-9]*|[:@\#$](?!:)(?:[A-Za-z0-9_$\u0080-\U0010ffff]|::)+(?:\([^\s)]*\))?)
    """,
    re.VERBOSE | re.DOTALL,
)
_KIND = {
    "word": WORD,
    "quoted": QUOTED,
    "string": STRING,
    "number": NUMBER,
    "blob": BLOB,
    "operator": OPERATOR,
    "parameter": PARAMETER,
    "broken": BROKEN,
}


class Tokens(NamedTuple):
    """The tokens of a text as parallel lists; ``upper`` is what the grammar compares.

    ``upper`` is the word in capitals, the operator itself, and an empty text for all that could be
    mistaken for a keyword but is not one (quoted names, strings, numbers, parameters). The last
    token is an end mark of no length, so that looking one ahead is always allowed.
    """

    kinds: list[int]
    upper: list[str]
    starts: list[int]
    ends: list[int]


def tokenize(sql: str) -> Tokens:
    """Cut ``sql`` into tokens; raises `NotAQuery` at a character no token begins with.

    >>> tokens = tokenize("select [a b] -- why\\n from t")
    >>> tokens.upper
    ['SELECT', '', 'FROM', 'T', 'END OF TEXT']
    """
    tokens = Tokens([], [], [], [])
    at, end = 0, len(sql)
    match = _TOKEN.match
    while at < end:
        found = match(sql, at)
        if found is None:
            raise _no_token(sql, at)
        at = found.end()
        group = found.lastgroup
        if group != "blank":
            _add(tokens, found, group or "")
    _add_end(tokens, end)
    return tokens


def _add(tokens: Tokens, found: re.Match[str], group: str) -> None:
    text = found.group()
    kind = _KIND[group]
    if kind == BROKEN or (kind == NUMBER and found["tail"]):
        raise NotAQuery("bad_token", f"unrecognized token: {text!r}", found.start())
    tokens.kinds.append(kind)
    tokens.upper.append(_upper(text) if kind == WORD else text if kind == OPERATOR else "")
    tokens.starts.append(found.start())
    tokens.ends.append(found.end())


def _upper(word: str) -> str:
    """Capitals, for words that can be keywords: a dotless i must not spell LIMIT."""
    return word.upper() if word.isascii() else ""


def _add_end(tokens: Tokens, end: int) -> None:
    tokens.kinds.append(OPERATOR)
    tokens.upper.append("END OF TEXT")
    tokens.starts.append(end)
    tokens.ends.append(end)


def _no_token(sql: str, at: int) -> NotAQuery:
    if sql[at] in "'\"`[":
        return NotAQuery("unterminated", f"no closing quote for the {sql[at]} at {at}", at)
    return NotAQuery("bad_token", f"unrecognized token: {sql[at]!r} at {at}", at)


def fold(name: str) -> str:
    """``name`` as SQLite compares names: ASCII letters in lower case, all others as they are.

    >>> fold("ÉTÉ_Name")
    'ÉtÉ_name'
    """
    if name.isascii():
        return name.lower()
    return "".join(c.lower() if c.isascii() else c for c in name)


def unquote(text: str) -> str:
    """The name or value inside a quoted token.

    >>> unquote('"a""b"'), unquote("[a b]"), unquote("'it''s'"), unquote("plain")
    ('a"b', 'a b', "it's", 'plain')
    """
    mark = text[0]
    if mark == "[":
        return text[1:-1]
    if mark in "'\"`":
        return text[1:-1].replace(mark * 2, mark)
    return text
