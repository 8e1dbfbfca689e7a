"""Many clients at once, some of which never stop: the small queries are right and the rest are ended."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import httpx

from db_execution.embed import Embedded
from tests.db_execution.conftest import counted
from tests.waiting import until

ENDLESS = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
QUERIES = 3
LIMIT_S = 1.0


def asked(http: httpx.Client, sql: str, timeout_s: float) -> dict[str, Any]:
    body = {"dataset_name": "small", "db_id": "hostile", "sql": sql}
    response = http.post("/execute", json=body | {"timeout_ms": int(timeout_s * 1000)})
    assert response.status_code == 200, response.text
    document: dict[str, Any] = response.json()
    return document


def small(url: str, number: int) -> None:
    """A client whose small queries are answered rightly."""
    with httpx.Client(base_url=url, timeout=120, trust_env=False) as http:
        for _ in range(QUERIES):
            answer = asked(http, f"SELECT {number} + count(*) AS n FROM t", 5.0)
            assert answer["rows"] == [{"n": number + 200}], answer


def endless(url: str, over: Event) -> int:
    """How many queries of one client were ended, one after the other, until all was over."""
    ended = 0
    with httpx.Client(base_url=url, timeout=120, trust_env=False) as http:
        while not over.is_set():
            assert asked(http, ENDLESS, LIMIT_S)["timed_out"]
            ended += 1
    return ended


def test_endless_queries_are_ended_and_small_ones_answered_all_the_while(tree: Path) -> None:
    over = Event()
    with Embedded([f"original={tree}"], workers=2) as executor, ThreadPoolExecutor(20) as pool:
        waits = [pool.submit(endless, executor.url, over) for _ in range(4)]
        until(lambda: counted(executor, "workers_running") >= 2)
        counts = [pool.submit(small, executor.url, number) for number in range(16)]
        try:
            assert [count.result() for count in counts] == [None] * 16
        finally:
            over.set()
        assert min(wait.result() for wait in waits) > 0
