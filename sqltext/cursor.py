"""A place in the tokens of a text, and the few steps the grammar is made of."""

from functools import lru_cache
from typing import TypeVar

from sqltext.errors import NotAQuery
from sqltext.expressions import Node
from sqltext.lexer import QUOTED, STRING, WORD, Tokens, tokenize, unquote
from sqltext.limits import check_text

N = TypeVar("N", bound=Node)

MAX_DEPTH = 100

# Words that never stand for a name (parse.y: all keywords that do not fall back to ID).
_RESERVED = """
    ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT
    DEFERRABLE DELETE DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP HAVING IN INDEX
    INSERT INTERSECT INTO IS ISNULL JOIN LIMIT NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY
    REFERENCES RETURNING SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN
    WHERE
"""
RESERVED = frozenset(_RESERVED.split())
# Words that begin an expression of their own: they name a column only in quotes.
CALL_WORDS = frozenset({"CAST", "EXISTS", "RAISE"})
NOW_WORDS = frozenset({"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"})
VALUE_WORDS = CALL_WORDS | NOW_WORDS | {"TRUE", "FALSE"}
JOIN_WORDS = frozenset(("CROSS", "FULL", "INNER", "LEFT", "NATURAL", "OUTER", "RIGHT"))
_NOT_PLAIN = JOIN_WORDS | {"INDEXED"}


_SHORT = 40  # characters of a text that is likely to come again: an edit's

_short = lru_cache(maxsize=2_000)(tokenize)


class Cursor:
    """Where the parser stands. Nodes are listed as they are finished, children before parents."""

    def __init__(self, sql: str) -> None:
        check_text(sql)
        self.sql = sql
        self.tokens: Tokens = _short(sql) if len(sql) <= _SHORT else tokenize(sql)
        self.upper = self.tokens.upper
        self.kinds = self.tokens.kinds
        self.at = 0
        self.depth = 0
        self.nodes: list[Node] = []

    def done(self, node: N) -> N:
        """List a finished node."""
        node.at = len(self.nodes)
        self.nodes.append(node)
        return node

    def text(self, at: int) -> str:
        """The text of token ``at``."""
        return self.sql[self.tokens.starts[at] : self.tokens.ends[at]]

    def take(self, *words: str) -> bool:
        """Step over ``words`` if they stand here, one after the other."""
        at = self.at
        if tuple(self.upper[at : at + len(words)]) != words:
            return False
        self.at = at + len(words)
        return True

    def need(self, word: str) -> None:
        """Step over ``word``, which must stand here."""
        if self.upper[self.at] != word:
            raise self.unexpected(word)
        self.at += 1

    def is_name(self, at: int) -> bool:
        """Whether token ``at`` may name a table or column."""
        kind = self.kinds[at]
        if kind == WORD:
            return self.upper[at] not in RESERVED
        return kind in (QUOTED, STRING)

    def name(self) -> str:
        """Step over a name and give it without its quotes."""
        if not self.is_name(self.at):
            raise self.unexpected("a name")
        self.at += 1
        return unquote(self.text(self.at - 1))

    def is_plain_name(self, at: int) -> bool:
        """Whether token ``at`` is a name where a word of a join would go on with the join."""
        return self.is_name(at) and self.upper[at] not in _NOT_PLAIN

    def plain_name(self) -> str:
        """Step over such a name."""
        if not self.is_plain_name(self.at):
            raise self.unexpected("a name")
        return self.name()

    def alias(self) -> str:
        """An alias with or without AS, or an empty text."""
        if self.take("AS"):
            return self.name()
        at = self.at
        if self.upper[at] == "WINDOW" and self.is_name(at + 1) and self.upper[at + 2] == "AS":
            return ""  # `WINDOW name AS` begins a clause (tokenize.c, analyzeWindowKeyword)
        return self.name() if self.is_plain_name(at) else ""

    def enter(self) -> None:
        """One level deeper; what nests too deep is refused before the stack ends."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotAQuery("nested_too_deep", f"nested deeper than {MAX_DEPTH}", self.here())

    def leave(self) -> None:
        """One level up."""
        self.depth -= 1

    def here(self) -> int:
        """The character this token begins at."""
        return self.tokens.starts[self.at]

    def unexpected(self, wanted: str) -> NotAQuery:
        """The error that says what stands here and what should."""
        found = self.text(self.at) or "the end"
        return NotAQuery(
            "syntax", f"expected {wanted}, found {found} at {self.here()}", self.here()
        )
