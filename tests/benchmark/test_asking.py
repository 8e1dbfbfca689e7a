"""Queries are asked once, and what is one query to SQLite is one question."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from benchmark.asking import Asker, Key, asking
from benchmark.compare_answers import Comparison
from benchmark.csvtext import Table
from benchmark.errors import BenchmarkError
from benchmark.folding import folded
from benchmark.outcome import Outcome
from benchmark.pairs import Pair
from benchmark.sides import Side
from db_execution.protocol import Answer
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


def test_an_attempt_at_the_same_query_has_the_same_outcome_but_for_its_text() -> None:
    key, table = Key("original", "shop", "select 1"), Table(("a",), ((1,),))
    answer = Answer(status="ok", columns=("a",), row_count=1)
    side = Side(
        sql="select 1",
        error="?",
        is_empty=True,
        no_database=True,
        not_run=True,
        key=key,
        answer=answer,
        table=table,
    )
    pair = Pair(side, Side(sql="gold"), table, table, verdict=Comparison(matched=True))
    first, second = attempt(sql="select 1"), attempt(sql="SELECT 1")
    outcome = Outcome(
        task=task(),
        attempt=first,
        pair=pair,
        comparison=pair.verdict,
        readings={"bird": 1.0},
        spurious_on=("other",),
        unjudged_on=("third",),
        heads=(table, None),
    )
    assert outcome.of(second) == replace(outcome, attempt=second)
    assert outcome.of(second).actual == side._replace(sql="SELECT 1")
    assert outcome.actual is side
    for own in fields(outcome):  # nothing above is what it would be if it were left out
        assert getattr(outcome, own.name) not in (own.default, {})


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
