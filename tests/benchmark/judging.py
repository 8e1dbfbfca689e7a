"""One gold, one answer, one verdict: how tests ask for it."""

from typing import Any

from benchmark.asking import Asker
from benchmark.definition import defined
from benchmark.evaluate import Settings, evaluate
from benchmark.outcome import Evaluation, Outcome
from benchmark.run import Attempt, Run
from benchmark.tasks import Task, Tasks

SHOP = """
CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT, town TEXT, size INTEGER);
INSERT INTO shop VALUES (1, 'Anker', 'Kiel', 30), (2, 'Boje', 'Kiel', 20), (3, 'Damm', 'Husum', 20);
CREATE VIEW kiel AS SELECT * FROM shop WHERE town = 'Kiel';
CREATE TABLE sale (shop_id INTEGER, day TEXT, amount REAL);
INSERT INTO sale VALUES (1, '2024-01-01', 5.0), (1, '2024-01-02', NULL), (2, '2024-01-01', 7.5);
CREATE TABLE odd (n INTEGER, t TEXT, b BLOB);
INSERT INTO odd VALUES (1, '', x'00ff'), (2, NULL, NULL), (9007199254740993, '007', x'61');
"""
OTHER = SHOP + "INSERT INTO shop VALUES (4, 'Ebbe', 'Kiel', 50), (5, 'Flut', 'Emden', 50);"

DEFINITION = defined({"name": "test", "question_file": "q.json"}, "test")


def task(name: str = "1", gold: str | None = "SELECT name FROM shop", **more: Any) -> Task:
    """A task about the shops."""
    return Task(**{"task_id": name, "question": "?", "db_id": "shop", "gold_sql": gold, **more})


def attempt(name: str = "1", sql: str | None = None, **more: Any) -> Attempt:
    """An attempt at it."""
    return Attempt(task_id=name, sql=sql, **more)


def evaluated(
    asker: Asker | None, tasks: list[Task], attempts: list[Attempt], **settings: Any
) -> Evaluation:
    """The evaluation of one run."""
    run = Run("run", {one.task_id: one for one in attempts})
    [found] = evaluate(Tasks(DEFINITION, tuple(tasks)), [run], asker, Settings(**settings))
    return found


def verdict(asker: Asker, gold: str, sql: str | None, **settings: Any) -> Outcome:
    """What is said of ``sql``, both executed."""
    return evaluated(asker, [task(gold=gold)], [attempt(sql=sql)], **settings).outcomes[0]


def by_csv(
    gold: str, answer: str | None, gold_sql: str | None = None, sql: str | None = "SELECT 1"
) -> Outcome:
    """What is said of two csv texts, nothing executed."""
    one = task(gold=gold_sql, gold_results=(gold,))
    return evaluated(None, [one], [attempt(sql=sql, result=answer)], executed=False).outcomes[0]
