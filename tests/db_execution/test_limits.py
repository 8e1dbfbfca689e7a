"""Limits of a service, each set low and then hit."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from db_execution.client import Client
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from db_execution.limits import LIMITS, OF_REQUESTS, parse_limit
from tests.db_execution.conftest import batch, counted, query
from tests.waiting import until

ASKED = {"dataset_name": "small", "db_id": "hostile", "mode": "read_only"}
ENDLESS = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
LOW: dict[str, Any] = {
    "sql_bytes": 2_000,
    "nesting": 10,
    "expansion": 5,
    "value_bytes": 10_000,
    "columns": 10,
    "compound_selects": 3,
    "result_bytes": 5_000,
    "heap_bytes": 20_000_000,
    "copy_bytes": 100_000,
    "batch_queries": 3,
    "body_bytes": 5_000,
}


@pytest.fixture(scope="module")
def low(tree: Path) -> Iterator[Embedded]:
    with Embedded([f"original={tree}"], **LOW) as executor:
        yield executor


def asked(low: Embedded, sql: str, **more: Any) -> dict[str, Any]:
    document: dict[str, Any] = httpx.post(
        f"{low.url}/execute", json=ASKED | {"sql": sql} | more
    ).json()
    return document


def hits(low: Embedded, name: str) -> int:
    mark = f'db_execution_limit_hits_total{{limit="{name}"}} '
    lines = httpx.get(f"{low.url}/metrics").text.splitlines()
    return next(int(line.removeprefix(mark)) for line in lines if line.startswith(mark))


@pytest.mark.parametrize(
    ("name", "sql"),
    [
        ("sql_bytes", "SELECT 1" + " " * 2_000),
        ("nesting", "SELECT " + "(" * 11 + "1" + ")" * 11),
        ("expansion", "WITH a AS (SELECT 1), b AS (SELECT * FROM a, a, a) SELECT * FROM b, b"),
        ("value_bytes", "SELECT hex(zeroblob(9000))"),
        ("result_bytes", "SELECT hex(zeroblob(4000))"),
        (
            "heap_bytes",
            "SELECT count(DISTINCT hex(zeroblob(4000)) || a.id || '.' || b.id) FROM t a, t b",
        ),
    ],
)
def test_a_limit_that_is_hit_is_answered_and_counted(low: Embedded, name: str, sql: str) -> None:
    before = hits(low, name)
    answer = asked(low, sql)
    assert f"{answer['status']}: {answer['error_class']}" == LIMITS[name].answer
    assert hits(low, name) > before


@pytest.mark.parametrize("sql", ["SELECT 1" + ", 1" * 10, "SELECT 1" + " UNION SELECT 2" * 3])
def test_terms_and_columns_have_limits(low: Embedded, sql: str) -> None:
    answer = asked(low, sql)
    assert (answer["status"], answer["error_class"]) == ("error", "too_complex")


def test_a_copy_has_its_limit(low: Embedded) -> None:
    grown = "CREATE TABLE big AS SELECT zeroblob(9000) FROM t"
    answer = asked(low, grown, mode="sandbox_rollback")
    assert (answer["status"], answer["error_class"]) == ("too_large", "copy_bytes")


def test_a_batch_and_a_body_have_limits(low: Embedded) -> None:
    many = httpx.post(f"{low.url}/execute/batch", json=ASKED | {"queries": ["SELECT 1"] * 4})
    long = httpx.post(f"{low.url}/execute", json=ASKED | {"sql": "SELECT 1" + " " * 6_000})
    assert (many.status_code, long.status_code) == (422, 413)
    assert hits(low, "body_bytes") > 0


def asked_until(url: str, turned_away: threading.Event) -> httpx.Response:
    """The first answer since somebody was turned away."""
    while True:
        response = httpx.post(url, json=ASKED | {"sql": ENDLESS, "timeout_ms": 1_000}, timeout=120)
        if response.status_code != 200:
            turned_away.set()
        if turned_away.is_set():
            return response


def test_who_does_not_fit_into_the_waiting_room_is_told_to_come_again(tree: Path) -> None:
    turned = threading.Event()
    with Embedded([f"original={tree}"], waiting=1) as executor, ThreadPoolExecutor(20) as pool:
        url = f"{executor.url}/execute"
        asking = [pool.submit(asked_until, url, turned) for _ in range(20)]
        seen = [response.result() for response in asking]
        assert hits(executor, "waiting") > 0
    turned_away = [response for response in seen if response.status_code == 429]
    assert {response.status_code for response in seen} == {200, 429}
    assert all(response.headers["Retry-After"] == "1" for response in turned_away)


@contextmanager
def busy(executor: Embedded) -> Iterator[None]:
    """A worker is at a query that does not end, until the end of the block."""
    with taken_on(executor):
        until(lambda: counted(executor, "workers_running"))
        yield
        assert counted(executor, "workers_running") > 0


def taken_on(executor: Embedded) -> AbstractContextManager[httpx.Response]:
    """A request whose answer has begun, for it is taken on, and does not end."""
    body = ASKED | {"queries": [ENDLESS], "timeout_ms": 120_000}
    return httpx.stream("POST", f"{executor.url}/execute/batch", json=body)


def test_no_more_is_taken_on_at_once_than_is_allowed(tree: Path) -> None:
    with Embedded([f"original={tree}"], in_flight=1) as executor, taken_on(executor):
        refused = httpx.post(f"{executor.url}/execute", json=ASKED | {"sql": "SELECT 1"})
        assert refused.status_code == 429
        assert httpx.get(f"{executor.url}/healthz/live").status_code == 200


def test_a_slow_database_does_not_hold_up_another(tree: Path) -> None:
    slow = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 50000) SELECT max(i) FROM n"
    with (
        Embedded([f"original={tree}"], workers=1) as executor,
        Client([Endpoint(executor.url, "original")]) as client,
        Client([Endpoint(executor.url, "original")]) as other,
    ):
        answers = client.batch(batch(*[slow] * 500))
        next(answers)
        before = counted(executor, "answers_total")
        assert other.execute(query("SELECT 1", db_id="empty")).rows == ((1,),)
        assert counted(executor, "answers_total") - before < 250  # and not after all of them
        assert sum(1 for _ in answers) == 499


def test_a_long_query_does_not_hold_up_a_short_one(tree: Path) -> None:
    with (
        Embedded([f"original={tree}"], workers=1) as executor,
        Client([Endpoint(executor.url, "original")]) as client,
        busy(executor),
    ):
        assert client.execute(query("SELECT 1", timeout_ms=1_000)).rows == ((1,),)
        assert counted(executor, "answers_total") == 1  # the long one has still none


@pytest.mark.parametrize("text", ["waiting=0", "waiting=x", "waiting", "waiting=99999999"])
def test_a_limit_out_of_bounds_says_what_it_may_be(text: str) -> None:
    with pytest.raises(ValueError, match="waiting: expected a whole number from 1 to 10000"):
        parse_limit(text)


@pytest.mark.parametrize("text", ["absent=1", "timeout_ms=1"])
def test_what_is_no_limit_of_the_service_says_which_there_are(text: str) -> None:
    with pytest.raises(ValueError, match=r"no limit .* it has batch_queries, body_bytes"):
        parse_limit(text)


def test_every_limit_of_the_service_can_be_set() -> None:
    assert {*LOW, "worker_bytes", "waiting", "in_flight"} == set(LIMITS) - OF_REQUESTS
