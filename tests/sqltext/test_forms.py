"""Which texts are one query to the forms, and which are not."""

import pytest

from sqltext.forms import forms
from sqltext.schema import NO_SCHEMA
from tests.sqltext.queries import SMALL

SAME = [
    ("SELECT a FROM t", "select  A\nfrom T ;"),
    ("SELECT a FROM t", "SELECT/**/a FROM t -- done"),
    ("SELECT p.a FROM t AS p", "SELECT t.a FROM t"),
    ("SELECT p.a FROM t AS p", "SELECT a FROM t"),
    ("SELECT p.a, q.x FROM t p JOIN u q ON p.id = q.tid", "SELECT a, x FROM t INNER JOIN u ON t.id = u.tid"),
    ("SELECT a FROM t LEFT JOIN u ON 1", "SELECT a FROM t LEFT OUTER JOIN u ON 1"),
    ("SELECT a FROM t WHERE a = 1 AND b = 'x'", "SELECT a FROM t WHERE b = 'x' AND a = 1"),
    ("SELECT a FROM t WHERE (a = 1 AND b = 'x') AND c > 2", "SELECT a FROM t WHERE c > 2 AND (b = 'x' AND a = 1)"),
    ("SELECT a FROM t WHERE a = 1 OR (b = 'x' OR c = 2)", "SELECT a FROM t WHERE (c = 2 OR a = 1) OR b = 'x'"),
    ("SELECT ((a)) FROM t WHERE ((a = (1)))", "SELECT a FROM t WHERE a = 1"),
    ("SELECT a FROM t WHERE a == 1 AND b != 'x'", "SELECT a FROM t WHERE a = 1 AND b <> 'x'"),
    ("SELECT a FROM t WHERE a ISNULL", "SELECT a FROM t WHERE a IS NULL"),
    ("SELECT a FROM t WHERE a NOTNULL", "SELECT a FROM t WHERE a IS NOT NULL"),
    ("SELECT a FROM t WHERE c = 01.50", "SELECT a FROM t WHERE c = 1.5"),
    ("SELECT a FROM t WHERE a = 0x10", "SELECT a FROM t WHERE a = 16"),
    ("SELECT a FROM t WHERE c = 1e2", "SELECT a FROM t WHERE c = 100.0"),
    ("SELECT a FROM t WHERE c = 9e999", "SELECT a FROM t WHERE c = 1e400"),
    ("SELECT x'0f'", "SELECT X'0F'"),
    ("SELECT [a], `b`, \"c\" FROM t", "SELECT a, b, c FROM t"),
    ("SELECT a FROM t WHERE b = \"nope\"", "SELECT a FROM t WHERE b = 'nope'"),
    ("SELECT COUNT(*) FROM t", "SELECT count( * ) FROM t"),
    ("SELECT count(ALL a) FROM t", "SELECT count(a) FROM t"),
    ("SELECT ALL a FROM t", "SELECT a FROM t"),
    ("SELECT a FROM t ORDER BY a ASC", "SELECT a FROM t ORDER BY a"),
    ("SELECT a FROM t LIMIT 1, 5", "SELECT a FROM t LIMIT 5 OFFSET 1"),
    ("SELECT a x FROM t", "SELECT a AS x FROM t"),
    ("SELECT p.* FROM t p", "SELECT t.* FROM t"),
    ("SELECT Q.* FROM t p", "SELECT q.* FROM t"),
    ("SELECT f() over FROM t", "SELECT f() AS over FROM t"),
    ("SELECT a FROM (SELECT a FROM t) AS p", "SELECT q.a FROM (SELECT a FROM t) AS q"),
    ("SELECT a FROM t WHERE id IN (SELECT q.tid FROM u q)", "SELECT a FROM t WHERE id IN (SELECT tid FROM u)"),
    ("SELECT CAST(a AS varchar ( 10 )) FROM t", "SELECT CAST(a AS VARCHAR(10)) FROM t"),
    ("SELECT \"Home Town\" FROM [odd table]", "SELECT `home town` FROM \"Odd Table\""),
    ("SELECT group_concat(a ORDER BY b) FROM t", "SELECT group_concat(a  order  by b ASC) FROM t"),
]  # fmt: skip

DIFFERENT = [
    ("SELECT a FROM t WHERE +a = '1'", "SELECT a FROM t WHERE a = '1'"),
    ("SELECT a FROM t NOT INDEXED", "SELECT a FROM t"),
    ("SELECT a FROM t INDEXED BY i", "SELECT a FROM t"),
    ("SELECT CAST(a AS NUMERIC) FROM t", "SELECT CAST(a AS REAL) FROM t"),
    ("SELECT CAST(b AS DATE) FROM t", "SELECT DATE(b) FROM t"),
    ("SELECT CAST(a AS STRING) FROM t", "SELECT CAST(a AS TEXT) FROM t"),
    ("SELECT CAST(a AS VARCHAR(10)) FROM t", "SELECT CAST(a AS VARCHAR(11)) FROM t"),
    ("SELECT 1", "SELECT 1.0"),
    ("SELECT 'A'", "SELECT 'a'"),
    ("SELECT '1'", "SELECT 1"),
    ("SELECT x'31'", "SELECT '1'"),
    ("SELECT 9223372036854775807", "SELECT 9223372036854775808"),
    ("SELECT 9007199254740993", "SELECT 9007199254740992"),
    ("SELECT a FROM t ORDER BY 1", "SELECT a FROM t ORDER BY 2"),
    ("SELECT a FROM t GROUP BY 1", "SELECT a FROM t GROUP BY 2"),
    ("SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a DESC"),
    ("SELECT a FROM t ORDER BY a NULLS FIRST", "SELECT a FROM t ORDER BY a"),
    ("SELECT a FROM t", "SELECT DISTINCT a FROM t"),
    ("SELECT a FROM t JOIN u ON 1", "SELECT a FROM t CROSS JOIN u ON 1"),
    ("SELECT a FROM t JOIN u", "SELECT a FROM t, u"),
    ("SELECT a FROM t JOIN u ON t.id = u.id", "SELECT a FROM t JOIN u USING (id)"),
    ("SELECT a FROM t WHERE a IS 1", "SELECT a FROM t WHERE a = 1"),
    ("SELECT a FROM t WHERE NOT a = 1", "SELECT a FROM t WHERE a <> 1"),
    ("SELECT a FROM t WHERE a IN (1)", "SELECT a FROM t WHERE a = 1"),
    ("SELECT a FROM t WHERE a IN ((SELECT 1))", "SELECT a FROM t WHERE a IN (SELECT 1)"),
    ("SELECT a FROM t WHERE a BETWEEN 1 AND 2", "SELECT a FROM t WHERE a >= 1 AND a <= 2"),
    ("SELECT a FROM t WHERE a = 1 AND (b = 'x' OR c = 2)", "SELECT a FROM t WHERE (a = 1 AND b = 'x') OR c = 2"),
    ("SELECT a + (c + 1) FROM t", "SELECT (a + c) + 1 FROM t"),
    ("SELECT a - (c - 1) FROM t", "SELECT a - c - 1 FROM t"),
    ("SELECT -(-a) FROM t", "SELECT a FROM t"),
    ("SELECT a, b FROM t", "SELECT b, a FROM t"),
    ("SELECT a AS x FROM t", "SELECT a AS y FROM t"),
    ("SELECT p.a FROM t p JOIN t q ON p.id = q.a", "SELECT q.a FROM t p JOIN t q ON p.id = q.a"),
    ("SELECT json_extract(b, '$.a') FROM t", "SELECT b -> '$.a' FROM t"),
    ("SELECT b ->> '$.a' FROM t", "SELECT b -> '$.a' FROM t"),
    ("SELECT 'x' 'alias' FROM t", "SELECT 'xalias' FROM t"),
    ("SELECT count(*) FROM t", "SELECT count() FROM t"),
    ("SELECT count(a) FROM t", "SELECT count(DISTINCT a) FROM t"),
    ("SELECT a COLLATE nocase FROM t", "SELECT a FROM t"),
    ("WITH x(i) AS (SELECT a FROM t) SELECT i FROM x", "WITH x AS (SELECT a FROM t) SELECT i FROM x"),
    ("SELECT a FROM t UNION SELECT id FROM u", "SELECT id FROM u UNION SELECT a FROM t"),
    ("SELECT sum(a) OVER (ROWS 1 PRECEDING) FROM t", "SELECT sum(a) OVER (ROWS 1 FOLLOWING) FROM t"),
    ("SELECT - 0xFFFFFFFFFFFFFFFF", "SELECT - 18446744073709551615"),
]  # fmt: skip

ABSTRACTED = [
    ("SELECT a FROM t WHERE a = 1", "SELECT a FROM t WHERE a = 2"),
    ("SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = 'y'"),
    ("SELECT a FROM t WHERE b = 'x'", 'SELECT a FROM t WHERE b = "no name"'),
    ("SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = x'00'"),
    ("SELECT a FROM t WHERE b = TRUE", "SELECT a FROM t WHERE b = 5"),
    ("SELECT a FROM t LIMIT 1", "SELECT a FROM t LIMIT 2"),
    ("SELECT round(c, 1) FROM t", "SELECT round(c, 2) FROM t"),
]

APART_IN_BOTH = [
    ("SELECT a FROM t WHERE a IN (1, 2)", "SELECT a FROM t WHERE a IN (1, 2, 3)"),
    ("SELECT a FROM t WHERE b IS NULL", "SELECT a FROM t WHERE b IS 1"),
    ("SELECT a FROM t ORDER BY 1", "SELECT a FROM t ORDER BY 2"),
    ("SELECT a FROM t ORDER BY (1)", "SELECT a FROM t ORDER BY 2"),
    ("SELECT current_date", "SELECT current_time"),
    ("SELECT a FROM t WHERE a = -1", "SELECT a FROM t WHERE a = 1"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_these_are_the_same_query(one: str, other: str) -> None:
    assert forms(one, SMALL) == forms(other, SMALL)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_these_are_different_queries(one: str, other: str) -> None:
    assert forms(one, SMALL).exact != forms(other, SMALL).exact
    assert forms(one, NO_SCHEMA).exact != forms(other, NO_SCHEMA).exact


@pytest.mark.parametrize(("one", "other"), ABSTRACTED)
def test_the_structural_form_forgets_values(one: str, other: str) -> None:
    assert forms(one, SMALL).exact != forms(other, SMALL).exact
    assert forms(one, SMALL).structural == forms(other, SMALL).structural


@pytest.mark.parametrize(("one", "other"), APART_IN_BOTH)
def test_the_structural_form_keeps_what_is_no_value(one: str, other: str) -> None:
    assert forms(one, SMALL).structural != forms(other, SMALL).structural


def test_quoted_text_keeps_its_case_and_names_lose_theirs() -> None:
    assert (
        forms('SELECT "A" FROM t WHERE b = "Nope"', SMALL).exact
        == "select T1.a from t as T1 where T1.b = 'Nope'"
    )


def test_a_double_quoted_token_is_a_name_only_where_there_is_one() -> None:
    assert forms('SELECT a AS x FROM t ORDER BY "x"', SMALL).exact.endswith("order by x")
    assert forms('SELECT a FROM t ORDER BY "x"', SMALL).exact.endswith("order by 'x'")
    assert forms('SELECT "y" FROM t').exact == "select y from t as T1"
    assert forms('SELECT "y"').exact == "select 'y'"


def test_a_name_that_needs_quotes_has_those_that_make_no_value() -> None:
    exact = forms("SELECT [no such column] FROM t", SMALL).exact
    assert exact == "select `no such column` from t as T1"


def test_two_subqueries_may_change_places_without_new_aliases() -> None:
    inner = (
        "a IN (SELECT tid FROM u WHERE u.id > t.id)",
        "b IN (SELECT x FROM u AS w WHERE w.id < t.id)",
    )
    one, other = " AND ".join(inner), " AND ".join(inner[::-1])
    assert forms(f"SELECT a FROM t WHERE {one}", SMALL) == forms(
        f"SELECT a FROM t WHERE {other}", SMALL
    )


def test_the_order_of_union_arms_and_of_in_lists_is_kept() -> None:
    assert "in (2, 1)" in forms("SELECT a FROM t WHERE a IN (2, 1)").exact
