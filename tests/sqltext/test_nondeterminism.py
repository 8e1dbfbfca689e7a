"""What asks the clock, chance or the connection, and what asks for an order."""

import pytest

from sqltext.nondeterminism import nondeterministic, ordered
from sqltext.parse import parse
from sqltext.schema import Schema, TableSchema
from sqltext.scope import resolve

SCHEMA = Schema([TableSchema("t", ("a", "random", "current_date", "d"))])

NONDETERMINISTIC = [
    "SELECT random()", "SELECT RANDOM ( )", "SELECT abs(random() % 5) FROM t", "SELECT randomblob(4)", "SELECT changes()",
    "SELECT total_changes()", "SELECT last_insert_rowid()", "SELECT current_date", "SELECT CURRENT_TIME", "SELECT a FROM t WHERE d < Current_Timestamp",
    "SELECT date()", "SELECT time()", "SELECT datetime()", "SELECT julianday()", "SELECT unixepoch()", "SELECT strftime('%Y')",
    "SELECT date('now')", "SELECT DATE('NOW', '-1 day')", "SELECT strftime('%Y', 'now')", "SELECT time('now')", "SELECT julianday('now') - julianday(d) FROM t",
    "SELECT datetime(('now'))", 'SELECT date("now")', "SELECT timediff('now', d) FROM t", "SELECT timediff(d, 'now') FROM t", "SELECT unixepoch('subsec')",
    "SELECT a FROM t ORDER BY random()", "SELECT a FROM t WHERE a IN (SELECT a FROM t WHERE d = date('now'))", 'SELECT "random"() FROM t',
    "WITH r AS (SELECT random()) SELECT 1", "SELECT sum(a) OVER (ORDER BY random()) FROM t",
]  # fmt: skip
DETERMINISTIC = [
    "SELECT random FROM t", "SELECT t.random FROM t", "SELECT a AS random FROM t ORDER BY random", 'SELECT "current_date" FROM t',
    "SELECT t.current_date FROM t", "SELECT a AS current_date FROM t", "SELECT date(d) FROM t", "SELECT strftime('%Y', d) FROM t",
    "SELECT date('2020-01-01')", "SELECT 'now'", "SELECT a FROM t WHERE d = 'now'", "SELECT 'random()'", "SELECT 1 -- random()",
    "SELECT datetime(d, '+1 day') FROM t", "SELECT abs(a), round(a), upper('now') FROM t", "SELECT a FROM [random()]", "SELECT timediff(d, d) FROM t",
]  # fmt: skip


@pytest.mark.parametrize("sql", NONDETERMINISTIC)
def test_this_may_answer_otherwise_tomorrow(sql: str) -> None:
    assert nondeterministic(resolve(parse(sql), SCHEMA))


@pytest.mark.parametrize("sql", DETERMINISTIC)
def test_this_may_not(sql: str) -> None:
    assert not nondeterministic(resolve(parse(sql), SCHEMA))


ORDERED = [
    "SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER\n  BY a", "SELECT a FROM t/**/ORDER/**/BY a LIMIT 1", "SELECT a FROM t UNION SELECT 1 ORDER BY 1",
    "WITH r AS (SELECT 1) SELECT * FROM r ORDER BY 1", "VALUES (1) UNION SELECT 2 ORDER BY 1",
]  # fmt: skip
UNORDERED = [
    "SELECT a FROM t", "SELECT * FROM (SELECT a FROM t ORDER BY a)", "SELECT a FROM t WHERE a IN (SELECT a FROM t ORDER BY a LIMIT 1)",
    "SELECT rank() OVER (ORDER BY a) FROM t", "SELECT group_concat(a ORDER BY a) FROM t", "SELECT 'ORDER BY a' FROM t", "SELECT a FROM t -- ORDER BY a",
    "WITH r AS (SELECT a FROM t ORDER BY a) SELECT * FROM r", "SELECT a AS [ORDER BY] FROM t", "SELECT a FROM t WINDOW w AS (ORDER BY a)",
]  # fmt: skip


@pytest.mark.parametrize("sql", ORDERED)
def test_the_outermost_query_asks_for_an_order(sql: str) -> None:
    assert ordered(parse(sql))


@pytest.mark.parametrize("sql", UNORDERED)
def test_an_order_elsewhere_is_none_of_the_answers(sql: str) -> None:
    assert not ordered(parse(sql))
