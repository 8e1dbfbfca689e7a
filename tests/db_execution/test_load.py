"""Many clients at once, some of which never stop: the small queries are right and the rest are ended."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from db_execution.embed import Embedded

ENDLESS = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
SECONDS = 4.0
LIMIT_S = 1.0


def asked(http: httpx.Client, sql: str, timeout_s: float) -> dict[str, Any]:
    body = {"dataset_name": "small", "db_id": "hostile", "sql": sql}
    response = http.post("/execute", json=body | {"timeout_ms": int(timeout_s * 1000)})
    assert response.status_code == 200, response.text
    document: dict[str, Any] = response.json()
    return document


def small(url: str, number: int) -> int:
    """How many small queries one client has answered, each rightly."""
    until, answered = time.monotonic() + SECONDS, 0
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as http:
        while time.monotonic() < until:
            answer = asked(http, f"SELECT {number} + count(*) AS n FROM t", 5.0)
            assert answer["rows"] == [{"n": number + 200}], answer
            answered += 1
    return answered


def endless(url: str) -> None:
    """A client whose queries are all ended, one after the other."""
    until = time.monotonic() + SECONDS
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as http:
        while time.monotonic() < until:
            assert asked(http, ENDLESS, LIMIT_S)["timed_out"]


def test_endless_queries_are_ended_and_small_ones_answered_all_the_while(tree: Path) -> None:
    with Embedded([f"original={tree}"], workers=2) as executor, ThreadPoolExecutor(20) as pool:
        waits = [pool.submit(endless, executor.url) for _ in range(4)]
        counts = [pool.submit(small, executor.url, number) for number in range(16)]
        assert min(count.result() for count in counts) > 0
        assert [wait.result() for wait in waits] == [None] * 4
