"""The client against servers that do what a healthy one never does."""

import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from db_execution.client import Client
from db_execution.digest import digests_of
from db_execution.embed import Embedded
from db_execution.endpoints import (
    BadEndpoints,
    Endpoint,
    candidates,
    load_endpoints,
    save_endpoints,
)
from db_execution.errors import BadTree, NoSuchDatabase, Overloaded, Refused, Unreachable
from db_execution.protocol import Answer
from tests.db_execution.conftest import batch, query

HERE = Endpoint("http://here", "original")
THERE = Endpoint("http://there", "original")
Handler = Callable[[httpx.Request], httpx.Response]


def client_of(handler: Handler, *endpoints: Endpoint, retry_for: float = 2.0) -> Client:
    return Client(endpoints or (HERE,), transport=httpx.MockTransport(handler), retry_for=retry_for)


def lines(*values: int) -> bytes:
    return b"".join(
        json.dumps({"status": "ok", "rows": [[value]]}).encode() + b"\n" for value in values
    )


def numbers(answers: Iterator[Answer]) -> list[Any]:
    return [answer.rows[0][0] for answer in answers if answer.rows]


def asked(request: httpx.Request) -> list[int]:
    return [int(sql) for sql in json.loads(request.content)["queries"]]


def test_only_what_was_not_answered_is_asked_again() -> None:
    seen: list[list[int]] = []

    def two_at_a_time(request: httpx.Request) -> httpx.Response:
        seen.append(asked(request))
        return httpx.Response(200, content=lines(*seen[-1][:2]) + b'{"status": "o')

    with client_of(two_at_a_time) as client:
        assert numbers(client.batch(batch("1", "2", "3", "4", "5"))) == [1, 2, 3, 4, 5]
    assert seen == [[1, 2, 3, 4, 5], [3, 4, 5], [5]]


def test_empty_lines_only_say_that_somebody_is_there() -> None:
    def heartbeat(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=b"\n\n" + lines(1) + b"\n" + lines(2))

    with client_of(heartbeat) as client:
        assert numbers(client.batch(batch("1", "2"))) == [1, 2]


@pytest.mark.parametrize("status", [429, 503, 502, 500])
def test_a_service_that_is_busy_or_ill_is_asked_again(status: int) -> None:
    replies = [httpx.Response(status, headers={"Retry-After": "0.1"}, json={"error": "not now"})]

    def at_first_not(request: httpx.Request) -> httpx.Response:
        return replies.pop() if replies else httpx.Response(200, content=lines(1))

    with client_of(at_first_not) as client:
        assert numbers(client.batch(batch("1"))) == [1]


def test_who_stays_busy_is_overloaded() -> None:
    busy = httpx.Response(429, json={"error": "too much is waiting already"})
    with (
        client_of(lambda request: busy, retry_for=0.3) as client,
        pytest.raises(Overloaded, match="no room"),
    ):
        client.execute(query("1"))


def test_who_does_not_answer_is_unreachable() -> None:
    def nobody(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("connection refused")

    with (
        client_of(nobody, retry_for=0.3) as client,
        pytest.raises(Unreachable, match=r"http://here .*connection refused.*start the executor"),
    ):
        list(client.batch(batch("1")))


@pytest.mark.parametrize(
    ("status", "error"), [(422, Refused), (404, NoSuchDatabase), (409, BadTree), (413, Refused)]
)
def test_a_refusal_is_final(status: int, error: type[Exception]) -> None:
    calls: list[int] = []

    def refuses(request: httpx.Request) -> httpx.Response:
        calls.append(status)
        return httpx.Response(status, json={"error": "never", "error_class": "x"})

    with client_of(refuses) as client, pytest.raises(error, match="never"):
        list(client.batch(batch("1")))
    assert len(calls) == 1


def test_a_database_that_breaks_during_a_batch_is_a_bad_tree() -> None:
    broken = httpx.Response(200, content=b'{"broken": "it is damaged"}\n')
    with client_of(lambda request: broken) as client, pytest.raises(BadTree, match="it is damaged"):
        list(client.batch(batch("1")))


def test_another_endpoint_stands_in_for_one_that_is_down() -> None:
    def half(request: httpx.Request) -> httpx.Response:
        if request.url.host == "here":
            raise httpx.ConnectError("down")
        return httpx.Response(200, content=lines(*asked(request)))

    with client_of(half, HERE, THERE) as client:
        assert numbers(client.batch(batch("1", "2"))) == [1, 2]


def test_a_database_may_be_at_one_endpoint_only() -> None:
    def there_only(request: httpx.Request) -> httpx.Response:
        if request.url.host == "here":
            return httpx.Response(
                404, json={"error": "no database", "error_class": "no_such_database"}
            )
        return httpx.Response(200, content=lines(*asked(request)))

    with client_of(there_only, HERE, THERE) as client:
        assert numbers(client.batch(batch("1"))) == [1]


def test_databases_are_dealt_out_and_always_alike() -> None:
    first = [candidates([HERE, THERE], "original", "spider", f"db_{n}")[0] for n in range(50)]
    assert first == [
        candidates([HERE, THERE], "original", "spider", f"db_{n}")[0] for n in range(50)
    ]
    assert set(first) == {HERE, THERE}


def test_an_endpoint_serves_its_tree_and_datasets() -> None:
    bird = Endpoint("http://bird", "original", ("bird",))
    assert candidates([bird, HERE], "original", "spider", "x") == (HERE,)
    with pytest.raises(BadEndpoints, match="no endpoint serves dataset 'spider' of tree 'fuzzed'"):
        candidates([bird, HERE], "fuzzed", "spider", "x")


def test_endpoints_are_read_as_they_were_written(tmp_path: Path) -> None:
    endpoints = (HERE, Endpoint("http://bird", "original", ("bird",)))
    save_endpoints(tmp_path / "endpoints.json", endpoints)
    assert load_endpoints(tmp_path / "endpoints.json") == endpoints


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "cannot read"),
        ("{}", "expected a list"),
        ('[{"tree": "a"}]', "entry 1: expected a tree's name and an http address"),
        ('[{"tree": "a", "url": "ftp://x"}]', "an http address"),
        ('[{"tree": "a", "url": "http://x", "datasets": "b"}]', "datasets is a list of names"),
        ('[{"tree": "a", "url": "http://x", "weight": 1}]', "expected an object with"),
    ],
)
def test_a_list_of_endpoints_that_is_wrong_says_where(
    tmp_path: Path, text: str, words: str
) -> None:
    (tmp_path / "endpoints.json").write_text(text)
    with pytest.raises(BadEndpoints, match=words):
        load_endpoints(tmp_path / "endpoints.json")


def test_endpoints_can_be_handed_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(HERE)) == HERE


def plain(request: httpx.Request) -> httpx.Response:
    """A server that knows only the earlier contract."""
    if request.url.path != "/execute":
        return httpx.Response(404, json={"detail": "Not Found"})
    body = json.loads(request.content)
    match body["sql"]:
        case "blob":
            return httpx.Response(500, text="Internal Server Error")
        case "slow":
            return httpx.Response(
                200, json={"ok": False, "error": "interrupted", "timed_out": True}
            )
        case "wrong":
            return httpx.Response(200, json={"ok": False, "error": "no such column: x"})
        case "many":
            rows: list[dict[str, Any]] = [{"n": 1}] * body["max_rows"]
        case _:
            rows = [{"n": 1, "s": "a"}, {"n": 2.5, "s": None}]
    return httpx.Response(200, json={"ok": True, "rows": rows, "row_count": len(rows)})


def test_a_plain_server_is_digested_on_this_side() -> None:
    with client_of(plain) as client:
        [answer] = client.batch(batch("rows", want="digest"))
    digests = digests_of([(1, "a"), (2.5, None)])
    assert (answer.columns, answer.multiset_digest) == (("n", "s"), digests.multiset_digest)
    assert (answer.row_count, answer.rows) == (2, None)


def test_a_plain_servers_rows_are_rows() -> None:
    with client_of(plain) as client:
        assert client.execute(query("rows")).rows == ((1, "a"), (2.5, None))
        assert client.execute(query("rows", want="prepare")).rows is None


@pytest.mark.parametrize(
    ("sql", "outcome"),
    [
        ("slow", ("timeout", "wall_time")),
        ("wrong", ("error", "no_such_column")),
        ("blob", ("error", "other")),
        ("many", ("too_large", "rows")),
    ],
)
def test_a_plain_servers_failures_are_told_apart(sql: str, outcome: tuple[str, str]) -> None:
    with client_of(plain) as client:
        [answer] = client.batch(batch(sql, want="digest"))
    assert (answer.status, answer.error_class) == outcome


def test_databases_are_listed_with_their_digests(
    client: Client, ask: Callable[[str], Answer]
) -> None:
    listed = client.databases("original")
    assert set(listed) == {("small", "empty"), ("small", "hostile")}
    assert listed["small", "hostile"] == ask("SELECT 1").database_sha256


def test_a_database_that_cannot_be_read_is_listed_apart(tmp_path: Path) -> None:
    for name in ("a", "a.sqlite-wal"):
        (tmp_path / "a").mkdir(exist_ok=True)
        (tmp_path / "a" / (name if "." in name else f"{name}.sqlite")).write_text("x")
    with (
        Embedded([f"original={tmp_path}"]) as executor,
        Client([Endpoint(executor.url, "original")]) as client,
    ):
        assert client.databases("original") == {}
        assert "-wal file beside it" in client.unreadable("original")["*", "a"]


def test_a_long_batch_is_cut_and_put_together(client: Client) -> None:
    queries = [f"SELECT {number}" for number in range(2_500)]
    assert numbers(client.batch(batch(*queries))) == list(range(2_500))


def test_an_empty_batch_asks_nobody() -> None:
    with client_of(lambda request: httpx.Response(500)) as client:
        assert list(client.batch(batch())) == []
