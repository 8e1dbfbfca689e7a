"""Temporary tables: begun as if they could grow into files, begun again in memory if they do."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from db_execution.protocol import Answer
from db_execution.sandbox import Ask, Sandbox, open_bytes, open_file
from db_execution.sandbox.fixed import CLOCK_VFS
from db_execution.sandbox.running import FILES, MEMORY

NUMBERS = (
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT {}) "
    "SELECT i % 1000 AS k, hex(i) || printf('%.90c', 'x') AS s, random() FROM n"
)
LARGE = {
    "sorted": f"SELECT * FROM ({NUMBERS.format(70_000)}) ORDER BY s DESC, k",
    "grouped": f"SELECT s, count(*) FROM ({NUMBERS.format(70_000)}) GROUP BY s ORDER BY 2, 1 LIMIT 9",
    "distinct": f"SELECT count(DISTINCT s) FROM ({NUMBERS.format(70_000)})",
    "union": f"SELECT count(*) FROM (SELECT s FROM ({NUMBERS.format(70_000)}) UNION SELECT name FROM sqlite_master)",
    "window": f"SELECT sum(length(s)) OVER (ORDER BY s) FROM ({NUMBERS.format(70_000)}) LIMIT 5",
}


@pytest.fixture
def path(tree: Path) -> Path:
    return tree / "small" / "hostile" / "hostile.sqlite"


@pytest.fixture
def opened(path: Path) -> Iterator[Sandbox]:
    sandbox = open_file(path)
    yield sandbox
    sandbox.close()


def alike(one: Answer, other: Answer) -> bool:
    return one._replace(elapsed_ms=0.0) == other._replace(elapsed_ms=0.0)


@pytest.mark.parametrize("sql", LARGE.values(), ids=LARGE)
def test_an_answer_is_the_same_wherever_its_temporary_tables_began(
    opened: Sandbox, path: Path, sql: str
) -> None:
    in_memory = open_bytes(path.read_bytes())
    for want in ("digest", "rows"):
        ask = Ask(want=want, seed=7, rows=50)
        answer = opened.run(sql, ask)
        assert answer.status == "ok", answer
        assert alike(answer, in_memory.run(sql, ask))
    in_memory.close()


def test_a_small_query_after_a_large_one_is_begun_in_files_again(opened: Sandbox) -> None:
    seen: list[int] = []
    keep = opened.keep_temporaries_in

    def noted(place: int) -> None:
        seen.append(place)
        keep(place)

    opened.keep_temporaries_in = noted  # type: ignore[method-assign]
    assert opened.run(LARGE["sorted"], Ask(want="digest")).row_count == 70_000
    assert opened.run("SELECT v FROM t ORDER BY s", Ask(want="digest")).row_count == 200
    assert seen == [MEMORY, FILES]


def test_the_door_is_closed_after_a_large_query(opened: Sandbox) -> None:
    opened.run(LARGE["sorted"], Ask(want="digest"))
    assert opened.run("SELECT load_extension('x')").error_class == "not_authorized"
    assert opened.run("SELECT 1; SELECT 2").error_class == "not_one_statement"


def test_steps_end_a_large_query_alike(opened: Sandbox, path: Path) -> None:
    ask = Ask(want="digest", vm_steps=900_000, seed=1)
    assert opened.run(LARGE["sorted"], ask).error_class == "vm_steps"


def test_beginning_again_gives_no_time_anew(opened: Sandbox) -> None:
    endless = (
        f"SELECT count(*) FROM ({LARGE['sorted']} LIMIT 70000) q, t c, t d, t e"  # after the sort
    )
    answer = opened.run(endless, Ask(want="digest", wall_ms=700))
    assert answer.error_class == "wall_time"
    assert answer.elapsed_ms < 1_400  # not twice what it may take


def test_no_temporary_file_can_be_made() -> None:
    connection = apsw.Connection(":memory:", vfs=CLOCK_VFS)
    with pytest.raises(apsw.CantOpenError):
        connection.execute(LARGE["distinct"]).fetchall()
    connection.close()
