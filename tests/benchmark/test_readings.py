"""Each reading says what its source says, and no more."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bench import plain_evaluation as plain
from benchmark.asking import Asker
from benchmark.builtin import built_in
from benchmark.csvtext import Table
from benchmark.evaluate import Settings, evaluate
from benchmark.predictions import read_predictions
from benchmark.readings.datus import datus_rate
from benchmark.readings.soft_f1 import soft_f1
from benchmark.tasks import read_tasks
from db_execution.cells import Row
from tests.benchmark.judging import SHOP, attempt, evaluated, task, verdict
from tests.shared_data import shared

GOLD = "SELECT name, size FROM shop WHERE town = 'Kiel'"


def said(asker: Asker, gold: str, sql: str) -> dict[str, float | None]:
    return dict(verdict(asker, gold, sql).readings)


@pytest.mark.parametrize(
    ("sql", "scores"),
    [
        (GOLD, (1, 1, 1, 1)),
        ("SELECT size, name FROM shop WHERE town = 'Kiel'", (0, 0, 1, 1)),
        ("SELECT name, size * 1.0 FROM shop WHERE town = 'Kiel'", (1, 1, 1, 1)),
        ("SELECT name, size FROM shop WHERE town = 'Kiel' UNION ALL SELECT name, size FROM shop WHERE id = 1", (0, 1, 0, 0)),
        ("SELECT name, size, id FROM shop WHERE town = 'Kiel'", (0, 0, 0, 1)),
        ("SELECT 'Anker', 20 UNION ALL SELECT 'Boje', 30", (0, 0, 0, 1)),
        ("SELECT name, size + 1e-7 FROM shop WHERE town = 'Kiel'", (0, 0, 0, 1)),
        ("SELECT nothing FROM shop", (0, 0, 0, 0)),
    ],
)  # fmt: skip
def test_readings_differ_where_their_rules_do(
    asker: Asker, sql: str, scores: tuple[float, ...]
) -> None:
    found = said(asker, GOLD, sql)
    assert tuple(found[name] for name in ("canonical", "bird", "test_suite", "datus")) == scores


def test_the_test_suite_sees_an_order_wherever_the_words_stand(asker: Asker) -> None:
    inner = "SELECT name FROM (SELECT name FROM shop ORDER BY id)"
    other = "SELECT name FROM shop ORDER BY id DESC"
    assert said(asker, inner, other) == said(asker, inner, other) | {
        "canonical": 1,
        "test_suite": 0,
        "bird": 1,
    }
    split = "SELECT name FROM shop ORDER\nBY id"
    assert said(asker, split, other) == said(asker, split, other) | {
        "canonical": 0,
        "test_suite": 1,
    }


def test_two_empty_answers_are_equal_in_the_readings_that_say_so(asker: Asker) -> None:
    found = said(asker, "SELECT name FROM shop WHERE 0", "SELECT name, id FROM shop WHERE 0")
    assert found == {"canonical": 1, "bird": 1, "test_suite": 1, "datus": 1, "soft_f1": 1}


def test_what_did_not_run_is_wrong_and_what_has_no_gold_is_not_said(asker: Asker) -> None:
    found = evaluated(
        asker,
        [task("1"), task("2"), task("3", "SELECT x FROM nowhere")],
        [attempt("2"), attempt("3", "SELECT 1")],
    )
    assert [one.readings["bird"] for one in found.outcomes] == [0, 0, None]
    assert found.reading("bird") == (0, 1)


@pytest.mark.parametrize(
    ("actual", "gold", "f1"),
    [
        ([(1,), (2,)], [(2,), (1,)], 0.0),
        ([(1, 2)], [(1,)], 2 / 3),
        ([], [], 1.0),
        ([(1,), (9,)], [(1,)], 2 / 3),
        ([(1, "a"), (2, "x")], [(1, "a"), (2, "b")], 0.75),
    ],
)
def test_soft_f1_credits_cells_row_by_row(actual: plain.Rows, gold: plain.Rows, f1: float) -> None:
    assert soft_f1(actual, gold) == pytest.approx(f1)


def csv_rate(actual: list[Row], gold: list[Row], names: tuple[str, ...] = ("a", "b")) -> float:
    one, other = (Table(names[: len(rows[0])], tuple(rows)) for rows in (actual, gold))
    return datus_rate(one, other)


@pytest.mark.parametrize(
    ("actual", "gold", "rate"),
    [
        ([(1, "b"), (2, "a")], [(1, "a"), (2, "b")], 1.0),
        ([("007",)], [(7,)], 1.0),
        ([("NA",)], [(None,)], 1.0),
        ([("",)], [(None,)], 1.0),
        ([(10000000000,)], [(10000000001,)], 1.0),
        ([("True",)], [(1,)], 1.0),
        ([("True",), ("",)], [(1,), (None,)], 1.0),
        ([("a", 1)], [("a", 2)], 0.5),
        ([(1,)], [(1,), (1,)], 0.0),
        ([("a",)], [("b",)], 0.0),
    ],
)
def test_the_datus_reading_keeps_the_rule_it_is_named_for(
    actual: list[Row], gold: list[Row], rate: float
) -> None:
    assert csv_rate(actual, gold) == rate


def test_the_datus_reading_loses_the_first_of_two_columns_of_one_name() -> None:
    assert csv_rate([(1, 2)], [(2,)], names=("x", "x")) == 1.0


def queries(seed: int) -> Iterator[str]:
    """Random queries whose answers often agree in one way and not in another."""
    random_ = random.Random(seed)
    cells = [
        "1",
        "1.0",
        "'1'",
        "NULL",
        "x'31'",
        "2",
        "9007199254740993",
        "9007199254740992.0",
        "''",
        "-0.0",
        "0",
    ]
    for _ in range(150):
        width = random_.randint(1, 3)
        arms = [
            ", ".join(random_.choices(cells[: random_.randint(2, 11)], k=width))
            for _ in range(random_.randint(1, 3))
        ]
        order = random_.choice(["", f" ORDER BY {width}"])
        yield " UNION ALL ".join(f"SELECT {arm}" for arm in arms) + order


def test_bird_and_test_suite_agree_with_loops_over_pythons_own_driver(
    asker: Asker, tmp_path: Path
) -> None:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SHOP)
    golds = list(queries(1))
    answers = [
        gold if at % 3 else sql
        for at, (gold, sql) in enumerate(zip(golds, queries(2), strict=True))
    ]
    answers += golds[1:] + golds[:1]
    golds += golds
    tasks = [task(str(at), gold) for at, gold in enumerate(golds)]
    found = evaluated(
        asker, tasks, [attempt(str(at), sql) for at, sql in enumerate(answers)]
    ).outcomes
    for outcome in found:
        gold, sql = str(outcome.gold.sql), str(outcome.actual.sql)
        assert outcome.readings["bird"] == plain.bird(path, gold, sql), (gold, sql)
        assert outcome.readings["test_suite"] == plain.test_suite(path, gold, sql), (gold, sql)
    for name in ("bird", "test_suite"):
        assert {outcome.readings[name] for outcome in found} == {0, 1}


def test_they_agree_over_a_system_that_was_published(tmp_path: Path) -> None:
    from benchmark.asking import asking

    definition = built_in("bird_dev", shared("corpora", "bird", "dev"))
    tasks = read_tasks(definition)
    folder = definition.database_folder
    assert folder is not None
    runs = [read_predictions(shared("predictions", "bird_dev_superhero", "turbo-kg.jsonl"), tasks)]
    with asking({"original": folder}) as one:
        [found] = evaluate(
            tasks, runs, one, Settings(readings=("bird", "test_suite"), details=False)
        )
    path = folder / "superhero" / "superhero.sqlite"
    for outcome in found.outcomes:
        gold, sql = str(outcome.task.gold_sql), str(outcome.attempt and outcome.attempt.sql)
        assert outcome.readings["bird"] == plain.bird(path, gold, sql), outcome.task.task_id
        assert outcome.readings["test_suite"] == plain.test_suite(path, gold, sql), (
            outcome.task.task_id
        )
