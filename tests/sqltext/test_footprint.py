"""What a query touches."""

import pytest

from sqltext.footprint import footprint, sorted_footprint
from sqltext.parse import parse
from sqltext.schema import NO_SCHEMA, Schema, TableSchema
from sqltext.scope import resolve

FLIGHTS = Schema(
    [
        TableSchema("Airports", ("Code", "Description"), ("TEXT", "TEXT")),
        TableSchema("Airlines", ("FL_DATE", "ORIGIN", "DEST", "DEP_DELAY"), ("TEXT", "TEXT", "TEXT", "INTEGER")),
    ]
)  # fmt: skip


def touched(sql: str, schema: Schema = FLIGHTS) -> str:
    return " ".join(sorted_footprint(resolve(parse(sql), schema)))


ROWS = [
    ("SELECT 1", ""),
    ("SELECT code FROM airports", "column:airports.code table:airports"),
    ("SELECT CODE FROM AIRPORTS AS T1", "column:airports.code table:airports"),
    ("SELECT T1.Code, code FROM Airports AS T1", "column:airports.code table:airports"),
    ("SELECT * FROM Airports", "table:airports"),
    ("SELECT T1.* FROM Airports AS T1", "table:airports"),
    ("SELECT count(*) FROM main.Airports", "table:airports"),
    # Strings as written; numbers, blobs and NULL are left out.
    ("SELECT 1 FROM Airports WHERE Code = 'ABC'", "column:airports.code table:airports value:ABC"),
    ("SELECT 1 FROM Airports WHERE Code = \"2018/8/1\"", "column:airports.code table:airports value:2018/8/1"),
    ("SELECT 'it''s', '', x'00', 5, 1.5, NULL, TRUE", "value: value:it's"),
    ("SELECT 1 FROM Airports WHERE Code LIKE '%x%'", "column:airports.code table:airports value:%x%"),
    ("SELECT strftime('%Y', FL_DATE) FROM Airlines", "column:airlines.fl_date table:airlines value:%Y"),
    # Aliases of the answer are no columns.
    ("SELECT Code AS x FROM Airports ORDER BY x", "column:airports.code table:airports"),
    ("SELECT Code AS \"x y\" FROM Airports GROUP BY \"x y\"", "column:airports.code table:airports"),
    # Bare: what the schema does not have.
    ("SELECT nope FROM Airports", "column:nope table:airports"),
    ("SELECT T1.nope FROM Airports AS T1", "column:nope table:airports"),
    ("SELECT x FROM nowhere", "column:x table:nowhere"),
    ("SELECT DEST FROM Airports, Airlines, Airlines AS b", "column:dest table:airlines table:airports"),
    # Columns of a CTE or a subquery are bare, and a CTE's name is left out.
    ("WITH r AS (SELECT Code AS k FROM Airports) SELECT r.k FROM r", "column:airports.code column:k table:airports"),
    ("SELECT s.code FROM (SELECT Code FROM Airports) AS s", "column:airports.code column:code table:airports"),
    ("WITH airlines AS (SELECT 1 AS dest) SELECT dest FROM airlines", "column:dest"),
    # Everywhere in the query.
    ("SELECT 1 FROM Airports WHERE Code IN (SELECT DEST FROM Airlines WHERE ORIGIN = 'X')",
     "column:airlines.dest column:airlines.origin column:airports.code table:airlines table:airports value:X"),
    ("SELECT Code FROM Airports UNION SELECT DEST FROM Airlines", "column:airlines.dest column:airports.code table:airlines table:airports"),
    ("SELECT 1 FROM Airports WHERE Code IN Airlines", "column:airports.code table:airlines table:airports"),
    ("SELECT 1 FROM Airlines a JOIN Airlines b USING (DEST, nope)", "column:airlines.dest column:nope table:airlines"),
    ("SELECT 1 FROM json_each('[1]')", "value:[1]"),
    ("SELECT rowid FROM Airports", "column:airports.rowid table:airports"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "expected"), ROWS)
def test_a_query_touches(sql: str, expected: str) -> None:
    assert touched(sql) == expected


def test_without_a_schema_columns_are_bare_and_tables_are_not() -> None:
    assert touched("SELECT T1.Code FROM Airports AS T1", NO_SCHEMA) == "column:code table:airports"


def test_a_footprint_does_not_know_how_often_or_where() -> None:
    one = footprint(resolve(parse("SELECT Code FROM Airports WHERE Description = 'x'"), FLIGHTS))
    other = footprint(
        resolve(parse("SELECT max(Description) FROM Airports WHERE Code <> 'x'"), FLIGHTS)
    )
    assert one == other


def closeness(one: str, other: str) -> float:
    ours, theirs = (footprint(resolve(parse(sql), FLIGHTS)) for sql in (one, other))
    return len(ours & theirs) / len(ours | theirs)


def test_the_reference_example_is_far_from_the_gold_it_was_attached_to() -> None:
    """The shape of the reference method's own example: 2 of 10 items are shared."""
    lake_charles = "SELECT count(*) FROM Airports T1 JOIN Airlines T2 ON T1.Code = T2.ORIGIN WHERE T1.Description = 'Lake Charles, LA'"
    on_time = "SELECT count(*) FROM Airlines WHERE FL_DATE = '2018/8/1' AND DEP_DELAY <= 0 AND ORIGIN = 'JFK'"
    assert closeness(on_time, on_time) == 1
    assert closeness(lake_charles, on_time) == pytest.approx(0.2)
