"""What other evaluations get wrong, one behaviour a test, and what is right here."""

from pathlib import Path

import pytest

from benchmark.asking import Asker
from benchmark.compare_answers import Comparison
from benchmark.csvtext import NULL_OR_EMPTY, NUMBER_OR_TEXT, csv_key
from benchmark.ids import joined
from benchmark.report import report
from benchmark.tables import matched_tables, tables_of
from tests.benchmark.judging import attempt, by_csv, evaluated, task, verdict

NAMES = "SELECT name FROM shop"


def compared(asker: Asker, gold: str, sql: str) -> Comparison:
    found = verdict(asker, gold, sql).comparison
    assert found is not None
    return found


def test_values_that_stand_in_other_rows_are_wrong(asker: Asker) -> None:
    gold = "SELECT 1 AS n, 'a' AS t UNION ALL SELECT 2, 'b'"
    found = compared(asker, gold, "SELECT 1 AS n, 'b' AS t UNION ALL SELECT 2, 'a'")
    assert (found.matched, found.match_rate) == (False, 0.5)


def test_row_order_counts_where_the_gold_orders(asker: Asker) -> None:
    gold = "SELECT name FROM shop ORDER BY size DESC LIMIT 2"
    found = verdict(asker, gold, "SELECT name FROM shop WHERE id < 3 ORDER BY size")
    assert found.status == "Result Mismatch"
    assert found.comparison is not None
    assert found.comparison.order_only
    assert compared(
        asker,
        "SELECT name FROM shop WHERE id < 3",
        "SELECT name FROM shop WHERE id < 3 ORDER BY size",
    ).matched


def test_an_order_inside_a_subquery_does_not_count(asker: Asker) -> None:
    gold = "SELECT name FROM (SELECT name FROM shop ORDER BY name DESC)"
    assert compared(asker, gold, "SELECT name FROM shop ORDER BY name").matched


@pytest.mark.parametrize(
    ("gold", "sql"),
    [
        ("SELECT 10000000000", "SELECT 10000000001"),
        ("SELECT 9007199254740993", "SELECT 9007199254740992"),
        ("SELECT 9007199254740993", "SELECT 9007199254740992.0"),
        ("SELECT 0.1 + 0.2", "SELECT 0.3"),
        ("SELECT 1.009", "SELECT 1.0"),
    ],
)  # fmt: skip
def test_numbers_compare_exactly(asker: Asker, gold: str, sql: str) -> None:
    assert not compared(asker, gold, sql).matched


def test_a_whole_number_and_the_same_real_are_one_value(asker: Asker) -> None:
    assert compared(asker, "SELECT size FROM shop", "SELECT size * 1.0 FROM shop").matched


@pytest.mark.parametrize(
    ("gold", "sql"),
    [("SELECT '007'", "SELECT 7"), ("SELECT 'NA'", "SELECT NULL"), ("SELECT 'NULL'", "SELECT NULL"), ("SELECT ''", "SELECT NULL"), ("SELECT 0", "SELECT NULL"), ("SELECT x'61'", "SELECT 'a'")],
)  # fmt: skip
def test_values_come_from_the_database_not_through_a_csv(asker: Asker, gold: str, sql: str) -> None:
    assert not compared(asker, gold, sql).matched


def test_what_a_csv_cannot_say_is_said() -> None:
    found = by_csv("a,b\n,1\n", "a,b\n,1\n").comparison
    assert found is not None
    assert (found.matched, found.doubts) == (True, (NULL_OR_EMPTY,))
    assert csv_key("007") != csv_key(7)
    assert csv_key("True") != csv_key(1)
    assert csv_key("NA") != csv_key(None)


def test_a_csv_beside_a_database_says_what_it_could_not_tell(asker: Asker) -> None:
    one = task(gold=None, gold_results=("n,t\n1,\n2,\n9007199254740993,007\n",))
    [found] = evaluated(asker, [one], [attempt(sql="SELECT n, t FROM odd")]).outcomes
    assert found.status == "Matched"
    assert found.comparison is not None
    assert found.comparison.doubts == (NULL_OR_EMPTY,)
    [other] = evaluated(asker, [one], [attempt(sql="SELECT CAST(n AS TEXT), t FROM odd")]).outcomes
    assert other.comparison is not None
    assert other.comparison.doubts == (NULL_OR_EMPTY, NUMBER_OR_TEXT)


def test_two_columns_of_one_name_are_two_columns(asker: Asker) -> None:
    assert compared(asker, "SELECT 1 AS x, 2 AS x", "SELECT 2 AS x, 1 AS x").matched
    assert not compared(asker, "SELECT 1 AS x, 2 AS x", "SELECT 2 AS x, 2 AS x").matched


def test_two_empty_answers_match_only_with_as_many_columns(asker: Asker) -> None:
    none = "SELECT name FROM shop WHERE 0"
    assert verdict(asker, none, "SELECT town FROM shop WHERE 0").status == "Matched"
    wider = verdict(asker, none, "SELECT name, town FROM shop WHERE 0")
    assert wider.status == "Column Mismatch"
    assert wider.comparison is not None
    assert wider.comparison.both_empty


def test_columns_are_named_even_where_the_numbers_of_rows_differ(asker: Asker) -> None:
    found = compared(
        asker,
        "SELECT name, size FROM shop",
        "SELECT name, town FROM shop UNION ALL SELECT name, town FROM shop",
    )
    assert found.match_rate == 0.0
    assert found.matched_columns == (("name", "name"),)
    assert (found.missing_columns, found.extra_columns) == (("size",), ("town",))


def test_columns_that_tie_are_matched_the_same_way_every_time(asker: Asker) -> None:
    found = compared(
        asker, "SELECT 1 AS a, 1 AS b, 1 AS c", "SELECT 1 AS x, 1 AS y, 1 AS z, 2 AS w"
    )
    assert found.matched_columns == (("x", "a"), ("y", "b"), ("z", "c"))
    assert found.extra_columns == ("w",)


def test_the_rate_is_of_all_tasks_not_of_those_that_could_be_compared(asker: Asker) -> None:
    attempts = [attempt("0", NAMES), *[attempt(str(at), "SELECT") for at in range(1, 10)]]
    found = report(evaluated(asker, [task(str(at)) for at in range(10)], attempts), "now", 0)
    assert found["summary"]["comparison_summary"]["match_rate"] == 10.0


def test_lists_of_ids_are_in_natural_order_even_where_ids_are_mixed() -> None:
    assert joined(["bq10", "1", "q2", "bq9"]) == "1,bq9,bq10,q2"


def test_a_common_table_expression_is_no_table_and_hides_none() -> None:
    assert tables_of("WITH t AS (SELECT * FROM main.t) SELECT * FROM t") == ("t",)
    assert tables_of("WITH c AS (SELECT * FROM a) SELECT * FROM c, json_each('[]')") == ("a",)
    assert tables_of("SELECT FROM") is None


@pytest.mark.parametrize(
    ("actual", "expected", "found"),
    [
        (["sales.dim_customers", "sales.fact_orders"], ["foo", ".fact_orders"], [".fact_orders"]),
        (["public.orders", "", "warehouse.inventory"], ["foo", "warehouse.inventory"], ["warehouse.inventory"]),
        (["sales."], ["sales"], []),
        (["analytics.public.orders"], ["orders"], ["orders"]),
        (["orders", "users"], ["orders", "customers"], ["orders"]),
        (["order details"], ['"Order_Details"'], ['"Order_Details"']),
        ([], ["a"], []),
        (["a"], [], []),
        (["frpm", "schools", "satscores"], ["frpm", "schools"], ["frpm", "schools"]),
    ],
)  # fmt: skip
def test_tables_match_by_name_or_by_its_last_part(
    actual: list[str], expected: list[str], found: list[str]
) -> None:
    assert matched_tables(actual, expected) == found


def test_a_table_too_many_is_no_table_mismatch_and_a_missing_one_is(asker: Asker) -> None:
    joining = "SELECT s.name FROM shop AS s JOIN sale ON sale.shop_id = s.id"
    assert verdict(asker, NAMES, joining).status == "Result Mismatch"
    assert verdict(asker, joining, "SELECT name FROM shop WHERE id = 1").status == "Table Mismatch"


def test_a_match_by_chance_does_not_hold_on_every_tree(
    asker: Asker, trees: dict[str, Path]
) -> None:
    gold, sql = "SELECT name FROM shop WHERE size >= 30", "SELECT name FROM shop WHERE id = 1"
    assert verdict(asker, gold, sql).status == "Matched"
    found = verdict(asker, gold, sql, trees=("other",))
    assert (found.status, found.spurious_on) == ("Result Mismatch", ("other",))
    assert found.readings["canonical"] == 1
    assert found.readings["test_suite"] == 0
    assert (
        verdict(asker, gold, "SELECT name FROM shop WHERE size > 25", trees=("other",)).status
        == "Matched"
    )
