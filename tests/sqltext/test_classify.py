"""What differs between a gold and a neighbour."""

import pytest
from hypothesis import given

from sqltext.classify import ASPECTS, aspects, family, strategy_family
from sqltext.facts import Facts, analyse
from sqltext.schema import NO_SCHEMA, Schema, TableSchema
from tests.sqltext.queries import SMALL, queries, some_queries

SCHEMA = Schema(
    [
        TableSchema("t", ("id", "a", "b", "c", "d"), ("INT", "INT", "TEXT", "REAL", "DATE")),
        TableSchema("u", ("id", "tid", "x", "y"), ("INT", "INT", "TEXT", "TEXT")),
        TableSchema("v", ("id", "uid", "b"), ("INT", "INT", "TEXT")),
    ]
)
_SHORT = {"dropped": "condition_dropped", "added": "condition_added"}


def facts(sql: str, schema: Schema = SCHEMA) -> Facts:
    return analyse(sql, schema)


def differ(gold: str, neighbor: str, schema: Schema = SCHEMA) -> tuple[str, ...]:
    return aspects(facts(gold, schema).features, facts(neighbor, schema).features)


# A gold, a neighbour, and all that differs; `comparison` stands for comparison_changed, `dropped`
# and `added` for condition_dropped and condition_added.
ROWS = [
    ("SELECT b FROM t", "SELECT DISTINCT b FROM t", "distinct"),
    ("SELECT DISTINCT b FROM t", "SELECT b FROM t", "distinct"),
    ("SELECT t.b FROM t JOIN u ON t.id = u.tid", "SELECT t.b FROM t LEFT JOIN u ON t.id = u.tid", "join"),
    ("SELECT t.b FROM t JOIN u ON t.id = u.tid", "SELECT t.b FROM t CROSS JOIN u", "join"),
    ("SELECT t.b FROM t JOIN u ON t.id = u.tid", "SELECT t.b FROM t JOIN u ON t.id = u.id", "join"),
    ("SELECT t.b FROM t JOIN u ON t.id = u.tid AND t.a = u.id", "SELECT t.b FROM t JOIN u ON t.id = u.tid", "join"),
    ("SELECT t.b FROM t JOIN u ON t.id = u.tid JOIN v ON u.id = v.uid WHERE v.b = 'x'", "SELECT t.b FROM t JOIN u ON t.id = u.tid JOIN v ON t.id = v.uid WHERE v.b = 'x'", "join"),
    ("SELECT t.b FROM t JOIN u ON t.id = u.tid WHERE u.x = 'k'", "SELECT t.b FROM t WHERE t.b = 'k'", "table join dropped added"),
    ("SELECT t.b FROM t JOIN u ON t.id = u.tid", "SELECT t.b FROM t", "table join"),
    ("SELECT t.b FROM t", "SELECT t.b FROM t JOIN u ON t.id = u.tid", "table join"),
    ("SELECT v.b FROM t JOIN u ON t.id = u.tid JOIN v ON v.uid = u.id", "SELECT v.b FROM u JOIN v ON v.uid = u.id", "table join"),
    ("SELECT id FROM t", "SELECT id FROM u", "table projection"),
    ("SELECT a FROM t WHERE id IN (SELECT tid FROM u)", "SELECT a FROM t WHERE id NOT IN (SELECT tid FROM u)", "negation"),
    ("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)", "SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u)", "negation"),
    ("SELECT a FROM t WHERE id IN (SELECT tid FROM u)", "SELECT a FROM t WHERE id = (SELECT tid FROM u)", "subquery comparison"),
    ("SELECT a FROM t WHERE id IN (SELECT tid FROM u WHERE x > 5)", "SELECT a FROM t WHERE id IN (SELECT tid FROM u WHERE x >= 5)", "comparison"),
    ("SELECT a FROM t WHERE id IN (SELECT tid FROM u WHERE x = 'k')", "SELECT a FROM t WHERE id IN (SELECT tid FROM u)", "dropped"),
    ("SELECT a FROM t WHERE id IN (SELECT tid FROM u)", "SELECT a FROM t WHERE id IN (SELECT id FROM u)", "projection"),
    ("SELECT a FROM t WHERE c > (SELECT avg(c) FROM t)", "SELECT a FROM t WHERE c > (SELECT max(c) FROM t)", "aggregate"),
    ("SELECT a FROM t WHERE c > (SELECT avg(c) FROM t)", "SELECT a FROM t WHERE c > 5", "subquery aggregate comparison"),
    ("SELECT a, count(*) FROM t GROUP BY a, b", "SELECT a, count(*) FROM t GROUP BY a", "grouping"),
    ("SELECT a, count(*) FROM t GROUP BY a", "SELECT a, count(*) FROM t", "grouping"),
    ("SELECT a FROM t GROUP BY a HAVING count(*) > 1", "SELECT a FROM t", "grouping having"),
    ("SELECT a FROM t GROUP BY a HAVING count(*) > 1", "SELECT a FROM t GROUP BY a", "having"),
    ("SELECT a FROM t GROUP BY a HAVING count(*) > 1", "SELECT a FROM t GROUP BY a HAVING count(*) >= 1", "having"),
    ("SELECT a FROM t GROUP BY a HAVING count(*) > 1", "SELECT a FROM t GROUP BY a HAVING count(*) > 2", "value"),
    ("SELECT a FROM t GROUP BY a HAVING count(*) > 1", "SELECT a FROM t GROUP BY a HAVING sum(c) > 1", "having"),
    ("SELECT count(b) FROM t", "SELECT count(DISTINCT b) FROM t", "aggregate"),
    ("SELECT count(*) FROM t", "SELECT count(b) FROM t", "aggregate"),
    ("SELECT sum(c) FROM t", "SELECT avg(c) FROM t", "aggregate"),
    ("SELECT sum(c) FROM t", "SELECT sum(a) FROM t", "aggregate"),
    ("SELECT max(c) FROM t", "SELECT c FROM t", "aggregate projection"),
    ("SELECT a FROM t UNION SELECT id FROM u", "SELECT a FROM t UNION ALL SELECT id FROM u", "set_operation"),
    ("SELECT a FROM t UNION SELECT id FROM u", "SELECT a FROM t EXCEPT SELECT id FROM u", "set_operation"),
    ("SELECT a FROM t EXCEPT SELECT id FROM u", "SELECT id FROM u EXCEPT SELECT a FROM t", "set_operation"),
    ("SELECT a FROM t UNION SELECT id FROM u", "SELECT a FROM t", "set_operation table"),
    ("SELECT a FROM t WHERE a > 1 INTERSECT SELECT a FROM t WHERE c < 2", "SELECT a FROM t WHERE a > 1", "set_operation dropped"),
    ("SELECT a FROM t ORDER BY c", "SELECT a FROM t ORDER BY c DESC", "order"),
    ("SELECT a FROM t ORDER BY c, b", "SELECT a FROM t ORDER BY c", "order"),
    ("SELECT a FROM t ORDER BY c", "SELECT a FROM t", "order"),
    ("SELECT a FROM t ORDER BY c LIMIT 1", "SELECT a FROM t ORDER BY a LIMIT 1", "order"),
    ("SELECT a FROM t ORDER BY count(*)", "SELECT a FROM t ORDER BY sum(c)", "order"),
    ("SELECT a FROM t ORDER BY c LIMIT 1", "SELECT a FROM t ORDER BY c LIMIT 2", "limit"),
    ("SELECT a FROM t ORDER BY c LIMIT 1", "SELECT a FROM t ORDER BY c", "limit"),
    ("SELECT a FROM t ORDER BY c LIMIT 1", "SELECT a FROM t ORDER BY c LIMIT 1 OFFSET 1", "limit"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE c >= 5", "comparison"),
    ("SELECT a FROM t WHERE c = 5", "SELECT a FROM t WHERE c <> 5", "comparison"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE (1 = 1)", "dropped added"),
    ("SELECT a FROM t WHERE c > 5 AND b = 'x'", "SELECT a FROM t WHERE c > 5 OR b = 'x'", "connective"),
    ("SELECT a FROM t WHERE c > 5 AND b = 'x'", "SELECT a FROM t WHERE b = 'x'", "dropped"),
    ("SELECT a FROM t WHERE c > 5 AND b = 'x'", "SELECT a FROM t WHERE c > 5", "dropped"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t", "dropped"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE c > 5 AND a = 1", "added"),
    ("SELECT a FROM t", "SELECT a FROM t WHERE c > 5", "added"),
    ("SELECT a FROM t WHERE a = 1 AND (b = 'x' OR c = 2)", "SELECT a FROM t WHERE (a = 1 AND b = 'x') OR c = 2", "connective"),
    ("SELECT a FROM t WHERE a = 1 AND b = 'x' AND c = 2", "SELECT a FROM t WHERE a = 1 OR b = 'x'", "dropped connective"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE c > 6", "value"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE c > -5", "value"),
    ("SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = 'y'", "value"),
    ("SELECT a FROM t WHERE b = \"x\"", "SELECT a FROM t WHERE b = 'X'", "value"),
    ("SELECT a FROM t WHERE a = 1 AND c = 2", "SELECT a FROM t WHERE a = 2 AND c = 1", "value"),
    ("SELECT a FROM t WHERE a IN (1, 2)", "SELECT a FROM t WHERE a IN (1, 3)", "value"),
    ("SELECT a FROM t WHERE a IN (1, 2)", "SELECT a FROM t WHERE a IN (1)", "value"),
    ("SELECT a FROM t WHERE a IN (1, 2)", "SELECT a FROM t WHERE a NOT IN (1, 2)", "negation"),
    ("SELECT a FROM t WHERE a = 1", "SELECT a FROM t WHERE NOT a = 1", "negation"),
    ("SELECT a FROM t WHERE a = 1 OR c = 2", "SELECT a FROM t WHERE NOT (a = 1 OR c = 2)", "negation"),
    ("SELECT a FROM t WHERE b LIKE 'x%'", "SELECT a FROM t WHERE b NOT LIKE 'x%'", "negation"),
    ("SELECT a FROM t WHERE b LIKE '%x%'", "SELECT a FROM t WHERE b LIKE 'x%'", "value"),
    ("SELECT a FROM t WHERE b LIKE 'x'", "SELECT a FROM t WHERE b = 'x'", "comparison"),
    ("SELECT a FROM t WHERE c BETWEEN 1 AND 9", "SELECT a FROM t WHERE c > 1 AND c <= 9", "comparison"),
    ("SELECT a FROM t WHERE c BETWEEN 1 AND 9", "SELECT a FROM t WHERE c NOT BETWEEN 1 AND 9", "negation"),
    ("SELECT a FROM t WHERE c BETWEEN 1 AND 9", "SELECT a FROM t WHERE c >= 1", "dropped"),
    ("SELECT a FROM t WHERE c BETWEEN 1 AND 9", "SELECT a FROM t WHERE c BETWEEN 1 AND 8", "value"),
    ("SELECT a FROM t WHERE b IS NULL", "SELECT a FROM t WHERE b IS NOT NULL", "null_test"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE (c IS NULL OR c > 5)", "added"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE (c IS NULL OR NOT c > 5)", "added negation"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE c IS NULL", "null_test"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE c IS NOT NULL", "null_test"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE a > 5", "dropped added"),
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE c > a", "comparison"),
    ("SELECT a FROM t WHERE a < c", "SELECT a FROM t WHERE a < id", "comparison"),
    ("SELECT a FROM t", "SELECT c FROM t", "projection"),
    ("SELECT a, b FROM t", "SELECT a FROM t", "projection"),
    ("SELECT max(a), min(a) FROM t", "SELECT min(a), max(a) FROM t", "projection"),
    ("SELECT upper(b), lower(b) FROM t", "SELECT lower(b), upper(b) FROM t", "projection"),
    ("SELECT max(a), count(*) FROM t", "SELECT max(a), count(b) FROM t", "aggregate"),
    ("SELECT a, b FROM t", "SELECT b, a FROM t", "projection"),
    ("SELECT a FROM t", "SELECT a, b FROM t", "projection"),
    ("SELECT * FROM t", "SELECT a FROM t", "projection"),
    ("SELECT t.b FROM t JOIN v ON t.id = v.uid", "SELECT v.b FROM t JOIN v ON t.id = v.uid", "projection"),
    ("SELECT p.b FROM t p JOIN t q ON p.id = q.a", "SELECT q.b FROM t p JOIN t q ON p.id = q.a", "projection"),
    ("SELECT a FROM t", "SELECT coalesce(a, -9) FROM t", "function"),
    ("SELECT b FROM t", "SELECT upper(b) FROM t", "function"),
    ("SELECT upper(b) FROM t", "SELECT lower(b) FROM t", "function"),
    ("SELECT round(c, 2) FROM t", "SELECT round(c, 3) FROM t", "value"),
    ("SELECT a * c FROM t", "SELECT a / c FROM t", "arithmetic"),
    ("SELECT a * c FROM t", "SELECT a FROM t", "arithmetic"),
    ("SELECT a - c FROM t", "SELECT c - a FROM t", "arithmetic"),
    ("SELECT a * 1.0 / c FROM t", "SELECT a / c FROM t", "arithmetic"),
    ("SELECT CAST(a AS REAL) / c FROM t", "SELECT a / c FROM t", "function"),
    ("SELECT CAST(a AS REAL) FROM t", "SELECT CAST(a AS INTEGER) FROM t", "function"),
    ("SELECT sum(CASE WHEN b = 'x' THEN 1 ELSE 0 END) FROM t", "SELECT sum(CASE WHEN b = 'y' THEN 1 ELSE 0 END) FROM t", "value"),
    ("SELECT sum(CASE WHEN c > 5 THEN 1 ELSE 0 END) FROM t", "SELECT sum(CASE WHEN c >= 5 THEN 1 ELSE 0 END) FROM t", "comparison"),
    ("SELECT sum(CASE WHEN b = 'x' THEN 1 ELSE 0 END) FROM t", "SELECT sum(CASE WHEN b = 'x' THEN 0 ELSE 1 END) FROM t", "value"),
    ("SELECT sum(CASE WHEN b = 'x' THEN 1 ELSE 0 END) FROM t", "SELECT sum(CASE WHEN b = 'x' THEN 1 ELSE NULL END) FROM t", "value"),
    ("SELECT sum(IIF(c > 5, 1, 0)) FROM t", "SELECT sum(IIF(c < 5, 1, 0)) FROM t", "comparison"),
    ("SELECT sum(IIF(c > 5, 1, 0)) FROM t", "SELECT sum(IIF(c > 5, 0, 1)) FROM t", "value"),
    ("SELECT CASE WHEN c > 5 THEN a ELSE id END FROM t", "SELECT CASE WHEN c > 5 THEN id ELSE a END FROM t", "function"),
    ("SELECT CASE WHEN c > 5 THEN 'h' WHEN c > 2 THEN 'm' ELSE 'l' END FROM t", "SELECT CASE WHEN c > 5 THEN 'h' ELSE 'l' END FROM t", "function"),
    ("SELECT a FROM t WHERE strftime('%Y', d) = '2012'", "SELECT a FROM t WHERE strftime('%m', d) = '2012'", "value"),
    ("SELECT a FROM t WHERE strftime('%Y', d) = '2012'", "SELECT a FROM t WHERE d = '2012'", "function"),
    ("SELECT a FROM t WHERE a + 1 > 5", "SELECT a FROM t WHERE a - 1 > 5", "arithmetic"),
    ("SELECT a FROM t WHERE a > 5", "SELECT a FROM t WHERE a + 1 > 5", "arithmetic"),
    ("SELECT a FROM t WHERE upper(b) = 'X'", "SELECT a FROM t WHERE b = 'X'", "function"),
    ("SELECT a FROM t WHERE +a = '1'", "SELECT a FROM t WHERE a = '1'", "arithmetic"),
    ("SELECT a AS x FROM t", "SELECT a AS y FROM t", "other"),
    ("SELECT a FROM t NOT INDEXED", "SELECT a FROM t", "other"),
    ("SELECT a FROM t WHERE 5 < c", "SELECT a FROM t WHERE c > 5", "other"),
    ("SELECT rank() OVER (ORDER BY c) FROM t", "SELECT rank() OVER (ORDER BY c DESC) FROM t", "function"),
    ("SELECT rank() OVER (ORDER BY c) FROM t", "SELECT dense_rank() OVER (ORDER BY c) FROM t", "function"),
    ("SELECT rank() OVER (PARTITION BY b ORDER BY c) FROM t", "SELECT rank() OVER (ORDER BY c) FROM t", "function"),
    ("SELECT count(*) FILTER (WHERE c > 1) FROM t", "SELECT count(*) FROM t", "dropped"),
    ("WITH q AS (SELECT a FROM t) SELECT a FROM q", "SELECT a FROM t", "subquery projection"),
    ("SELECT a FROM (SELECT a FROM t WHERE c > 5)", "SELECT a FROM (SELECT a FROM t WHERE c > 6)", "value"),
    ("SELECT t.a FROM t, u WHERE t.id = u.tid", "SELECT t.a FROM t JOIN u ON t.id = u.tid", "join dropped"),
    ("SELECT t.a FROM t, u WHERE t.id = u.tid", "SELECT t.a FROM t, u", "dropped"),
    ("SELECT a || b FROM t", "SELECT a || c FROM t", "projection"),
    ("SELECT a FROM t WHERE a = 1", "SELECT a FROM t WHERE a = 1", ""),
    ("SELECT T1.a FROM t AS T1", "select x.A from T x", ""),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "neighbor", "expected"), ROWS)
def test_an_edit_changes(gold: str, neighbor: str, expected: str) -> None:
    names = tuple(_SHORT.get(word, f"{word}_changed") for word in expected.split())
    assert differ(gold, neighbor) == names


SYMMETRIC = {"condition_dropped": "condition_added", "condition_added": "condition_dropped"}


@pytest.mark.parametrize(("gold", "neighbor", "expected"), ROWS)
def test_the_way_back_changes_the_same(gold: str, neighbor: str, expected: str) -> None:
    there, back = differ(gold, neighbor), differ(neighbor, gold)
    assert {SYMMETRIC.get(name, name) for name in there} == set(back)


def test_every_aspect_has_a_row() -> None:
    seen = {word for _, _, expected in ROWS for word in expected.split()}
    assert {_SHORT.get(word, f"{word}_changed") for word in seen} == set(ASPECTS)


def test_a_query_differs_from_itself_in_nothing() -> None:
    for gold, neighbor, _ in ROWS:
        assert differ(gold, gold) == differ(neighbor, neighbor) == ()


@pytest.mark.parametrize(("gold", "neighbor"), [row[:2] for row in ROWS])
def test_another_text_of_one_query_differs_in_nothing(gold: str, neighbor: str) -> None:
    again = facts(neighbor).exact
    assert differ(neighbor, again) == ()
    assert differ(gold, again) == differ(gold, neighbor)


@some_queries
@given(queries(), queries())
def test_two_random_queries_differ_in_something_or_are_one(gold: str, neighbor: str) -> None:
    found = differ(gold, neighbor, SMALL)
    assert list(found) == [name for name in ASPECTS if name in found]
    assert (found == ()) == (facts(gold, SMALL).exact == facts(neighbor, SMALL).exact)
    assert "other_changed" not in found or found == ("other_changed",)


NOTHING_ELSE = [
    ("SELECT a FROM t WHERE c > 5", "SELECT a FROM t WHERE c >= 5", "comparison_changed"),
    ("SELECT t.a FROM t JOIN u ON t.id = u.tid", "SELECT t.a FROM t LEFT JOIN u ON t.id = u.tid", "join_changed"),
    ("SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = 'y'", "value_changed"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "neighbor", "expected"), NOTHING_ELSE)
def test_a_single_edit_is_seen_without_a_schema_too(
    gold: str, neighbor: str, expected: str
) -> None:
    assert differ(gold, neighbor, NO_SCHEMA) == (expected,)


FAMILIES = [
    ("SELECT a FROM t", "simple"),
    ("SELECT DISTINCT count(*) FROM t", "simple"),
    ("VALUES (1)", "simple"),
    ("SELECT a FROM t WHERE a = 1", "where"),
    ("SELECT a FROM t, u", "join"),
    ("SELECT a FROM (t JOIN u)", "join"),
    ("SELECT a FROM t JOIN u ON 1 WHERE a GROUP BY a ORDER BY a LIMIT 1", "join+where+group+order+limit"),
    ("SELECT a FROM t GROUP BY a HAVING count(*) > 1", "group+having"),
    ("SELECT a FROM t UNION SELECT id FROM u", "union"),
    ("SELECT a FROM t UNION ALL SELECT id FROM u WHERE x = 1", "union_all+where"),
    ("SELECT a FROM t EXCEPT SELECT 1 INTERSECT SELECT 2 ORDER BY 1", "except+intersect+order"),
    ("SELECT a FROM t WHERE a IN (SELECT tid FROM u WHERE x = 1 LIMIT 1)", "where+subquery"),
    ("SELECT a FROM (SELECT a FROM t WHERE a = 1)", "subquery"),
    ("SELECT (SELECT 1)", "subquery"),
    ("SELECT a FROM t WHERE EXISTS (SELECT 1)", "where+subquery"),
    ("WITH r AS (SELECT a FROM t WHERE a = 1) SELECT a FROM r", "cte"),
    ("SELECT rank() OVER (ORDER BY a) FROM t", "window"),
    ("SELECT a FROM t WHERE b IN u", "where+subquery"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "expected"), FAMILIES)
def test_a_query_is_of_the_family(sql: str, expected: str) -> None:
    assert family(facts(sql).features) == facts(sql).family == expected


CHANGES = [
    ("SELECT a FROM t", "SELECT b FROM t", "same shape"),
    ("SELECT a FROM t WHERE a", "SELECT a FROM t WHERE b", "same shape"),
    ("SELECT a FROM t", "SELECT a FROM t ORDER BY a", "+order"),
    ("SELECT a FROM t, u", "SELECT a FROM t ORDER BY a", "+order -join"),
    ("SELECT a FROM t, u WHERE a LIMIT 1", "SELECT a FROM t GROUP BY a HAVING b", "+group +having -join -where -limit"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "neighbor", "expected"), CHANGES)
def test_a_change_has_a_shape(gold: str, neighbor: str, expected: str) -> None:
    assert strategy_family(facts(gold).features, facts(neighbor).features) == expected
