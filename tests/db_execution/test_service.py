"""The interface as its clients see it."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from db_execution.embed import Embedded
from db_execution.limits import LIMITS
from db_execution.writer import write_database

EARLIER = {
    "ok",
    "statement_type",
    "rows",
    "row_count",
    "pandas_result",
    "notice",
    "error",
    "timed_out",
}
ASKED = {"dataset_name": "small", "db_id": "hostile", "mode": "read_only"}
ENDLESS = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.fixture(scope="module")
def http(executor: Embedded) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=executor.url, timeout=30, trust_env=False) as ours:
        yield ours


def said(http: httpx.Client, sql: str, **more: Any) -> dict[str, Any]:
    response = http.post("/execute", json=ASKED | {"sql": sql} | more)
    assert response.status_code == 200, response.text
    document: dict[str, Any] = response.json()
    return document


def test_a_client_of_the_earlier_service_finds_every_field(http: httpx.Client) -> None:
    answer = said(http, "SELECT id, v FROM t LIMIT 2", timeout_ms=1000, max_rows=10)
    assert answer.keys() > EARLIER
    assert answer | {"pandas_result": "", "notice": ""} == answer | {
        "ok": True,
        "statement_type": "SELECT",
        "rows": [{"id": 0, "v": 0}, {"id": 1, "v": 7}],
        "row_count": 2,
        "pandas_result": "",
        "notice": "",
        "error": None,
        "timed_out": False,
    }


def test_the_table_has_no_index_and_says_when_it_is_empty(http: httpx.Client) -> None:
    assert said(http, "SELECT id, v FROM t LIMIT 2")["pandas_result"] == "id v\n 0 0\n 1 7"
    assert said(http, "SELECT id FROM t WHERE 0")["pandas_result"] == "Empty result set"


def test_a_failure_is_told_as_it_was(http: httpx.Client) -> None:
    answer = said(http, "SELECT absent FROM t")
    assert (answer["ok"], answer["error"]) == (False, "no such column: absent")
    assert (answer["rows"], answer["pandas_result"], answer["timed_out"]) == (None, None, False)


def test_a_timeout_says_so(http: httpx.Client) -> None:
    answer = said(http, ENDLESS, timeout_ms=100)
    assert (answer["ok"], answer["timed_out"], answer["status"]) == (False, True, "timeout")


def test_the_notice_says_the_mode(http: httpx.Client) -> None:
    assert said(http, "SELECT 1")["notice"].startswith("read_only")
    copied = said(http, "DELETE FROM t", mode="sandbox_rollback")
    assert copied["notice"].startswith("sandbox_rollback")
    assert (copied["ok"], copied["rows"], copied["statement_type"]) == (True, None, "DELETE")


def test_ours_are_always_there(http: httpx.Client) -> None:
    for sql in ("SELECT 1", "SELECT"):
        answer = said(http, sql)
        assert answer.keys() >= {"columns", "truncated", "error_class", "elapsed_ms", "flags"}
        assert len(answer["database_sha256"]) == 64
        assert answer["sqlite_version"].startswith("3.")


def test_two_columns_of_one_name_are_two_in_arrays(http: httpx.Client) -> None:
    answer = said(http, "SELECT 1 AS x, 2 AS x", rows_as="arrays")
    assert (answer["columns"], answer["rows"]) == (["x", "x"], [[1, 2]])


def test_what_json_lacks_survives_it(http: httpx.Client) -> None:
    sql = "SELECT x'00', 9e999, 9223372036854775807, CAST(x'ff' AS TEXT), 1.0"
    assert said(http, sql, rows_as="arrays")["rows"] == [
        [
            {"$blob": "AA=="},
            {"$real": "+inf"},
            {"$integer": "9223372036854775807"},
            {"$text": "/w=="},
            1.0,
        ]
    ]


def test_a_cut_answer_says_so_and_counts_what_it_has(http: httpx.Client) -> None:
    answer = said(http, "SELECT id FROM t", max_rows=10)
    assert (answer["truncated"], answer["row_count"], len(answer["rows"])) == (True, 10, 10)


def test_a_digest_comes_without_rows(http: httpx.Client) -> None:
    answer = said(http, "SELECT id FROM t", want="digest", max_rows=1)
    assert (answer["rows"], answer["row_count"], answer["truncated"]) == (None, 200, False)
    assert len(answer["list_digest"]) == len(answer["multiset_digest"]) == 64


def test_a_batch_is_lines_in_order(http: httpx.Client) -> None:
    queries = ["SELECT 1", "SELECT", "SELECT 3"]
    response = http.post("/execute/batch", json=ASKED | {"queries": queries})
    answers = [json.loads(line) for line in response.text.splitlines() if line]
    assert response.headers["content-type"] == "application/x-ndjson"
    assert [answer["rows"] for answer in answers] == [[[1]], None, [[3]]]


def test_an_empty_batch_has_no_lines(http: httpx.Client) -> None:
    assert http.post("/execute/batch", json=ASKED | {"queries": []}).text == ""


def test_a_batch_is_answered_as_it_goes(http: httpx.Client) -> None:
    asked = ASKED | {"queries": ["SELECT 1", ENDLESS], "timeout_ms": 3_000}
    with http.stream("POST", "/execute/batch", json=asked) as response:
        first = json.loads(next(response.iter_lines()))
    assert first["rows"] == [[1]]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({}, 422, "sql: expected a string"),
        ({"sql": "SELECT 1", "rows_as": "frames"}, 422, "rows_as: expected one of"),
        ({"sql": "SELECT 1", "db_id": "absent"}, 404, "no database 'absent'"),
        ({"sql": "SELECT 1", "db_id": "../hostile"}, 404, "no database"),
        ({"sql": "SELECT 1", "db_id": "\udc80"}, 404, "no database"),
        ({"sql": "SELECT 1", "tree": "absent"}, 404, "no tree 'absent'"),
        ({"sql": "SELECT 1", "max_rows": 10**9}, 422, "max_rows: expected an integer"),
    ],
)
def test_what_cannot_be_asked_is_told_why(
    http: httpx.Client, body: dict[str, Any], status: int, words: str
) -> None:
    response = http.post("/execute", content=json.dumps(ASKED | body))
    assert response.status_code == status
    assert words in response.json()["error"] == response.json()["detail"]


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100_000, b"\xff", b"[]", b"null"])
def test_a_body_that_is_no_object_is_no_failure_of_ours(http: httpx.Client, body: bytes) -> None:
    assert http.post("/execute", content=body).status_code == 422
    assert http.post("/execute/batch", content=body).status_code == 422


def test_a_body_has_its_limit(http: httpx.Client) -> None:
    response = http.post("/execute", content=b"x" * (LIMITS["body_bytes"].default + 1))
    assert (response.status_code, response.json()["ok"]) == (413, False)


def test_other_routes_and_methods_are_told_apart(http: httpx.Client) -> None:
    assert http.get("/absent").status_code == 404
    assert http.get("/execute").status_code == 405


def test_trees_are_listed_with_their_digests(http: httpx.Client) -> None:
    [empty, hostile] = http.get("/trees").json()["trees"]["original"]
    assert (empty["dataset"], empty["db_id"], hostile["db_id"]) == ("small", "empty", "hostile")
    assert hostile["sha256"] == said(http, "SELECT 1")["database_sha256"]
    assert http.get("/trees", params={"tree": "absent"}).status_code == 404


def test_health_has_two_questions(http: httpx.Client) -> None:
    assert http.get("/healthz/live").json() == {"ok": True}
    assert len(http.get("/healthz/ready").json()["workers"]) >= 1


def test_metrics_count_answers_requests_and_limits(http: httpx.Client) -> None:
    said(http, ENDLESS, max_vm_steps=10_000)
    text = http.get("/metrics").text
    assert 'db_execution_answers_total{status="timeout",error_class="vm_steps"}' in text
    assert 'db_execution_requests_total{route="/execute",code="200"}' in text
    assert all(f'db_execution_limit_hits_total{{limit="{name}"}}' in text for name in LIMITS)


def test_no_path_of_the_server_is_told(http: httpx.Client, tree: Path) -> None:
    bodies = [{"sql": "SELECT"}, {"sql": "ATTACH 'x' AS y"}, {"sql": "1", "db_id": "absent"}]
    texts = [http.post("/execute", json=ASKED | body).text for body in bodies]
    assert not any(str(tree) in text for text in [*texts, http.get("/trees").text])


def test_the_log_has_no_query_and_no_value(http: httpx.Client, log: Path) -> None:
    said(http, "SELECT 'a secret'")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert any(line["event"] == "request" and line["route"] == "/execute" for line in lines)
    assert "secret" not in log.read_text()


def test_many_at_once_are_all_answered(http: httpx.Client) -> None:
    seen: list[int] = []

    def ask(number: int) -> None:
        seen.append(said(http, f"SELECT {number} AS n")["rows"][0]["n"])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(50))


def test_a_file_that_is_no_database_is_refused_and_not_a_crash(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "text.sqlite").write_text("not a database " * 100)
    with Embedded([f"original={tmp_path}"]) as executor:
        for mode in ("read_only", "sandbox_rollback"):
            asked = {"dataset_name": "x", "db_id": "text", "sql": "SELECT 1", "mode": mode}
            response = httpx.post(f"{executor.url}/execute", json=asked)
            assert (response.status_code, response.json()["error_class"]) == (409, "bad_tree")


def test_a_database_that_changes_is_read_anew(tmp_path: Path) -> None:
    answers = []
    with Embedded([f"original={tmp_path}"]) as executor:
        for value in (1, 2):
            script = f"CREATE TABLE t(a); INSERT INTO t VALUES ({value})"
            write_database(tmp_path / "one" / "one.sqlite", script)
            asked = {"dataset_name": "x", "db_id": "one", "sql": "SELECT a FROM t"}
            answers.append(httpx.post(f"{executor.url}/execute", json=asked).json())
    assert [answer["rows"] for answer in answers] == [[{"a": 1}], [{"a": 2}]]
    assert answers[0]["database_sha256"] != answers[1]["database_sha256"]
