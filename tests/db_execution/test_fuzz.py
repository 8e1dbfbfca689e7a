"""Random statements and random requests: nothing breaks, nothing changes."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from db_execution.client import Client
from db_execution.embed import Embedded
from db_execution.protocol import STATUSES
from tests.db_execution.conftest import batch, query
from tests.db_execution.statements import Grammar
from tests.db_execution.test_cases import files_and_bytes

COUNT = int(os.environ.get("PAIRSET_FUZZ", "2000"))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
FIELDS = (
    "dataset_name",
    "db_id",
    "sql",
    "mode",
    "tree",
    "want",
    "timeout_ms",
    "max_rows",
    "queries",
)
BODIES = st.dictionaries(st.sampled_from((*FIELDS, "clock", "seed", "rows_as")), JSON) | JSON


@pytest.mark.parametrize("mode", ["read_only", "sandbox_rollback"])
def test_random_statements_are_each_answered_and_change_nothing(
    client: Client, tree: Path, working_folder: Path, mode: str
) -> None:
    before = files_and_bytes(tree)
    statements = Grammar(seed=len(mode)).statements(COUNT)
    asked = batch(*statements, mode=mode, timeout_ms=200, want="digest")
    seen = Counter(answer.status for answer in client.batch(asked))
    assert sum(seen.values()) == COUNT
    assert seen["ok"] > COUNT // 5
    assert set(seen) <= set(STATUSES)
    assert before == files_and_bytes(tree)
    assert os.listdir(working_folder) == []


def test_after_all_that_the_next_query_is_answered(client: Client) -> None:
    assert client.execute(query("SELECT count(*) FROM t")).rows == ((200,),)


@given(body=BODIES, route=st.sampled_from(["/execute", "/execute/batch"]))
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_body_is_a_failure_of_ours(executor: Embedded, body: Any, route: str) -> None:
    named = {"dataset_name": "small", "db_id": "hostile", "sql": "SELECT 1", "timeout_ms": 500}
    whole = named | body if isinstance(body, dict) else body
    response = httpx.post(f"{executor.url}{route}", json=whole, timeout=30)
    assert response.status_code < 500
    assert response.status_code == 200 or response.json()["ok"] is False
