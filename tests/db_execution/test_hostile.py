"""Our own hostile inputs, through the API, in both modes."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import apsw
import pytest

from db_execution.client import Client
from db_execution.embed import Embedded
from db_execution.protocol import Answer
from db_execution.sandbox.authorizer import PRAGMAS
from tests.db_execution.conftest import batch, query
from tests.db_execution.hostile_inputs import INPUTS, Input
from tests.db_execution.test_cases import WORKER_BYTES, files_and_bytes, most_memory

TIMEOUT_MS = 1_000
MAY_BE = {
    "runs": ("ok",),
    "refused": ("refused", "error"),
    "stopped": ("timeout", "too_large"),
    "either": ("ok", "error", "refused", "timeout", "too_large"),
}
MODES = pytest.mark.parametrize("mode", ["read_only", "sandbox_rollback"])
EACH = pytest.mark.parametrize("hostile", INPUTS, ids=[hostile.id for hostile in INPUTS])


def is_expected(hostile: Input, mode: str, answer: Answer) -> bool:
    if hostile.writes and mode == "sandbox_rollback":
        return answer.status in MAY_BE["either"]
    return answer.status in MAY_BE[hostile.expect]


@pytest.fixture(autouse=True)
def nothing_new(working_folder: Path) -> Iterator[None]:
    """No test leaves a file where the executor works."""
    yield
    assert os.listdir(working_folder) == []


@MODES
@EACH
def test_it_is_held_within_its_limits(
    client: Client, executor: Embedded, tree: Path, hostile: Input, mode: str
) -> None:
    before, began = files_and_bytes(tree), monotonic()
    answer = client.execute(query(hostile.sql, mode=mode, timeout_ms=TIMEOUT_MS, max_rows=1000))
    assert monotonic() - began < TIMEOUT_MS / 1000 + 1
    assert is_expected(hostile, mode, answer), answer
    assert client.execute(query("SELECT count(*) FROM t")).rows == ((200,),)
    assert before == files_and_bytes(tree)
    assert most_memory(executor) < WORKER_BYTES


def every_pragma() -> list[str]:
    """What the engine itself says that it has, whatever its version."""
    with contextlib.closing(apsw.Connection(":memory:")) as connection:
        return sorted(name for (name,) in connection.execute("PRAGMA pragma_list"))


@MODES
def test_every_pragma_and_its_function_are_refused_but_those_about_the_schema(
    client: Client, tree: Path, mode: str
) -> None:
    names, before = every_pragma(), files_and_bytes(tree)
    assert len(names) > 60
    for form in ("SELECT * FROM pragma_{}", "PRAGMA {}", "PRAGMA {} = 1", "PRAGMA main.{}(1)"):
        asked = batch(*(form.format(name) for name in names), mode=mode, max_vm_steps=10**6)
        for name, answer in zip(names, client.batch(asked), strict=True):
            assert name in PRAGMAS or answer.status in ("refused", "error"), (form, name)
    assert (
        client.execute(query("SELECT name FROM pragma_table_info('t')", mode=mode)).row_count == 3
    )
    assert before == files_and_bytes(tree)


def test_there_are_more_than_forty_and_each_has_its_own_name() -> None:
    assert len({hostile.id for hostile in INPUTS}) == len(INPUTS) > 40
