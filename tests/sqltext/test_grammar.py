"""Every production of SQLite's SELECT, by hand: what is read, and into what."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from sqltext import clauses, expressions
from sqltext.errors import NotAQuery
from sqltext.expressions import Node
from sqltext.parse import parse
from tests.sqltext.engine import complaint, is_syntax

EXPRESSIONS = """
1 | 1.5 | .5e-3 | 0x1F | 1_000 | 'it''s' | x'00ff' | NULL | TRUE | false | current_date | ? | ?2 | :p | @p | $p | $p::q(r)
a | t.a | main.t.a | "a" | `a` | [a] | 't'.'a' | left | "select" | window | over | filter | rows | current | key
-a | +a | ~a | - -a | -+~a | NOT a | NOT NOT a
a + b | a - b | a * b | a / b | a % b | a || b | a & b | a | b | a << b | a >> b
a -> '$.b' | a ->> 'b' | a = b | a == b | a <> b | a != b | a < b | a <= b | a > b | a >= b
a IS b | a IS NOT b | a IS NULL | a IS NOT NULL | a ISNULL | a NOTNULL | a NOT NULL
a IS DISTINCT FROM b | a IS NOT DISTINCT FROM b | a AND b OR c | NOT a AND NOT b
a LIKE b | a NOT LIKE b | a LIKE b ESCAPE '!' | a GLOB b | a NOT GLOB b | a REGEXP b | a MATCH b
a BETWEEN 1 AND 2 | a NOT BETWEEN 1 AND 2 AND b | a BETWEEN b AND c BETWEEN d AND e
a IN (1, 2) | a NOT IN (1) | a IN () | a IN (SELECT 1) | a IN (VALUES (1)) | a IN (WITH x AS (SELECT 1) SELECT * FROM x)
a IN t | a NOT IN t | a IN main.t | a IN f(1, 2) | a IN f() | (a, b) IN (SELECT 1, 2) | (a, b) = (1, 2) | (a, b) > (SELECT 1, 2)
EXISTS (SELECT 1) | NOT EXISTS (SELECT 1) | (SELECT 1) | (a) | ((a)) | a COLLATE nocase | a COLLATE "no case" = b
CASE WHEN a THEN b END | CASE a WHEN 1 THEN b WHEN 2 THEN c ELSE d END
CAST(a AS INTEGER) | CAST(a AS VARCHAR(10)) | CAST(a AS DECIMAL(10, -2)) | CAST(a AS unsigned big int) | CAST(a AS "my type") | CAST(a AS)
f() | f(a) | f(a, b) | count(*) | count(DISTINCT a) | count(ALL a) | f(DISTINCT) | group_concat(a, ',' ORDER BY b DESC)
replace(a, b, c) | "f"(a) | like(a, b) | left(a, 1) | if(a, b) | count(*) FILTER (WHERE a > 1)
rank() OVER () | rank() OVER w | sum(a) FILTER (WHERE b) OVER w | sum(a) OVER (w) | sum(a) OVER (PARTITION BY b, c ORDER BY d)
sum(a) OVER (ROWS UNBOUNDED PRECEDING) | sum(a) OVER (ROWS 2 PRECEDING) | sum(a) OVER (w RANGE CURRENT ROW)
sum(a) OVER (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) | sum(a) OVER (GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE NO OTHERS)
sum(a) OVER (ORDER BY b RANGE BETWEEN 1 + 1 FOLLOWING AND 5 FOLLOWING EXCLUDE CURRENT ROW)
sum(a) OVER (ROWS 1 PRECEDING EXCLUDE GROUP) | sum(a) OVER (ROWS 1 PRECEDING EXCLUDE TIES)
"""
QUERIES = """
SELECT a, b AS c, d e, f 'g', h "i" FROM t
SELECT a AS left, b AS indexed, c AS 'x' FROM t AS natural
SELECT DISTINCT a FROM t
SELECT ALL a FROM t
SELECT *, t.*, "t".* FROM t
SELECT 1
SELECT 1 WHERE 1
SELECT a FROM t, u v, main.w AS x
SELECT a FROM t INDEXED BY i
SELECT a FROM t AS x NOT INDEXED WHERE a
SELECT a FROM t JOIN u ON t.a = u.a INNER JOIN v USING (a, b) LEFT JOIN w ON 1 RIGHT OUTER JOIN x ON 1 FULL JOIN y ON 1
SELECT a FROM t CROSS JOIN u NATURAL JOIN v NATURAL LEFT OUTER JOIN w NATURAL INNER JOIN x LEFT NATURAL JOIN y
SELECT a FROM t, u ON t.a = u.a
SELECT a FROM (t)
SELECT a FROM ((t JOIN u ON t.a = u.a))
SELECT a FROM (t, u) AS x LEFT JOIN (u JOIN v ON 1) ON 1
SELECT a FROM (SELECT 1 AS a), (SELECT 2) AS x, (VALUES (1)) y, (WITH z AS (SELECT 1) SELECT * FROM z)
SELECT a FROM json_each('[1]') AS j, f(), pragma_table_info('t')
SELECT a FROM t WHERE a > 1 GROUP BY a, b HAVING count(*) > 1 WINDOW w AS (ORDER BY a), v AS (w ROWS 1 PRECEDING)
SELECT a FROM t HAVING count(*) > 1
SELECT a FROM t window
SELECT a FROM t WINDOW w AS ()
SELECT a FROM t ORDER BY a, 2 DESC, b ASC NULLS FIRST, c COLLATE nocase NULLS LAST
SELECT a FROM t LIMIT 5
SELECT a FROM t LIMIT 5 OFFSET 1 + 1
SELECT a FROM t LIMIT 1, 5
SELECT a FROM t UNION SELECT b FROM u UNION ALL SELECT c FROM v INTERSECT SELECT d FROM w EXCEPT SELECT e FROM x ORDER BY 1 LIMIT 1
VALUES (1, 2), (3, 4)
VALUES (1) UNION ALL SELECT 2 ORDER BY 1
SELECT 1 UNION VALUES (2), (3)
WITH x AS (SELECT 1), y (a, b) AS MATERIALIZED (VALUES (1, 2)), z AS NOT MATERIALIZED (SELECT 3) SELECT * FROM x, y, z
WITH RECURSIVE x (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM x LIMIT 5) SELECT n FROM x
SELECT 1 ;
SELECT 1 ; ;
"""
REFUSED = """
SELECT | SELECT FROM t | SELECT a, FROM t | SELECT a FROM | SELECT a FROM t WHERE | SELECT a b c FROM t | SELECT a FROM t GROUP a
SELECT a FROM t ORDER BY | SELECT a FROM t LIMIT | SELECT a FROM t HAVING | SELECT (a FROM t | SELECT a) FROM t | SELECT a FROM t,
SELECT a FROM t ORDER BY a UNION SELECT b FROM u | SELECT a FROM t LIMIT 1 UNION SELECT b FROM u | VALUES (1) ORDER BY 1 | VALUES (1) LIMIT 1
SELECT DISTINCT FROM t | SELECT count(DISTINCT *) | SELECT CAST a | SELECT CAST(a) | SELECT CAST(a AS INT(a)) | SELECT CAST(a AS (1)) | SELECT RAISE(IGNORE)
SELECT a FROM t JOIN | SELECT a FROM t LEFT u | SELECT a FROM t OUTER JOIN u | SELECT a FROM t LEFT INNER JOIN u | SELECT a FROM t CROSS FULL JOIN u
SELECT a FROM t AS | SELECT a indexed FROM t | SELECT a COLLATE left | SELECT a IN | SELECT a BETWEEN 1 OR 2 AND 3 | SELECT a LIKE | SELECT CASE END
SELECT CASE a THEN 1 END | SELECT NULL.a | SELECT current_date.a | SELECT current_date() | SELECT #1 | SELECT a FROM a.b.c | SELECT order FROM t
SELECT sum(a) OVER (ROWS UNBOUNDED FOLLOWING) | SELECT sum(a) OVER (ROWS 1) | SELECT sum(a) OVER (ROWS 1 PRECEDING EXCLUDE ROW) | SELECT a == | SELECT ~
WITH x AS SELECT 1 SELECT 1 | WITH x (SELECT 1) SELECT 1 | WITH SELECT 1 | SELECT a < ANY (SELECT 1) | SELECT 1 UNION (SELECT 2) | SELECT a WITHIN GROUP (ORDER BY b)
"""


def lines(table: str, part: str = " | ") -> list[str]:
    return [text.strip() for line in table.strip().splitlines() for text in line.split(part)]


READ = [f"SELECT {text} FROM t" for text in lines(EXPRESSIONS)]
READ += [line for line in QUERIES.strip().splitlines()]
READ += ["SELECT a | b FROM t", "SELECT a | b & c FROM t"]


@pytest.mark.parametrize("sql", READ)
def test_each_production_is_read_as_sqlite_reads_it(sql: str) -> None:
    assert not is_syntax(complaint(sql))
    parsed = parse(sql)
    assert parsed.text(parsed.query) == sql.rstrip("; ")


@pytest.mark.parametrize("sql", lines(REFUSED))
def test_what_sqlite_does_not_read_is_refused(sql: str) -> None:
    assert complaint(sql) not in ("", "no statement")
    with pytest.raises(NotAQuery) as caught:
        parse(sql)
    assert caught.value.reason == "syntax"


# A query, the node to look at, and some of its fields.
SHAPES: list[tuple[str, type[Node], dict[str, Any]]] = [
    ("SELECT a IS NOT NULL", expressions.NullTest, {"negated": True}),
    ("SELECT a NOTNULL", expressions.NullTest, {"negated": True}),
    ("SELECT a ISNULL", expressions.NullTest, {"negated": False}),
    ("SELECT a IS NOT 5", expressions.Comparison, {"op": "IS NOT"}),
    ("SELECT a IS NOT DISTINCT FROM NULL", expressions.Comparison, {"op": "IS NOT DISTINCT FROM"}),
    ("SELECT a == 5", expressions.Comparison, {"op": "="}),
    ("SELECT a != 5", expressions.Comparison, {"op": "<>"}),
    ("SELECT a NOT GLOB b", expressions.Like, {"op": "GLOB", "negated": True}),
    ("SELECT a NOT BETWEEN 1 AND 2", expressions.Between, {"negated": True}),
    ("SELECT a NOT IN (1)", expressions.In, {"negated": True, "query": None, "table": None}),
    ("SELECT count(*)", expressions.Call, {"star": True, "distinct": False}),
    ("SELECT count(DISTINCT a)", expressions.Call, {"star": False, "distinct": True}),
    ("SELECT CAST(a AS decimal (10,2))", expressions.Cast, {"type_name": "DECIMAL(10,2)"}),
    ("SELECT main.t.[a b]", expressions.Column, {"names": ("main", "t", "a b"), "quote": "["}),
    ("SELECT a FROM t LIMIT 1, 5", clauses.Limit, {"comma": True}),
    ("SELECT a FROM t ORDER BY a DESC NULLS LAST", clauses.OrderTerm, {"direction": "DESC", "nulls": "LAST"}),
    ("SELECT a FROM t left outer join u", clauses.Join, {"op": "LEFT OUTER JOIN", "using": ()}),
    ("SELECT a FROM t JOIN u USING (a, b)", clauses.Join, {"using": ("a", "b"), "on": None}),
    ("SELECT a FROM main.t AS x INDEXED BY i", clauses.TableSource, {"names": ("main", "t"), "alias": "x", "hint": "INDEXED BY i"}),
    ("SELECT a UNION ALL SELECT b", clauses.Compound, {"op": "UNION ALL"}),
    ("WITH x (y) AS NOT MATERIALIZED (SELECT 1) SELECT y FROM x", clauses.Cte, {"columns": ("y",), "hint": "NOT MATERIALIZED"}),
    ("SELECT f() OVER (w ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING EXCLUDE TIES)", clauses.Window, {"base": "w", "frame": "ROWS BETWEEN # PRECEDING AND # FOLLOWING EXCLUDE TIES"}),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "kind", "fields"), SHAPES)
def test_a_node_says_what_was_written(sql: str, kind: type[Node], fields: dict[str, Any]) -> None:
    node = next(node for node in parse(sql).nodes if isinstance(node, kind))
    assert {name: getattr(node, name) for name in fields} == fields


def test_limit_with_a_comma_gives_the_offset_first() -> None:
    limit = parse("SELECT a FROM t LIMIT 1, 5").query.limit
    assert limit is not None
    assert isinstance(limit.offset, expressions.Literal)
    assert limit.offset.text == "1"


def kinds(module: Any) -> Iterator[type[Node]]:
    for kind in vars(module).values():
        if isinstance(kind, type) and issubclass(kind, Node) and dataclasses.is_dataclass(kind):
            yield kind


def test_the_tables_above_make_every_kind_of_node() -> None:
    made = {type(node) for sql in READ for node in parse(sql).nodes}
    assert {*kinds(expressions), *kinds(clauses)} - made == {Node, expressions.Expression}


def test_nodes_are_listed_once_with_children_before_their_parents() -> None:
    for sql in READ:
        parsed = parse(sql)
        assert [node.at for node in parsed.nodes] == list(range(len(parsed.nodes)))
        for node in parsed.nodes:
            assert all(part.at < node.at and part.parent is node for part in node.parts())
        assert parsed.nodes[-1] is parsed.query
