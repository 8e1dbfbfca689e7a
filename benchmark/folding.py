"""One text for queries that differ in nothing but case and blanks, so that it is asked once."""

import re
from functools import lru_cache

_QUOTED = re.compile(r"""('[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\])""")
"""Kept as it is. A doubled quote ends one text and begins the next, and all of both is kept."""


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
    if "'" in sql or '"' in sql or "`" in sql or "[" in sql:
        pieces = _QUOTED.split(sql)
        pieces[::2] = map(_fold, pieces[::2])
        text = "".join(pieces)
    else:
        text = _fold(sql)
    return text.strip(" ").removesuffix(";").rstrip(" ")


def _fold(text: str) -> str:
    """What stands between quoted texts. Written out, as it is done for every query there is."""
    text = text.lower()
    if not text.isprintable():  # what SQLite takes for a blank, beside the blank itself
        text = text.replace("\t", " ").replace("\n", " ").replace("\r", " ").replace("\f", " ")
    while "  " in text:
        text = text.replace("  ", " ")
    text = text.replace(" (", "(").replace("( ", "(").replace(" )", ")").replace(") ", ")")
    return text.replace(" ,", ",").replace(", ", ",")
