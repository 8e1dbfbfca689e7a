"""Our own hostile inputs, through the API, in both modes."""

import os
from pathlib import Path
from time import monotonic

import pytest

from db_execution.client import Client
from db_execution.embed import Embedded
from db_execution.protocol import Answer
from tests.db_execution.conftest import query
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


@MODES
@EACH
def test_it_is_held_within_its_limits(
    client: Client, executor: Embedded, tree: Path, hostile: Input, mode: str
) -> None:
    before, began = (files_and_bytes(tree), os.listdir(".")), monotonic()
    answer = client.execute(query(hostile.sql, mode=mode, timeout_ms=TIMEOUT_MS, max_rows=1000))
    assert monotonic() - began < TIMEOUT_MS / 1000 + 1
    assert is_expected(hostile, mode, answer), answer
    assert client.execute(query("SELECT count(*) FROM t")).rows == ((200,),)
    assert before == (files_and_bytes(tree), os.listdir("."))
    assert most_memory(executor) < WORKER_BYTES


def test_there_are_more_than_forty_and_each_has_its_own_name() -> None:
    assert len({hostile.id for hostile in INPUTS}) == len(INPUTS) > 40
