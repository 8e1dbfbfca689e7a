"""Which part of what an agent said is its SQL. There is one rule, for every agent."""

import re

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n`]*$", re.MULTILINE)
_SQL = ("sql", "sqlite", "sqlite3")


class Unclosed(ValueError):
    """The text breaks off inside a fenced block."""


def sql_in(text: str) -> str | None:
    """The SQL in an answer; None where there is none, Unclosed where a block has no end.

    It is the last fenced block that is labelled ``sql`` or ``sqlite``; else the last one without a
    label; and where there is no fenced block at all, the whole text. The end of a block stands on
    a line of its own, or is the end of the text.

    >>> sql_in("First:\\n```sql\\nSELECT 1\\n```\\nBetter:\\n```sql\\nSELECT 2;\\n```\\nDone.")
    'SELECT 2;'
    >>> sql_in(" SELECT 3 "), sql_in("```python\\nprint(4)\\n```"), sql_in("")
    ('SELECT 3', None, None)
    """
    blocks = _blocks(text)
    if not blocks:
        return _some(text)
    labelled = [body for label, body in blocks if label in _SQL]
    plain = [body for label, body in blocks if not label]
    return _some((labelled or plain or [""])[-1])


def _blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks with their labels in lower case."""
    found, opened = [], None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif _closes(fence, opened):
            found.append((opened[2].lower(), text[opened.end() : fence.start()]))
            opened = None
    if opened is not None:
        found.append((opened[2].lower(), _to_the_end(text[opened.end() :], opened[1])))
    return found


def _to_the_end(body: str, fence: str) -> str:
    """The last block, where its end stands behind the query and not on a line of its own."""
    end = body.rstrip()
    if not end.endswith(fence):
        raise Unclosed("the answer breaks off inside a block")
    return end.removesuffix(fence)


def _closes(fence: "re.Match[str]", opened: "re.Match[str]") -> bool:
    return not fence[2] and fence[1][0] == opened[1][0] and len(fence[1]) >= len(opened[1])


def _some(text: str) -> str | None:
    return text.strip().removeprefix("\ufeff").strip() or None
