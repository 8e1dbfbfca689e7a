"""SQL text to a query whose every node knows the tokens it was written with.

The grammar is SQLite's own for SELECT (https://sqlite.org/lang_select.html and parse.y). A parser
for many dialects drops or merges what must stay apart here (unary +, NOT INDEXED, CAST AS NUMERIC
and AS REAL) and marks no spans. This one keeps every token, and names what it cannot read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqltext.clauses import Query
from sqltext.errors import NotAQuery
from sqltext.expressions import Node
from sqltext.grammar import Grammar
from sqltext.lexer import Tokens
from sqltext.limits import check_nodes


@dataclass(frozen=True, slots=True, eq=False)
class Parsed:
    """A text, its tokens, its query, and all nodes with children before their parents."""

    sql: str
    tokens: Tokens
    query: Query
    nodes: list[Node]

    def start(self, node: Node) -> int:
        """The character ``node`` begins at."""
        return self.tokens.starts[node.first]

    def end(self, node: Node) -> int:
        """The character after ``node``'s last."""
        return self.tokens.ends[node.last]

    def text(self, node: Node) -> str:
        """``node`` as its author wrote it.

        >>> parsed = parse("SELECT a FROM t WHERE +id = '1'")
        >>> parsed.text(parsed.query.cores[0].where.condition)
        "+id = '1'"
        """
        return self.sql[self.start(node) : self.end(node)]


def release(nodes: Iterable[Node]) -> None:
    """Let go of nodes that are done with.

    A node and its parent know each other; left so, each query of millions waits for a collector.
    """
    for node in nodes:
        node.parent = None


def parse(sql: str) -> Parsed:
    """Read one query; raises `NotAQuery` with a named reason. A semicolon may end it."""
    grammar = Grammar(sql)
    query = grammar.statement()
    for node in grammar.nodes:
        for part in node.parts():
            part.parent = node
    check_nodes(grammar.nodes, len(sql))
    return Parsed(sql, grammar.tokens, query, grammar.nodes)


def refusal(sql: str) -> NotAQuery | None:
    """Why ``sql`` is no query, or None where it is one."""
    try:
        parse(sql)
    except NotAQuery as error:
        return error
    return None
