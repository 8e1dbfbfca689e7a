"""What is refused for its size, so that no text costs more than it is worth.

These are near SQLite's own limits, beyond which it refuses the query too. Only a large text can
come near them, so only a large one is measured.
"""

from __future__ import annotations

from sqltext.clauses import GroupBy, OrderBy, Query, Select, TableSource
from sqltext.errors import NotAQuery
from sqltext.expressions import Node

MAX_LENGTH = 100_000
MAX_HEIGHT = 1_000  # of a chain a + b + c ..., whose every step is a level of the expression
MAX_FORM = 30_000_000  # characters, were every level of an expression written out
MAX_COLUMNS = 2_000
MAX_CORES = 500
MAX_TABLES = 200
_LARGE = 300


def check_text(sql: str) -> None:
    """Refuse a text that is too long, or that no database can be sent."""
    if len(sql) > MAX_LENGTH:
        raise NotAQuery("too_long", f"{len(sql)} characters; {MAX_LENGTH} are read")
    at = sql.find("\0")
    if at < 0 and not sql.isascii():
        try:
            sql.encode()
        except UnicodeEncodeError as error:
            at = error.start
    if at >= 0:
        raise NotAQuery("bad_token", f"unrecognized token: {sql[at]!r} at {at}", at)


def check_nodes(nodes: list[Node], length: int) -> None:
    """Refuse a query that is too high or too wide; ``nodes`` list children before parents."""
    if len(nodes) <= _LARGE:
        return
    height = _height(nodes)
    if height > MAX_HEIGHT or height * length > MAX_FORM:
        raise NotAQuery("nested_too_deep", f"an expression of {height} levels")
    if sum(isinstance(node, TableSource) for node in nodes) > MAX_TABLES:
        raise NotAQuery("too_wide", f"more than {MAX_TABLES} tables")
    for node in nodes:
        if _width(node) > MAX_COLUMNS:
            raise NotAQuery("too_wide", f"more than {MAX_COLUMNS} columns")
        if isinstance(node, Query) and len(node.cores) > MAX_CORES:
            raise NotAQuery("too_wide", f"more than {MAX_CORES} queries in a compound")


def _height(nodes: list[Node]) -> int:
    heights: list[int] = []
    for node in nodes:
        heights.append(1 + max((heights[part.at] for part in node.parts()), default=0))
    return heights[-1]


def _width(node: Node) -> int:
    if isinstance(node, Select):
        return len(node.items)
    if isinstance(node, OrderBy):
        return len(node.terms)
    return len(node.keys) if isinstance(node, GroupBy) else 0
