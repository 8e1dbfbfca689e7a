"""A model behind an endpoint: what it says, and all the ways in which it does not."""

import json
import logging
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from benchmark.agents import AgentError, EndpointAgent, Question, Reply
from benchmark.agents.endpoint import EndpointTerms
from tests.benchmark.chat_double import KEY, Double, Say, completion, events, serving

SQL = "Here:\n```sql\nSELECT 1\n```\n"
QUESTION = Question(
    task_id="1", question="How many?", knowledge="many is > 3", schema="CREATE TABLE t (a);"
)
RIGHT = Say(completion(SQL))


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def asked(double: Double, **terms: Any) -> Reply:
    """One question, asked of the double."""
    fast = {"pause": 0.01, "time_limit": 30.0, "retries": 2}
    agent = EndpointAgent(EndpointTerms(url=double.url, model="m", **(fast | terms)))
    try:
        return agent.ask(QUESTION)
    finally:
        agent.close()


def test_a_model_is_told_schema_knowledge_and_question_and_its_tokens_are_priced() -> None:
    with serving(RIGHT) as double:
        reply = asked(double, price_prompt=2.0, price_completion=10.0, seed=4)
    told = double.asked[0]
    assert reply.sql == "SELECT 1"
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (100, 20)
    assert reply.usage.cost == 0.0004
    user = told["messages"][1]["content"]
    assert all(part in user for part in ("CREATE TABLE t (a);", "many is > 3", "How many?"))
    assert (told["model"], told["temperature"], told["seed"]) == ("m", 0.0, 4)
    assert double.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize("again", ["seconds", "date"])
def test_too_many_requests_are_waited_for_as_long_as_the_endpoint_says(again: str) -> None:
    soon = (datetime.now(UTC) + timedelta(seconds=2)).replace(microsecond=0)  # as a date says it
    after = "0.4" if again == "seconds" else format_datetime(soon, usegmt=True)
    with serving(Say({}, 429, {"Retry-After": after}), RIGHT) as double:
        began = time.monotonic()
        reply = asked(double)
    assert (reply.sql, reply.tries) == ("SELECT 1", 2)
    assert time.monotonic() - began >= 0.4 if again == "seconds" else datetime.now(UTC) >= soon


@pytest.mark.parametrize(
    ("say", "said"),
    [
        (Say({"error": {"message": "slow down"}}, 429), "it answered 429: slow down (asked 3 times)"),
        (Say(b"<html>", 502), "it answered 502 (asked 3 times)"),
        (Say(b"{\"choices\": [", 200), "the answer is not JSON"),
        (Say({"error": {"message": "overloaded"}}), "the endpoint says: overloaded"),
    ],
)  # fmt: skip
def test_what_does_not_arrive_whole_is_asked_for_again(say: Say, said: str) -> None:
    with serving(say) as double:
        reply = asked(double)
    assert (reply.reason, reply.sql, reply.tries) == ("unanswered", None, 3)
    assert said in str(reply.error)
    assert len(double.asked) == 3


def test_an_endpoint_that_answers_nobody_ends_the_run() -> None:
    with serving(Say({}, 503)) as double:
        agent = EndpointAgent(EndpointTerms(url=double.url, model="m", retries=0))
        for _ in range(9):
            assert agent.ask(QUESTION).reason == "unanswered"
        with pytest.raises(AgentError, match="left 10 tasks in a row unanswered: it answered 503"):
            agent.ask(QUESTION)
        agent.close()


def test_one_answer_between_them_and_the_run_goes_on() -> None:
    with serving(*[Say({}, 503)] * 9, RIGHT, Say({}, 503)) as double:
        agent = EndpointAgent(EndpointTerms(url=double.url, model="m", retries=0))
        replies = [agent.ask(QUESTION).reason for _ in range(11)]
        agent.close()
    assert replies == ["unanswered"] * 9 + [None, "unanswered"]


def test_an_endpoint_that_wants_an_hour_is_not_waited_for() -> None:
    with serving(Say({}, 429, {"Retry-After": "3600"})) as double:
        reply = asked(double)
    assert (reply.reason, len(double.asked)) == ("unanswered", 1)


@pytest.mark.parametrize(
    ("body", "reason", "said"),
    [
        ({}, "malformed", "the answer has no choices"),
        ({"choices": []}, "malformed", "the answer has no choices"),
        ([1], "malformed", "the answer is no JSON object"),
        (completion(None), "malformed", "the answer has no content"),
        (completion([{"type": "text"}]), "malformed", "the answer has no content"),
        (completion("SELECT 1", "length"), "cut", "longer than max_tokens"),
        (completion("```sql\nSELECT 1"), "cut", "breaks off inside a block"),
        (completion(None, "content_filter"), "refused", "held the answer back"),
        (completion("\ud800"), "not_text", "half a character"),
    ],
)
def test_an_answer_that_is_none_is_the_reply_and_is_not_asked_for_again(
    body: Any, reason: str, said: str
) -> None:
    raw = json.dumps(body).encode()  # half a character is written as an escape
    with serving(Say(raw)) as double:
        reply = asked(double)
    assert (reply.reason, reply.sql, len(double.asked)) == (reason, None, 1)
    assert said in str(reply.error)


def test_a_request_that_is_refused_fails_that_task_alone() -> None:
    with serving(Say({"error": {"message": "too long a prompt"}}, 400)) as double:
        reply = asked(double)
    assert (reply.reason, reply.error) == ("refused", "it answered 400: too long a prompt")


def test_silence_and_a_trickle_end_with_the_time_limit() -> None:
    slow = Say(lines=events(*"SELECT 1"), pause=0.2)
    for say, stream in ((Say({}, delay=60), False), (slow, True)):
        with serving(say) as double:
            reply = asked(double, time_limit=0.5, retries=0, stream=stream)
        assert (reply.reason, reply.sql) == ("unanswered", None)
        assert "no answer within 0.5 s" in str(reply.error)


def test_a_stream_is_put_together() -> None:
    with serving(Say(lines=events("```sql\nSEL", "ECT 1\n", "```"))) as double:
        reply = asked(double, stream=True)
    assert (reply.sql, double.asked[0]["stream"]) == ("SELECT 1", True)
    assert reply.usage is not None
    assert reply.usage.prompt_tokens == 7


@pytest.mark.parametrize("breaks", [False, True])
def test_a_stream_that_is_cut_in_the_middle_is_no_answer(breaks: bool) -> None:
    """What came so far is a query, and another one than was meant."""
    cut = Say(lines=events("SELECT a FROM t", finish=None, done=False), breaks=breaks)
    with serving(cut) as double:
        reply = asked(double, stream=True)
    assert (reply.reason, reply.sql, len(double.asked)) == ("unanswered", None, 3)
    with serving(cut, Say(lines=events("SELECT a FROM t WHERE a > 3"))) as double:
        assert asked(double, stream=True).sql == "SELECT a FROM t WHERE a > 3"


def test_an_endpoint_that_cannot_stream_answers_whole() -> None:
    with serving(RIGHT) as double:
        assert asked(double, stream=True).sql == "SELECT 1"


def test_a_wrong_key_ends_the_run_and_is_never_told(caplog: pytest.LogCaptureFixture) -> None:
    said = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    caplog.set_level(logging.DEBUG)
    with serving(Say(said, 401)) as double, pytest.raises(AgentError) as caught:
        asked(double)
    assert "answered 401: Incorrect API key provided: ***" in str(caught.value)
    assert "the key is that of OPENAI_API_KEY" in str(caught.value)
    assert KEY not in str(caught.value) + caplog.text


def test_a_key_that_is_repeated_in_an_answer_is_not_kept() -> None:
    with serving(Say(completion(f"SELECT '{KEY}'"))) as double:
        assert asked(double).sql == "SELECT '***'"


def test_a_key_that_is_not_set_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with serving(Say({}, 401)) as double, pytest.raises(AgentError, match="is not set"):
        asked(double)
    assert double.keys == [""]


def test_an_address_where_nobody_is_ends_the_run() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        double = Double([])
        double.url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    with pytest.raises(AgentError, match="cannot reach http://127.0.0.1"):
        asked(double)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ftp://host/v1", "no http address"),
        ("http://name:secret@host/v1", "keys go in the variable"),
        ("http://host/v1?key=secret", "keys go in the variable"),
    ],
)
def test_an_address_that_cannot_be_one_is_refused_without_its_secret(url: str, said: str) -> None:
    with pytest.raises(AgentError, match=said) as caught:
        EndpointAgent(EndpointTerms(url=url, model="m"))
    assert "secret" not in str(caught.value)


def test_the_identity_is_that_of_the_answers_and_holds_no_key() -> None:
    one = EndpointTerms(url="http://127.0.0.1:1/v1", model="m")
    agent = EndpointAgent(one)
    assert agent.identity()["model"] == "m"
    assert KEY not in json.dumps(dict(agent.identity()))
    agent.close()
