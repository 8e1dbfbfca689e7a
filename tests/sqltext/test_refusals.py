"""What is refused, by which name, and that nothing hostile does more than be refused."""

import contextlib
import inspect
import pickle
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from sqltext.classify import aspects
from sqltext.errors import NotAQuery
from sqltext.facts import analyse
from sqltext.keys import gold_flags
from sqltext.limits import MAX_COLUMNS, MAX_CORES, MAX_HEIGHT, MAX_LENGTH, MAX_TABLES
from sqltext.parse import parse, refusal
from tests.shared_data import cases

REASONS = [
    ("", "empty"),
    (" -- only a comment", "empty"),
    ("/* open", "empty"),
    ("SELECT 'a", "unterminated"),
    ('SELECT "a', "unterminated"),
    ("SELECT `a", "unterminated"),
    ("SELECT [a", "unterminated"),
    ("SELECT 1a", "bad_token"),
    ("SELECT !a", "bad_token"),
    ("SELECT x'0'", "bad_token"),
    ("SELECT 1\0", "bad_token"),
    ("SELECT '\0'", "bad_token"),
    ("SELECT '\ud800'", "bad_token"),
    ("SELECT a\udfff", "bad_token"),
    ("SELECT", "syntax"),
    ("SELECT a FROM t WHERE", "syntax"),
    ("ＳＥＬＥＣＴ 1", "not_a_query"),
    ("ſELECT 1", "not_a_query"),
    ("DELETE FROM t", "not_a_query"),
    ("EXPLAIN SELECT 1", "not_a_query"),
    ("PRAGMA table_info(t)", "not_a_query"),
    ("(SELECT 1)", "not_a_query"),
    ("; SELECT 1", "not_a_query"),
    ("how many are there?", "not_a_query"),
    ("WITH x AS (SELECT 1) DELETE FROM t", "syntax"),
    ("SELECT 1; SELECT 2", "two_statements"),
    ("SELECT 1; DROP TABLE t", "two_statements"),
    ("SELECT 1;; x", "two_statements"),
    ("SELECT " + "(" * 101 + "1" + ")" * 101, "nested_too_deep"),
    ("SELECT '" + "a" * MAX_LENGTH + "'", "too_long"),
]


@pytest.mark.parametrize(("sql", "reason"), REASONS)
def test_a_refusal_names_its_reason(sql: str, reason: str) -> None:
    found = refusal(sql)
    assert found is not None
    assert found.reason == reason
    assert 0 <= found.position <= len(sql)


def test_stars_that_double_end_where_no_answer_is_as_wide() -> None:
    doubling = ", ".join(
        f"c{n} AS (SELECT * FROM c{n - 1} AS x, c{n - 1} AS y)" for n in range(1, 30)
    )
    sql = f"WITH c0 AS (SELECT a, b FROM t), {doubling} SELECT * FROM c"
    outputs = [names for names in analyse(sql + "29").scopes.outputs.values() if names]
    assert max(map(len, outputs)) == 2 * 2**9


def test_every_reason_of_the_error_is_in_the_table_or_a_limit() -> None:
    named = {reason for _, reason in REASONS} | {"too_wide"}
    assert all(f"``{reason}``" in (NotAQuery.__doc__ or "") for reason in named)


def test_a_message_says_what_stands_where() -> None:
    with pytest.raises(NotAQuery, match="expected a name, found FROM at 10"):
        parse("SELECT a, FROM t")


def test_a_refusal_survives_the_way_between_processes() -> None:
    found = refusal("SELECT a, FROM t")
    again = pickle.loads(pickle.dumps(found))
    assert found is not None
    assert (again.reason, str(again), again.position) == ("syntax", str(found), 10)


def test_a_query_has_no_refusal() -> None:
    assert refusal("SELECT 1") is None


def chain(operator: str, many: int) -> str:
    return "SELECT a FROM t WHERE " + operator.join(["a = 1"] * many)


LIMITS: list[tuple[Callable[[int], str], int, str]] = [
    (lambda n: "SELECT " + "+".join(["a"] * n), MAX_HEIGHT - 5, "nested_too_deep"),
    (lambda n: chain(" OR ", n), MAX_HEIGHT - 5, "nested_too_deep"),
    (lambda n: "SELECT " + ",".join(["a"] * n), MAX_COLUMNS, "too_wide"),
    (lambda n: "SELECT a FROM t ORDER BY " + ",".join(["a"] * n), MAX_COLUMNS, "too_wide"),
    (lambda n: "SELECT a FROM t GROUP BY " + ",".join(["a"] * n), MAX_COLUMNS, "too_wide"),
    (lambda n: " UNION ".join(["SELECT 1"] * n), MAX_CORES, "too_wide"),
    (lambda n: "SELECT 1 FROM " + ",".join(["t"] * n), MAX_TABLES, "too_wide"),
]


@pytest.mark.parametrize(("text", "most", "reason"), LIMITS)
def test_a_limit_is_where_it_says(text: Callable[[int], str], most: int, reason: str) -> None:
    assert refusal(text(most)) is None
    found = refusal(text(most + 10))
    assert found is not None
    assert found.reason == reason


MANY = 5_000
SIZES = ("nested_too_deep", "too_wide", "too_long", "syntax", "bad_token")
HOSTILE = [
    chain(" OR ", MANY),
    chain(" AND ", 990),
    "SELECT a FROM t WHERE " + " OR ".join(f"(a = {n} AND b = {n})" for n in range(900)),
    "SELECT " + "+".join(["a"] * MANY),
    "SELECT " + "||".join(["a"] * MANY),
    "SELECT " + "+".join(["a"] * 990),
    "SELECT " + " = ".join(["a"] * 990),
    "SELECT " + " IS NULL".join(["a", *[""] * 990]),
    "SELECT " + " COLLATE x".join(["a", *[""] * 990]),
    "SELECT a" + " LIKE a" * 990,
    "SELECT a" + " IN (1)" * 990,
    "SELECT a" + " BETWEEN 1 AND 2" * 990,
    "SELECT '" + "x" * 90_000 + "'" + "||a" * 900,
    "SELECT " + "-" * 90_000 + "1",
    "SELECT " + "- " * 99 + "1",
    "SELECT " + "NOT " * MANY + "1",
    "SELECT " + "(" * 90_000,
    "SELECT a IN (" + ",".join(["1"] * 40_000) + ")",
    "SELECT f(" + ",".join(["a"] * 40_000) + ")",
    "VALUES " + ",".join(["(1)"] * 20_000),
    " UNION ALL ".join(["SELECT 1"] * 1_000),
    " UNION ALL ".join(["SELECT a FROM t WHERE a = 1 ORDER BY"] * 1_000),
    "SELECT " + ",".join(f"a AS a{n}" for n in range(1_990)) + " FROM t ORDER BY " + ",".join(f"a{n}" for n in range(1_990)),
    "SELECT " + ",".join(["b"] * 1_900) + " FROM " + ",".join(f"(SELECT 1 AS a{n})" for n in range(190)),
    "WITH " + ",".join(f"c{n} AS (SELECT * FROM c{n - 1})" for n in range(1, 190)) + " SELECT * FROM c189",
    "SELECT CASE" + " WHEN a = 1 THEN 2" * 3_000 + " END",
    "SELECT * FROM t" + " JOIN u USING (a)" * 190,
    "SELECT 1" + "0" * 90_000,
    "SELECT 0x" + "f" * 90_000,
    "SELECT 1e" + "9" * 90_000,
    "SELECT [" + "]" * 3 + "a" * 90_000,
    "SELECT " + "/*" * 40_000,
    "SELECT a" * 10_000,
]  # fmt: skip


@pytest.mark.parametrize("sql", HOSTILE, ids=lambda sql: sql[:30])
def test_a_hostile_text_is_analysed_or_refused_in_reasonable_time(sql: str) -> None:
    began = time.process_time()
    found = refusal(sql)
    if found is None:
        gold_flags(analyse(sql).scopes)
    assert time.process_time() - began < 5
    assert found is None or found.reason in SIZES


def test_conditions_within_conditions_are_read_to_a_depth() -> None:
    deep = "a"
    for _ in range(60):
        deep = f"iif({deep} = 1, 2, 3)"
    facts = analyse(f"SELECT {deep} FROM t")
    assert len(facts.features.functions) == 60
    assert 30 < len(facts.features.inner) < 60


def test_two_large_queries_are_compared_in_reasonable_time() -> None:
    one, other = (
        analyse("SELECT 1 FROM t WHERE " + " AND ".join(f"{name}{n} = {n}" for n in range(900)))
        for name in "ab"
    )
    began = time.process_time()
    assert aspects(one.features, other.features) == ("condition_dropped", "condition_added")
    assert time.process_time() - began < 5


# What may stand inside itself, without end.
NESTS = [
    "({})", "(SELECT {})", "f({})", "max({})", "iif({}, 1, 2)", "CASE WHEN {} THEN 1 END", "CASE {} WHEN 1 THEN 2 END",
    "CASE WHEN 1 THEN {} END", "CAST({} AS INT)", "- {}", "NOT {}", "a IN ({})", "a IN (SELECT {})", "a IN (WITH x AS (SELECT {}) SELECT 1)",
    "EXISTS (SELECT 1 FROM t WHERE {})", "(SELECT a FROM (SELECT {} AS a))", "(SELECT a FROM t JOIN u ON {})", "f(a ORDER BY {})",
    "f() FILTER (WHERE {})", "f() OVER (PARTITION BY {})", "f() OVER (ORDER BY {})", "f() OVER (ROWS {} PRECEDING)", "a AND ({})",
    "(a OR {}) AND b", "a = ({})", "a BETWEEN {} AND 1", "(SELECT a FROM t GROUP BY {})", "(SELECT a FROM t ORDER BY {})",
    "(SELECT a FROM t LIMIT {})", "(SELECT a FROM f({}))", "(VALUES ({}))", "(a, {})", "(SELECT 1 FROM t HAVING {})", "a LIKE {}",
    "(SELECT 1 UNION SELECT {})", "(SELECT a FROM (t JOIN u ON {}))",
]  # fmt: skip


@contextlib.contextmanager
def frames(many: int) -> Iterator[None]:
    """No more than so many calls deep, as a caller may stand deep itself."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + many)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("nest", NESTS)
@pytest.mark.parametrize("deep", [10, 24, 49, 99, 1_000])
def test_nesting_is_read_or_refused_and_never_ends_the_stack(nest: str, deep: int) -> None:
    sql = "1"
    for _ in range(deep):
        sql = nest.replace("{}", sql)
    with frames(600):
        found = refusal("SELECT " + sql)
        if found is None:
            gold_flags(analyse("SELECT " + sql).scopes)
    assert found is None or deep > 24
    assert found is None or found.reason in ("nested_too_deep", "too_long")


def test_the_shared_hostile_texts_are_read_or_refused() -> None:
    for case in cases("hostile_sql"):
        found = refusal(case["sql"])
        assert found is not None or analyse(case["sql"]).exact
