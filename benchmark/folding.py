"""One text for queries that differ in nothing but case and blanks, so that it is asked once."""

import re
from functools import lru_cache

_TOKENS = re.compile(
    r"""('(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\])"""  # quoted: kept as it is
    r"""|[ \t\n\r\f]*([(),])[ \t\n\r\f]*"""  # signs that join with nothing
    r"""|[ \t\n\r\f]+|([^ \t\n\r\f'"`\[(),]+)"""
)


@lru_cache(maxsize=100_000)
def folded(sql: str) -> str:
    """The query in lower case with single blanks, but for what is quoted, and no ``;`` at its end.

    SQLite reads both as the same tokens: case counts in quotes alone, and a blank only parts words.
    A text with a comment, or with signs beyond ASCII, stays as it is. The names of an answer's
    columns may be written in another way; its rows are the same.

    >>> folded("SELECT  Name FROM [Shop] WHERE t = 'Kiel' ;")
    "select name from [Shop] where t = 'Kiel'"
    """
    if not sql.isascii() or "--" in sql or "/*" in sql:
        return sql
    return _TOKENS.sub(_fold, sql).strip(" ").removesuffix(";").rstrip(" ")


def _fold(token: re.Match[str]) -> str:
    quoted, sign, word = token.groups()
    return quoted or sign or (word.lower() if word else " ")
