"""The description of the interface says what the code does."""

import json
from typing import Any

import httpx

from db_execution.embed import Embedded
from db_execution.limits import LIMITS
from db_execution.protocol import ANSWER, TERMS, batch_from_json, query_from_json
from db_execution.service.openapi import AS_BEFORE, DOCUMENT
from db_execution.service.routes import ROUTES

PATHS: dict[str, Any] = DOCUMENT["paths"]


def request(path: str) -> dict[str, Any]:
    body: dict[str, Any] = PATHS[path]["post"]["requestBody"]["content"]["application/json"]
    return body


def answer(path: str, kind: str = "application/json") -> dict[str, Any]:
    body: dict[str, Any] = PATHS[path]["post"]["responses"]["200"]["content"][kind]
    return body


def test_every_route_is_described() -> None:
    assert set(PATHS) == {route.path for route in ROUTES}


def test_every_field_that_may_be_asked_is_described() -> None:
    assert set(request("/execute")["schema"]["properties"]) == {*TERMS, "sql", "rows_as"}
    assert set(request("/execute/batch")["schema"]["properties"]) == {*TERMS, "queries"}


def test_every_field_that_is_answered_is_described(executor: Embedded) -> None:
    asked = {"dataset_name": "small", "db_id": "hostile", "sql": "SELECT 1"}
    answered = httpx.post(f"{executor.url}/execute", json=asked).json()
    assert set(answer("/execute")["schema"]["properties"]) == set(answered) == {*ANSWER, *AS_BEFORE}


def test_the_examples_can_be_asked() -> None:
    assert query_from_json(request("/execute")["example"]).sql.startswith("SELECT")
    assert len(batch_from_json(request("/execute/batch")["example"]).queries) == 2


def test_the_examples_are_answers_of_the_described_form() -> None:
    assert set(answer("/execute")["example"]) <= {*ANSWER, *AS_BEFORE}
    assert set(answer("/execute/batch", "application/x-ndjson")["example"]) <= set(ANSWER)


def test_limits_are_those_of_the_code() -> None:
    described = request("/execute")["schema"]["properties"]["timeout_ms"]
    assert (described["default"], described["maximum"]) == (120_000, LIMITS["timeout_ms"].maximum)


def test_it_says_how_cells_are_written() -> None:
    text = DOCUMENT["info"]["description"]
    assert all(word in text for word in ("$integer", "$real", "$text", "$blob"))


def test_it_is_served(executor: Embedded) -> None:
    assert httpx.get(f"{executor.url}/openapi.json").json() == json.loads(json.dumps(DOCUMENT))
