"""Queries are asked once, and what is one query to SQLite is one question."""

from pathlib import Path

import pytest

from benchmark.asking import Asker, Key, asking
from benchmark.errors import BenchmarkError
from benchmark.folding import folded
from tests.benchmark.judging import attempt, evaluated, task


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("SELECT  COUNT( * )\nFROM Shop ;", "select count(*)from shop"),
        ("SELECT 'A  B' , \"C  d\", `E  f`, [G  h], X'AB'", "select 'A  B',\"C  d\",`E  f`,[G  h],x'AB'"),
        ("SELECT 'it''s  A'", "select 'it''s  A'"),
        ("SELECT 1 > = 2", "select 1 > = 2"),
        ("SELECT A - -1", "select a - -1"),
        ("SELECT A -- B", "SELECT A -- B"),
        ("SELECT /* X */ A", "SELECT /* X */ A"),
        ("SELECT É", "SELECT É"),
        ("SELECT\u00a0A", "SELECT\u00a0A"),
        ("SELECT\x0bA", "select\x0ba"),
        ("SELECT 'A", "select 'a"),
    ],
)  # fmt: skip
def test_only_case_and_blanks_outside_quotes_are_folded(sql: str, text: str) -> None:
    assert folded(sql) == text


def test_a_folded_query_gives_the_same_answer(asker: Asker) -> None:
    queries = [
        "SELECT Name , Town FROM Shop WHERE Town = 'Kiel' ;",
        'SELECT "Name" FROM shop WHERE name LIKE "%E"',
        "SELECT count ( * ) , Max( Size ) FROM ( SELECT * FROM Shop )",
        "SELECT 1 > = 2",
        "SELECT 'a' || 'B' , X'4142' , 0X1F , 1E3",
        "SELECT",
    ]
    found = asker.answers(
        Key("original", "shop", text) for sql in queries for text in (sql, folded(sql))
    )
    for sql in queries:
        one, other = (found[Key("original", "shop", text)] for text in (sql, folded(sql)))
        assert (one.status, one.list_digest) == (other.status, other.list_digest), sql


def test_with_or_without_details_the_verdicts_are_the_same(asker: Asker) -> None:
    tasks = [
        task("1"),
        task("2", "SELECT Name, town FROM shop ORDER BY id"),
        task("3", "SELECT size FROM shop"),
    ]
    attempts = [
        attempt("1", "select  NAME from shop;"),
        attempt("2", "SELECT town, name FROM shop"),
        attempt("3", "SELECT id FROM shop"),
    ]
    one, other = (evaluated(asker, tasks, attempts, details=details) for details in (True, False))
    assert [(o.status, o.readings) for o in one.outcomes] == [
        (o.status, o.readings) for o in other.outcomes
    ]


def test_a_folder_that_is_not_there_is_said_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="no folder"), asking({"original": tmp_path / "gone"}):
        pass
