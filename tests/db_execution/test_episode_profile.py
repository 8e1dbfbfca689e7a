"""The profile of an agent's episode: the same list of what is allowed, held tighter."""

import subprocess
import sys
from dataclasses import fields, replace

import pytest

from db_execution.sandbox import EPISODE, GENERAL, Ask, Sandbox, open_script
from db_execution.sandbox.authorizer import FUNCTIONS

WIDE = "SELECT printf('%.9000c', 'x') FROM t"
ROWS = "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3);"


def opened(**changes: object) -> Sandbox:
    return open_script(ROWS, profile=replace(EPISODE, **changes))  # type: ignore[arg-type]


def test_no_bound_is_looser_than_that_of_the_service() -> None:
    loose = {"heap_bytes"}  # the service has a process for each worker
    for bound in fields(GENERAL):
        ours, theirs = getattr(EPISODE, bound.name), getattr(GENERAL, bound.name)
        if type(ours) is int and bound.name not in loose:
            assert ours <= theirs, bound.name


def test_what_it_denies_is_a_part_of_what_is_allowed_elsewhere() -> None:
    assert EPISODE.denied_functions < FUNCTIONS
    sandbox = opened()
    for name in sorted(EPISODE.denied_functions):
        arguments = "1" if name in ("randomblob", "zeroblob") else ""
        answer = sandbox.run(f"SELECT {name}({arguments})")
        assert (answer.status, answer.error_class) == ("refused", "not_authorized"), name
    sandbox.close()


@pytest.mark.parametrize(("bytes_", "kept"), [(27_100, 3), (27_000, 2), (9_007, 0)])
def test_a_long_answer_is_cut_between_rows(bytes_: int, kept: int) -> None:
    sandbox = opened(result_bytes=bytes_)
    answer = sandbox.run(WIDE)
    assert (answer.status, answer.row_count, answer.truncated) == ("ok", kept, kept < 3)
    assert answer.columns
    sandbox.close()


def test_the_length_of_a_statement_is_counted_in_characters() -> None:
    sandbox = opened(sql_characters=20)
    assert sandbox.run("SELECT '\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac'").status == "ok"
    assert sandbox.run("SELECT 1 -- is longer").error_class == "sql_bytes"
    sandbox.close()


def test_a_misspelt_name_in_double_quotes_is_an_error() -> None:
    sandbox = opened()
    assert sandbox.run('SELECT "absent" FROM t').error_class == "no_such_column"
    assert sandbox.run('SELECT "a" FROM t', Ask(rows=1)).rows == ((1,),)
    sandbox.close()


HEAP = """
import apsw
from db_execution.sandbox import limit_heap, limit_heap_if_unlimited
limit_heap_if_unlimited(1000_000)
first = apsw.hard_heap_limit(-1)
limit_heap_if_unlimited(2000_000)
second = apsw.hard_heap_limit(-1)
limit_heap(3000_000)
print(first, second, apsw.hard_heap_limit(-1))
"""


def test_a_bound_on_memory_that_is_there_stays() -> None:
    done = subprocess.run([sys.executable, "-c", HEAP], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1000000", "1000000", "3000000"]
