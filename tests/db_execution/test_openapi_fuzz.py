"""The service called in every way that its OpenAPI text allows, and in some that it does not.

Cases are drawn by schemathesis from the text alone; hypothesis draws the same ones every time.
"""

import json
from typing import Any

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode, Response
from schemathesis.core.result import Ok

from db_execution.embed import Embedded
from db_execution.service.openapi import DOCUMENT

CASES = 25
OPERATIONS = {
    f"{found.ok().method.upper()} {found.ok().path}": found.ok()
    for found in schemathesis.openapi.from_dict(DOCUMENT).get_all_operations()
    if isinstance(found, Ok)
}
ASKING = ("POST /execute", "POST /execute/batch")
REAL = {"dataset_name": "small", "db_id": "hostile", "tree": "original"}
SHORT = {"timeout_ms": 200, "max_vm_steps": 100_000}
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much]
SEEDED = settings(
    max_examples=CASES,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],  # a failing call is told as it is: shrinking it takes minutes
    suppress_health_check=QUIET,
)


def lines_of(response: Response) -> list[Any]:
    return [json.loads(line) for line in response.content.split(b"\n") if line]


def conforms(case: Case[Any], response: Response) -> None:
    """It is of a documented status, type and form, and none of our failures."""
    documented = case.operation.definition.raw["responses"]
    assert response.status_code < 500 or response.status_code == 503, response.text
    assert str(response.status_code) in documented, response.text
    [(kind, content)] = documented[str(response.status_code)]["content"].items()
    assert response.headers["content-type"][0].split(";")[0] == kind
    if kind == "text/plain":
        return
    for document in lines_of(response):
        jsonschema.Draft202012Validator(content["schema"]).validate(document)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_allowed_call_is_answered_as_described(executor: Embedded, name: str) -> None:
    @SEEDED
    @given(case=OPERATIONS[name].as_strategy(generation_mode=GenerationMode.POSITIVE))
    def called(case: Case[Any]) -> None:
        response = case.call(base_url=executor.url)
        conforms(case, response)
        case.validate_response(response)

    called()


@pytest.mark.parametrize("name", ASKING)
def test_every_call_that_is_not_allowed_is_refused_as_described(
    executor: Embedded, name: str
) -> None:
    @SEEDED
    @given(case=OPERATIONS[name].as_strategy(generation_mode=GenerationMode.NEGATIVE))
    def called(case: Case[Any]) -> None:
        response = case.call(base_url=executor.url)
        conforms(case, response)
        assert response.status_code != 200 or response.content in (b"",), case.body

    called()


@pytest.mark.parametrize("name", ASKING)
def test_calls_about_a_database_that_is_there_are_answered_as_described(
    executor: Embedded, name: str
) -> None:
    sql = st.sampled_from(
        ["SELECT * FROM t", "SELECT s, s FROM t", "SELECT 1e999, x'ff', 9e15", ""]
    )

    @SEEDED
    @given(case=OPERATIONS[name].as_strategy(generation_mode=GenerationMode.POSITIVE), text=sql)
    def called(case: Case[Any], text: str) -> None:
        assert isinstance(case.body, dict)
        body: dict[str, Any] = dict(case.body)
        asked = {"sql": text} if name == ASKING[0] else {"queries": [text, *body["queries"]]}
        case.body = body | REAL | SHORT | asked
        response = case.call(base_url=executor.url)
        conforms(case, response)
        assert response.status_code == 200, response.text

    called()
