"""What golds compare columns with, and the values that come of it."""

from random import Random

import pytest

from db_execution.cells import Cell
from pairset.fuzz.checks import checked_values
from pairset.fuzz.literals import LIKE, Bound, Value, wanted_by
from pairset.fuzz.model import Reference, kinds, tables_of
from pairset.fuzz.repair import repair
from pairset.fuzz.values import beside, fitting, fresh, kind_of, satisfying
from sqltext.facts import analyse
from sqltext.schema import Schema, TableSchema

SCHEMA = Schema(
    (
        TableSchema(
            "A", ("id", "name", "born"), ("INT", "TEXT", "DATE"), (True, False, False),
            (frozenset({"id"}),),
        ),
        TableSchema(
            "B", ("a", "n"), ("VARCHAR", "REAL"), (False, False), (),
            ((("a",), "A", ("id",)),),
        ),
    )
)  # fmt: skip


def bounds(sql: str) -> list[Bound]:
    return sorted(wanted_by(analyse(sql, SCHEMA).scopes).bounds, key=lambda b: str(b.value))


@pytest.mark.parametrize(
    ("condition", "op", "value"),
    [
        ("name = 'x'", "=", "x"),
        ("5 < id", ">", 5),
        ("id + 1 >= 2", ">=", 2),
        ("lower(name) LIKE '%x%'", LIKE, "%x%"),
        ("NOT (born <> '2020-01-01')", "<>", "2020-01-01"),
        ("id = -3", "=", -3),
    ],
)
def test_a_constant_is_bound_to_the_column_that_it_is_compared_with(
    condition: str, op: str, value: Value
) -> None:
    [found] = bounds(f"SELECT 1 FROM A WHERE {condition}")
    assert (found.op, found.value, found.column[0]) == (op, value, "a")


def test_a_range_a_list_and_what_a_subquery_shows_are_read_too() -> None:
    found = bounds("SELECT 1 FROM A WHERE id BETWEEN 1 AND 9 AND name IN ('p', 'q')")
    assert [(b.op, b.value) for b in found] == [(">=", 1), ("<=", 9), ("=", "p"), ("=", "q")]
    [inner] = bounds("SELECT 1 FROM (SELECT name AS word FROM A) AS T WHERE word = 'z'")
    assert inner.column == ("a", "name")
    assert bounds("SELECT 'shown' FROM A LIMIT 3") == []


def test_a_gold_says_which_of_its_tables_are_joined_on_what() -> None:
    sql = "SELECT 1 FROM A AS x JOIN B AS y ON x.id = y.a JOIN A AS z ON z.id = y.a"
    found = wanted_by(analyse(sql, SCHEMA).scopes)
    assert sorted(found.sources.values()) == ["a", "a", "b"]
    assert {(left[1], right[1]) for left, right in found.equal} == {(("a", "id"), ("b", "a"))}
    assert len({left[0] for left, _ in found.equal}) == 2


@pytest.mark.parametrize(
    ("value", "op", "held"),
    [(5, "=", {4, 5, 6}), ("2020-02-28", ">", {"2020-02-27", "2020-02-28", "2020-02-29"}),
     ("%ab%", LIKE, {"ab", "AB", "ab b", "A ab"}), ("7", "=", {"6", "7", "8"})],
)  # fmt: skip
def test_what_lies_beside_a_constant(value: Value, op: str, held: set[Value]) -> None:
    assert held <= set(beside(value, op))


@pytest.mark.parametrize("op", ["=", ">", "<", ">=", "<=", "<>"])
@pytest.mark.parametrize("value", [5, 0.5, "2020-03-01", "mno"])
def test_a_satisfying_value_satisfies(value: Value, op: str) -> None:
    found = satisfying(value, op)
    holds: dict[str, bool] = {
        "=": found == value, ">": found > value, "<": found < value,  # type: ignore[operator]
        ">=": found >= value, "<=": found <= value, "<>": found != value,  # type: ignore[operator]
    }  # fmt: skip
    assert holds[op]


@pytest.mark.parametrize(
    ("value", "kind", "originals", "found"),
    [("7", "INTEGER", (), [7]), (2.5, "INTEGER", (), [2, 3]), ("x", "INTEGER", (), []),
     ("T", "NUMERIC", ("T", "F"), ["T"]), ("T", "NUMERIC", ("T", 1), []), (7, "TEXT", (), ["7"]),
     (10**30, "INTEGER", (), []), (float("inf"), "", (), []), (3, "REAL", (), [3.0]), (3, "DATE", (), []), ("2020-01-01", "DATE", (), ["2020-01-01"])],
)  # fmt: skip
def test_only_what_a_column_may_hold_fits(
    value: Cell, kind: str, originals: tuple[Cell, ...], found: list[Cell]
) -> None:
    held = list(fitting(value, kind, originals))
    assert held == found
    assert [type(one) for one in held] == [type(one) for one in found]


def test_random_values_are_of_their_kind() -> None:
    rng = Random(1)
    for declared in ("INT", "REAL", "TEXT", "DATE", "DATETIME", "TIME", "DECIMAL", ""):
        kind = kind_of(declared)
        value = fresh(kind, rng, 20)
        assert list(fitting(value, kind, ())) == [value], declared


def test_a_text_that_whole_numbers_refer_to_holds_whole_numbers() -> None:
    found = kinds(tables_of(SCHEMA, {"a", "b"}, 3))
    assert found["b", "a"] == found["a", "id"] == "INTEGER"
    assert found["b", "n"] == "REAL"


def test_what_breaks_a_key_goes_and_what_may_be_null_becomes_null() -> None:
    tables = tables_of(SCHEMA, {"a", "b"}, 2)
    assert tables["b"].references == (Reference(("a",), "a", ("id",)),)
    tables["a"].columns = {"id": [1, 1], "name": ["p", "q"], "born": [None, None]}
    tables["b"].columns = {"a": [1, 9, None, 1], "n": [0.5, 1.5, 2.5, 3.5]}
    assert repair(tables) == 1
    assert tables["a"].columns["name"] == ["p"]
    assert tables["b"].columns["a"] == [1, None, None, 1]


def test_the_constants_of_checks_are_read_off_the_declaration() -> None:
    ddl = "CREATE TABLE t(a INT CHECK (a > 0 and a < 24), \"b c\" TEXT, CHECK (\"b c\" IN ('x', 'y''s')))"
    found = list(checked_values(ddl, ["a", "b c"]))
    assert found == [("a", 0), ("a", 24), ("b c", "x"), ("b c", "y's")]
    assert list(checked_values("CREATE TABLE t(a CHECK (a", ["a"])) == []
