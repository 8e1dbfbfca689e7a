"""What is turned away before it is compiled."""

import pytest

from db_execution.sandbox import guard
from db_execution.sandbox.profile import GENERAL, Profile
from db_execution.sandbox.verdicts import PolicyError


def refusal(sql: str, profile: Profile = GENERAL) -> str | None:
    try:
        guard.check(sql, profile)
    except PolicyError as error:
        return error.verdict.error_class
    return None


def doubling(levels: int) -> str:
    ctes = [f"c{n} AS (SELECT * FROM c{n - 1} a, c{n - 1} b)" for n in range(1, levels)]
    return f"WITH c0 AS (SELECT 1), {', '.join(ctes)} SELECT * FROM c{levels - 1}"


def test_size_is_counted_in_bytes() -> None:
    small = Profile(sql_bytes=10)
    assert refusal("SELECT 'a'", small) is None
    assert refusal("SELECT 'é'", small) == "sql_bytes"


def test_parentheses_count_only_where_they_nest() -> None:
    assert guard.nesting("f((a), (b))") == 2
    assert guard.nesting("'((((' || \"((\" -- ((\n /* (( */ [(]") == 0


def test_deep_nesting_is_refused_and_much_shallow_nesting_is_not() -> None:
    assert refusal("SELECT " + "(" * 1_001 + "1" + ")" * 1_001) == "nesting"
    assert refusal("SELECT " + "(1)+" * 1_001 + "1") is None


@pytest.mark.parametrize(("levels", "copies"), [(1, 1), (2, 3), (3, 7), (4, 15)])
def test_a_cte_named_twice_is_copied_twice(levels: int, copies: int) -> None:
    last = guard.expansion(doubling(levels), enough=1_000)
    assert last >= copies


def test_a_bomb_is_refused_by_counting() -> None:
    assert refusal(doubling(26)) == "expansion"


def test_counting_a_bomb_is_quick() -> None:
    assert guard.expansion(doubling(5_000), enough=10_000) == 10_001


def test_many_ctes_that_do_not_multiply_pass() -> None:
    ctes = ", ".join(f"c{n} AS NOT MATERIALIZED (SELECT {n})" for n in range(200))
    joined = " UNION ALL ".join(f"SELECT * FROM c{n}" for n in range(200))
    assert refusal(f"WITH {ctes} {joined}") is None


def test_names_with_columns_and_quotes_are_seen() -> None:
    sql = 'WITH "A"(x) AS (SELECT 1), b(x) AS MATERIALIZED (SELECT * FROM a, a) SELECT * FROM b, b'
    assert guard.expansion(sql, enough=100) >= 6


@pytest.mark.parametrize("text", ["", " ; ;", "-- a", "/* a", "/* a */ -- b\n;"])
def test_blanks_comments_and_semicolons_are_no_statement(text: str) -> None:
    assert guard.is_blank(text)


@pytest.mark.parametrize("text", ["x", "-- a\nx", "/* a */ x", "; 'a'"])
def test_anything_else_is_one(text: str) -> None:
    assert not guard.is_blank(text)
