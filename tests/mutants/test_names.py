"""Names resolve against the schema in scope, and give way to their own family alone."""

from __future__ import annotations

import pytest

from mutants.columns import family, source_of
from mutants.families import family_of_type
from mutants.gold import Gold
from mutants.grammar import GRAMMAR
from mutants.mutate import candidates
from sqltext.expressions import Column
from sqltext.parse import parse
from sqltext.schema import Schema
from sqltext.scope import resolve
from tests.mutants.golds import gold_of, small_golds
from tests.mutants.schema import VALUES, example_schema, gold_schema

_COLUMN_CODES = ("IR.IRC", "IR.IRH", "X.ONC")


def mutants_of(sql: str, *codes: str, schema: Schema | None = None) -> list[str]:
    """The mutants of a gold over the examples' tables."""
    gold = gold_of(sql, example_schema() if schema is None else schema, VALUES)
    rules = [rule for rule in GRAMMAR if rule.code in codes]
    return [gold.splice(found.edit) for found in candidates(gold, rules)]


@pytest.mark.parametrize("gold", small_golds(), ids=lambda gold: gold.parsed.sql[:60])
def test_column_gives_way_to_its_family_alone(gold: Gold) -> None:
    rules = [rule for rule in GRAMMAR if rule.code in _COLUMN_CODES and Column in rule.on]
    for found in candidates(gold, rules):
        mutant = gold_of(gold.splice(found.edit), gold.schema)
        assert _family_at(mutant, found.edit.start) == _family_at(gold, found.edit.start)


def _family_at(gold: Gold, start: int) -> str | None:
    node = next(n for n in gold.scopes.columns if gold.parsed.start(n) == start)
    found = source_of(gold.scopes, node)
    assert found is not None
    return family(gold.scopes, *found)


def test_token_in_double_quotes_that_names_nothing_is_a_text() -> None:
    sql = "SELECT a FROM t WHERE b = \"x\" AND e = 'p'"
    made = {sql.replace('"x"', '"p"'), sql.replace("'p'", "'x'")}
    assert set(mutants_of(sql, "IR.IRT")) == made
    assert not any('"e"' in mutant for mutant in mutants_of(sql, "IR.IRC", "IR.IRH"))


def test_text_that_names_a_column_is_not_put_in_double_quotes() -> None:
    sql = "SELECT a FROM t WHERE b = \"nothing\" AND e = 'c'"
    assert sql.replace('"nothing"', "'c'") in mutants_of(sql, "IR.IRT")


def test_name_that_two_tables_have_gets_a_qualifier() -> None:
    sql = "SELECT a FROM t JOIN u ON t.id = u.t_id WHERE y > 1"
    assert sql.replace("SELECT a", "SELECT t.id") in mutants_of(sql, "IR.IRC", "IR.IRH")
    assert not any("SELECT id" in mutant for mutant in mutants_of(sql, "IR.IRC", "IR.IRH"))


def test_qualifier_stays_as_its_author_wrote_it() -> None:
    assert mutants_of('SELECT "Q".a FROM t AS "Q" WHERE q.c > 1', "IR.IRC")[0].startswith(
        'SELECT "Q".c FROM'
    )


def test_name_that_needs_quotes_gets_those_of_its_author() -> None:
    found = mutants_of("SELECT `country` FROM port", "IR.IRH", schema=gold_schema())
    assert "SELECT `Home Waters` FROM port" in found


def test_columns_of_a_query_in_from_have_the_family_of_what_they_are_made_of() -> None:
    sql = "SELECT q.n FROM (SELECT count(*) AS n, a, b FROM t GROUP BY a, b) AS q WHERE q.a > q.b"
    assert mutants_of(sql, "IR.IRC")[0] == sql.replace("q.n", "q.a", 1)
    assert not any("SELECT q.b" in mutant for mutant in mutants_of(sql, "IR.IRC"))


def test_columns_of_a_cte_are_looked_through() -> None:
    sql = "WITH q(n, m) AS (SELECT a, c FROM t) SELECT n FROM q WHERE m > 1"
    assert sql.replace("SELECT n", "SELECT m") in mutants_of(sql, "IR.IRC")


def test_correlated_column_may_take_the_place_of_an_inner_one() -> None:
    sql = "SELECT b FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id AND u.y > 1)"
    assert sql.replace("u.y > 1", "t.id > 1") in mutants_of(sql, "IR.IRC")


def test_null_is_asked_about_only_where_it_may_be() -> None:
    assert mutants_of("SELECT a FROM t WHERE b = 'x'", "NL.NLI", "NL.NLO") == []
    assert mutants_of("SELECT a FROM t WHERE id = 1", "NL.NLI", "NL.NLO") == []
    joined = "SELECT a FROM u LEFT JOIN t ON t.id = u.t_id WHERE b = 'x'"
    assert mutants_of(joined, "NL.NLI") == [joined.replace("b = 'x'", "(b IS NULL OR b = 'x')")]


def test_without_a_schema_nothing_is_said_about_columns() -> None:
    codes = ("IR.IRC", "IR.IRH", "NL.NLI", "NL.NLO", "NL.NLS", "X.ONC", "X.JTA", "X.TBS", "X.VAL")
    sql = "SELECT a, b FROM t JOIN u ON t.id = u.t_id WHERE c > 1 AND x = 'm'"
    assert mutants_of(sql, *codes, schema=Schema()) == []


def test_nothing_is_asked_of_values_that_are_not_known() -> None:
    gold = Gold(resolve(parse("SELECT a FROM t WHERE b = 'x'"), example_schema()))
    assert [one for one in candidates(gold, GRAMMAR) if one.operator.code == "X.VAL"] == []


def test_families_of_declared_types() -> None:
    declared = ("INT", "varchar(20)", "TIMESTAMP", "boolean", "DECIMAL(5,2)", "blob", "year")
    expected = ["number", "text", "time", "number", "number", "other", "time"]
    assert [family_of_type(one) for one in declared] == expected
