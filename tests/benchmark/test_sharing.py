"""What has one answer has one verdict, and is fetched once; nothing else is shared."""

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import evaluate as evaluating
from benchmark.asking import MOST_ROWS, Asker, Key, Tables, asking
from benchmark.compare_answers import by_digest, by_rows
from benchmark.csvtext import Table
from benchmark.evaluate import Settings, evaluate
from benchmark.outcome import Outcome
from benchmark.run import Run
from benchmark.sides import Side
from benchmark.tasks import Tasks
from db_execution.cells import Cell
from db_execution.digest import digests_of
from db_execution.protocol import Answer
from db_execution.writer import write_database
from tests.benchmark.judging import DEFINITION, attempt, task

NUMBERS = """
CREATE TABLE n (a INTEGER, b REAL, t TEXT);
INSERT INTO n VALUES (1, 1.0, 'one'), (2, 2.0, 'two'), (3, 3.5, CAST(x'61ff' AS TEXT));
"""
GOLD = "SELECT a, t FROM n WHERE a < 3"
SAME = ("SELECT a, t FROM n WHERE a <= 2", "SELECT a, t FROM n WHERE t IN ('one', 'two')")
TURNED = ("SELECT t, a FROM n WHERE a < 3", "SELECT t, a FROM n WHERE a <> 3")


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    root = tmp_path_factory.mktemp("numbers")
    write_database(root / "numbers" / "numbers.sqlite", NUMBERS)
    with asking({"original": root}) as found:
        yield found


def judged(asker: Asker, gold: str, *queries: str, **settings: object) -> list[Outcome]:
    """What is said of each query, as the only one of its run."""
    tasks = Tasks(DEFINITION, (task("1", gold, db_id="numbers"),))
    runs = [Run(str(at), {"1": attempt("1", sql)}) for at, sql in enumerate(queries)]
    found = evaluate(tasks, runs, asker, Settings(**settings))  # type: ignore[arg-type]
    return [one.outcomes[0] for one in found]


@pytest.mark.parametrize("details", [True, False])
def test_together_they_are_what_each_is_alone(numbers: Asker, details: bool) -> None:
    queries = [*SAME, *TURNED, "SELECT b, t FROM n WHERE a < 3", "SELECT t FROM n", "SELECT absent"]
    together = judged(numbers, GOLD, *queries, details=details)
    for sql, outcome in zip(queries, together, strict=True):
        [alone] = judged(numbers, GOLD, sql, details=details)
        assert (outcome.status, outcome.readings) == (alone.status, alone.readings), sql
        assert outcome.comparison == alone.comparison
        assert outcome.heads == alone.heads
        assert outcome.actual == alone.actual
        assert outcome.actual.sql == sql


def test_how_a_number_is_written_is_not_shared(numbers: Asker) -> None:
    gold, whole, real = (f"SELECT {one} AS x UNION ALL SELECT 'z'" for one in ("'1'", "1", "1.0"))
    one, other = judged(numbers, gold, whole, real)
    assert one.actual.answer is not None
    assert other.actual.answer is not None
    assert one.actual.answer.list_digest == other.actual.answer.list_digest
    assert (one.readings["datus"], other.readings["datus"]) == (1, 0)  # a csv says 1 and 1.0


def test_rows_of_one_answer_are_fetched_once(
    numbers: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[Key] = []
    rows = numbers.rows

    def told(keys: Iterable[Key], most: int = MOST_ROWS) -> Tables:
        fetched.extend(own := list(keys))
        return rows(own, most)

    monkeypatch.setattr(numbers, "rows", told)
    outcomes = judged(numbers, GOLD, *TURNED, readings=("test_suite",), details=False)
    assert [one.readings["test_suite"] for one in outcomes] == [1, 1]
    assert len(fetched) == 2  # the gold and one of the two


def test_groups_that_ask_for_the_same_rows_keep_their_own(
    numbers: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluating, "GROUP", 1)  # every task is a group
    tasks = tuple(task(str(at), GOLD, db_id="numbers") for at in range(40))
    run = Run("run", {one.task_id: attempt(one.task_id, TURNED[0]) for one in tasks})
    for _ in range(5):
        [found] = evaluate(Tasks(DEFINITION, tasks), [run], numbers, Settings())
        assert {one.status for one in found.outcomes} == {"Matched"}
        assert {one.readings["test_suite"] for one in found.outcomes} == {1.0}


def test_text_that_is_no_utf8_is_looked_at(numbers: Asker) -> None:
    gold, other = "SELECT t FROM n WHERE a = 3", "SELECT 'a'"
    [found] = judged(numbers, gold, other)
    assert (found.readings["canonical"], found.readings["test_suite"]) == (0, 1)
    [found] = judged(numbers, gold, "SELECT 'b'")
    assert (found.readings["canonical"], found.readings["test_suite"]) == (0, 0)


CELLS = st.sampled_from([None, 0, 1, 1.0, 2, 2.5, "1", "a", "", b"a", b"", 2**53, float(2**53)])


@given(st.lists(CELLS, max_size=5), st.lists(CELLS, max_size=5), st.booleans())
def test_one_column_needs_no_rows(one: list[Cell], other: list[Cell], in_order: bool) -> None:
    ordering = "SELECT a FROM t ORDER BY a" if in_order else "SELECT a FROM t"
    actual, gold = _side("a", one), _side("b", other, ordering)
    found = by_digest(actual, gold)
    if len(one) != len(other):
        assert found is None
        return
    tables = (Table(("a",), tuple((c,) for c in one)), Table(("b",), tuple((c,) for c in other)))
    assert found == by_rows(actual, gold, tables)


def _side(name: str, cells: list[Cell], sql: str = "SELECT a FROM t") -> Side:
    digests = digests_of([(cell,) for cell in cells])
    answer = Answer(status="ok", columns=(name,), column_count=1, **digests._asdict())
    return Side(sql=sql, answer=answer)
