"""Whose failure it is, for every combination: what the agent left, what the gold is, what can be run."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.asking import Asker
from benchmark.run import Attempt
from benchmark.statuses import Bucket, Status
from flows.cli.app import run
from tests.benchmark.judging import attempt, evaluated, task

SQL = "SELECT name FROM shop WHERE id < 3"
RIGHT, WRONG, NO_COLUMNS = "name\nAnker\nBoje\n", "name\nDamm\nBoje\n", "\n"
LEFT = {
    "a right result": attempt(sql=SQL, result=RIGHT),
    "a right result alone": attempt(sql=None, result=RIGHT),
    "a wrong result": attempt(sql=SQL, result=WRONG),
    "no columns": attempt(sql=SQL, result=NO_COLUMNS),
    "SQL alone": attempt(sql=SQL),
    "nothing": attempt(),
    "blanks": attempt(sql="  \n"),
    "a failure": attempt(sql=SQL, result=RIGHT, failure="node n1: task failed"),
    "no attempt": None,
}
ANSWERS: dict[str, tuple[Status, Bucket]] = {
    "a right result": ("Matched", "passed"),
    "a right result alone": ("Matched", "passed"),
    "a wrong result": ("Result Mismatch", "failed"),
    "no columns": ("Gen SQL Failed", "empty"),
    "SQL alone": ("Gen SQL Failed", "failed"),
    "nothing": ("Gen SQL Failed", "empty"),
    "blanks": ("Gen SQL Failed", "empty"),
    "a failure": ("Gen SQL Failed", "failed"),
    "no attempt": ("Not Executed", "not_executed"),
}
"""What is said beside a gold that has an answer."""

FAILED: tuple[Status, Bucket] = ("Gold SQL Failed", "gold_failed")
GOLD_FAILS = ANSWERS | dict.fromkeys(
    ("a right result", "a right result alone", "a wrong result", "SQL alone"), FAILED
)
"""What is said beside a gold that has none: an agent is charged with what it did itself alone."""

GOLDS: dict[str, dict[str, Any]] = {
    "a result": {"gold_results": (RIGHT,)},
    "a result, no SQL": {"gold": None, "gold_results": (RIGHT,)},
    "a result without columns": {"gold_results": (NO_COLUMNS,)},
    "SQL": {},
    "SQL that fails": {"gold": "SELECT nothing FROM nowhere"},
    "no gold": {"gold": None, "gold_problem": "task 1 has no gold"},
}
RUNNABLE = {"SQL"}
"""Golds that have an answer where there is a database, and none elsewhere."""

ALWAYS = {"a result", "a result, no SQL"}
PLACES = ["no databases", "its database", "another database"]


def said(
    asker: Asker | None, gold: str, left: Attempt | None, db_id: str, **settings: bool
) -> tuple[Status, Bucket]:
    """The status and the bucket of the one task."""
    one = task(**{"gold": SQL, "db_id": db_id, **GOLDS[gold]})
    found = evaluated(asker, [one], [left] if left else [], **settings)
    assert sum(found.buckets.values()) == found.total == 1
    return found.outcomes[0].status, found.outcomes[0].bucket


@pytest.mark.parametrize("left", LEFT)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("gold", GOLDS)
def test_given_results_are_charged_to_whoever_failed(
    asker: Asker, gold: str, place: str, left: str
) -> None:
    there = None if place == "no databases" else asker
    db_id = "gone" if place == "another database" else "shop"
    answers = gold in ALWAYS or (gold in RUNNABLE and place == "its database")
    expected = (ANSWERS if answers else GOLD_FAILS)[left]
    assert said(there, gold, LEFT[left], db_id, executed=False) == expected


@pytest.mark.parametrize("gold", GOLDS)
@pytest.mark.parametrize("db_id", ["shop", "gone"])
def test_executed_sql_is_charged_to_whoever_failed(asker: Asker, gold: str, db_id: str) -> None:
    answers = gold in ALWAYS | RUNNABLE and db_id == "shop"
    expected = ("Matched", "passed") if answers else FAILED
    assert said(asker, gold, LEFT["SQL alone"], db_id) == expected
    assert said(asker, gold, LEFT["nothing"], db_id) == ("Gen SQL Failed", "empty")
    assert said(asker, gold, LEFT["no attempt"], db_id) == ("Not Executed", "not_executed")


def test_the_reason_is_the_golds_where_the_failure_is() -> None:
    [found] = evaluated(None, [task()], [attempt(sql=SQL)], executed=False).outcomes
    assert found.error == "there are no databases to execute the gold SQL on"
    other = task(gold_results=(RIGHT,))
    [found] = evaluated(None, [other], [attempt(sql=SQL)], executed=False).outcomes
    assert found.error == "the agent left no result"


def test_predictions_without_databases_count_against_no_agent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q.csv").write_text("task_id,question,db_id,sql\n1,a,d,SELECT 1\n2,b,d,SELECT 2\n")
    (tmp_path / "mine.toml").write_text(
        '[benchmark.mine]\nbenchmark_path = "."\nquestion_file = "q.csv"\n'
        'question_id_key = "task_id"\nquestion_key = "question"\ndb_key = "db_id"\n'
        'gold_sql_key = "sql"\n'
    )
    (tmp_path / "p.jsonl").write_text('{"task_id": "1", "sql": "SELECT 1"}\n')
    words = ["--benchmark", "mine", "--definition", str(tmp_path / "mine.toml"), "--json"]
    assert run(["benchmark", "eval", *words, "--predictions", str(tmp_path / "p.jsonl")]) == 0
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert (found["total"], found["failed"], found["empty"]) == (2, 0, 0)
    assert (found["gold_failed"], found["not_executed"]) == (1, 1)
    assert "2 of 2 golds are SQL alone" in shown.err
    assert "p: none of its 1 attempts left a result" in shown.err
