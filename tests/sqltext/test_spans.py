"""Every node's text is what its author wrote, and reads back as the same node."""

import random

from sqltext.clauses import Cte, Item, Join, Query, QuerySource, Select, Star, TableSource, Values
from sqltext.expressions import Expression, Node, Row
from sqltext.forms import forms
from sqltext.parse import Parsed, parse, refusal
from tests.sqltext.corpus import queries
from tests.sqltext.test_grammar import READ


def sample(many: int) -> list[Parsed]:
    """Queries of the corpora, the same ones each time."""
    read = [sql for _, sql in queries() if refusal(sql) is None]
    return [parse(sql) for sql in random.Random(0).sample(read, many)]


def hand_written() -> list[Parsed]:
    return [parse(sql) for sql in READ]


def test_a_node_spans_its_children() -> None:
    for parsed in hand_written() + sample(1_000):
        for node in parsed.nodes:
            parts = node.parts()
            assert all(node.first <= part.first <= part.last <= node.last for part in parts)
            assert parsed.text(node).strip() == parsed.text(node) != ""


def test_siblings_stand_in_source_order_without_overlap() -> None:
    for parsed in hand_written() + sample(1_000):
        for node in parsed.nodes:
            ends = [(part.first, part.last) for part in node.parts()]
            if "," not in parsed.text(node) or "LIMIT" not in parsed.text(node)[:5].upper():
                assert all(a[1] < b[0] for a, b in zip(ends, ends[1:], strict=False)), node


def wrapped(parsed: Parsed, node: Node) -> str | None:
    """A query in which ``node`` stands where one of its kind may stand."""
    text = parsed.text(node)
    if isinstance(node, Query | Select | Values):
        return text
    if isinstance(node, Row):
        return f"VALUES {text}" if isinstance(node.parent, Values) else f"SELECT {text}"
    if isinstance(node, Expression | Item | Star):
        return f"SELECT {text}"
    if isinstance(node, TableSource | QuerySource):
        return f"SELECT * FROM {text}"
    return f"WITH {text} SELECT 1" if isinstance(node, Cte) else None


def test_a_nodes_text_reads_back_as_a_node_of_its_kind() -> None:
    for parsed in hand_written() + sample(500):
        for node in parsed.nodes:
            sql = wrapped(parsed, node)
            if sql is not None:
                again = parse(sql)
                found = {(type(other), again.text(other)) for other in again.nodes}
                assert (type(node), parsed.text(node)) in found, (sql, node)


def test_a_join_says_where_its_operator_ends() -> None:
    parsed = parse("SELECT a FROM t  LEFT  OUTER JOIN u ON 1, v")
    joins = [node for node in parsed.nodes if isinstance(node, Join)]
    ends = [parsed.tokens.ends[join.op_last] for join in joins]
    assert [parsed.sql[parsed.start(j) : e] for j, e in zip(joins, ends, strict=True)] == [
        "LEFT  OUTER JOIN",
        ",",
    ]


def test_a_semicolon_and_comments_are_outside_the_query() -> None:
    parsed = parse("/* a */ SELECT 1 -- b\n ; -- c")
    assert parsed.text(parsed.query) == "SELECT 1"
    assert forms(parsed.sql) == forms("SELECT 1")
