"""Databases in memory, made from tables at hand."""

from dataclasses import dataclass

import pytest

from db_execution.cells import Row
from db_execution.sandbox import EPISODE
from db_execution.sandbox.memory import Memory, NoRows, image


@dataclass(frozen=True)
class Sheet:
    """A table by hand."""

    name: str
    ddl: str
    rows: tuple[Row, ...]


TABLES = (
    Sheet("t", "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c REAL)", ((1, "x'", 0.5), (2, None, None))),
    Sheet("empty", "CREATE TABLE empty(a)", ()),
)  # fmt: skip


def test_it_holds_the_rows_it_was_given() -> None:
    with Memory(TABLES) as database:
        assert database.rows("SELECT * FROM t ORDER BY a") == TABLES[0].rows
        assert database.rows("SELECT * FROM empty") == ()


def test_an_image_opens_to_the_same_rows_each_time() -> None:
    contents = image(TABLES)
    assert contents == image(TABLES)
    for _ in range(2):
        with Memory(contents, EPISODE) as database:
            assert database.rows("SELECT b FROM t WHERE a = 1") == (("x'",),)


@pytest.mark.parametrize(
    ("sql", "error_class"),
    [
        ("DELETE FROM t", "not_authorized"),
        ("SELECT nobody FROM t", "no_such_column"),
        ("SELECT 1; SELECT 2", "not_one_statement"),
        ("WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n", "vm_steps"),
    ],
)  # fmt: skip
def test_what_gives_no_rows_says_why(sql: str, error_class: str) -> None:
    with Memory(TABLES, EPISODE) as database:
        with pytest.raises(NoRows) as failed:
            database.rows(sql)
        assert failed.value.answer.error_class == error_class
        assert database.run(sql).error_class == error_class
        assert database.rows("SELECT COUNT(*) FROM t") == ((2,),)


def test_a_cut_answer_is_none() -> None:
    many = Sheet("m", "CREATE TABLE m(a)", tuple((n,) for n in range(101)))
    with Memory([many], EPISODE) as database:
        assert len(database.rows("SELECT a FROM m LIMIT 100")) == 100
        with pytest.raises(NoRows):
            database.rows("SELECT a FROM m")


def test_two_of_them_share_nothing() -> None:
    with Memory(TABLES[:1]) as one, Memory(TABLES[1:]) as other:
        assert one.rows("SELECT name FROM sqlite_master") == (("t",),)
        assert other.rows("SELECT name FROM sqlite_master") == (("empty",),)
