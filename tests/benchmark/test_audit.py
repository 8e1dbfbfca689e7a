"""A finding is seen on the database, in two answers of the same question; what is not seen is not said."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmark.asking import Asker, asking
from benchmark.audit import NAMES, Finding, audited
from benchmark.summary import without
from db_execution.writer import write_database
from tests.benchmark.judging import attempt, evaluated, task

SCRIPT = """
CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT, town TEXT, size INTEGER, code TEXT, x REAL);
INSERT INTO p VALUES (1, 'a', 'K', 3, '9', 1e16), (2, 'b', 'K', 3, '10', 1.0), (3, 'c', 'H', 1, '8', -1e16),
  (4, 'd', 'H', NULL, '11', 0.1), (5, 'e', 'E', 2, NULL, 1e-3);
CREATE TABLE f (g INTEGER, x REAL);
INSERT INTO f VALUES (1, 1e308), (1, 1e308), (1, -1e308), (1, -1e308), (1, 1.0);
"""


@pytest.fixture(scope="module")
def auditor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    root: Path = tmp_path_factory.mktemp("audit")
    write_database(root / "shop" / "shop.sqlite", SCRIPT)
    with asking({"original": root}) as asker:
        yield asker


def found(
    auditor: Asker, gold: str, question: str = "?", *, directions: bool = False
) -> list[Finding]:
    return audited([task(gold=gold, question=question)], auditor, directions=directions)


@pytest.mark.parametrize(
    ("gold", "names"),
    [
        ("SELECT name FROM p ORDER BY size DESC LIMIT 1", ["arbitrary_cut"]),
        ("SELECT name FROM p LIMIT 2", ["arbitrary_cut"]),
        ("SELECT name FROM p WHERE id = (SELECT id FROM p ORDER BY size DESC LIMIT 1)", ["arbitrary_cut"]),
        ("SELECT name FROM p ORDER BY size DESC LIMIT 2", ["order_ties"]),
        ("SELECT size FROM p ORDER BY size DESC LIMIT 1", []),
        ("SELECT name FROM p LIMIT 99", []),
        ("SELECT name FROM p ORDER BY id LIMIT 1", []),
        ("SELECT * FROM p ORDER BY town LIMIT 2", ["arbitrary_cut"]),
        ("SELECT name FROM p ORDER BY town", ["order_ties"]),
        ("SELECT name FROM p ORDER BY town, name", []),
        ("SELECT town, name FROM p GROUP BY town", ["bare_column"]),
        ("SELECT town, count(*) FROM p GROUP BY town", []),
        ("SELECT T.town, count(*) FROM p AS T GROUP BY town", []),
        ("SELECT town, min(id) FROM p GROUP BY 1", []),
        ("SELECT name, max(id) FROM p", []),
        ("SELECT count(*), name FROM p", ["bare_column"]),
        ("SELECT code FROM p WHERE code IS NOT NULL ORDER BY code", ["numbers_as_text"]),
        ("SELECT max(code) FROM p", ["numbers_as_text"]),
        ("SELECT name FROM p ORDER BY name", []),
        ("SELECT name FROM p ORDER BY size LIMIT 1", ["nulls_on_top"]),
        ("SELECT name FROM p WHERE size IS NOT NULL ORDER BY size LIMIT 1", []),
        ("SELECT sum(x) FROM f", ["float_order"]),
        ("SELECT sum(size) FROM p", []),
        ("SELECT town FROM p", ["duplicate_rows"]),
        ("SELECT town FROM p; ", ["duplicate_rows"]),
        ("SELECT DISTINCT town FROM p", []),
        ("SELECT name FROM p WHERE id = 9", ["empty_answer"]),
        ("SELECT sum(size) FROM p WHERE id = 9", ["null_answer"]),
        ("SELECT nothing FROM nowhere", []),
        ("SELECT FROM", []),
    ],
)  # fmt: skip
def test_a_gold_that_cannot_be_trusted_is_named_and_others_are_not(
    auditor: Asker, gold: str, names: list[str]
) -> None:
    assert [one.name for one in found(auditor, gold)] == names


def test_every_finding_shows_two_answers_that_differ(auditor: Asker) -> None:
    [one] = found(auditor, "SELECT name FROM p ORDER BY size DESC LIMIT 1")
    assert one.says == "the LIMIT cuts rows that tie"
    assert (one.answer.split()[-1], one.other_answer.split()[-1]) == ("a", "b")
    assert one.sql == "SELECT name FROM p ORDER BY size DESC, 1 ASC LIMIT 1"
    assert one.as_json()["evidence"]["other_sql"] == one.other_sql


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is the smallest?", ["direction"]),
        ("Who is the largest?", []),
        ("Who is the largest and who the smallest?", []),
        ("Who?", []),
    ],
)
def test_a_direction_against_the_questions_words_is_found_when_asked_for(
    auditor: Asker, question: str, names: list[str]
) -> None:
    gold = "SELECT name FROM p WHERE id > 1 ORDER BY size DESC LIMIT 1"
    assert [one.name for one in found(auditor, gold, question, directions=True)] == names
    assert found(auditor, gold, question) == []


def test_every_check_is_one_that_a_test_has_seen() -> None:
    marks = test_a_gold_that_cannot_be_trusted_is_named_and_others_are_not.pytestmark  # type: ignore[attr-defined]
    assert {name for _, names in marks[0].args[1] for name in names} == set(NAMES)


def test_a_finding_changes_no_verdict_and_the_score_is_shown_without_it(auditor: Asker) -> None:
    tasks = [
        task("1", "SELECT town FROM p"),
        task("2", "SELECT name FROM p"),
        task("3", "SELECT id FROM p"),
    ]
    one = evaluated(
        auditor,
        tasks,
        [
            attempt("1", "SELECT town FROM p"),
            attempt("2", "SELECT name FROM p"),
            attempt("3", "SELECT 1"),
        ],
    )
    scores = without(one, audited(tasks, auditor))
    assert one.buckets["passed"] == 2
    assert scores["with_all"] == {"total": 3, "passed": 2, "rate": 66.67}
    assert (
        scores["duplicate_rows"] == scores["without_any"] == {"total": 2, "passed": 1, "rate": 50.0}
    )
