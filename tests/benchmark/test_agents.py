"""Agents that need no network: a command, a file; and how one is configured."""

import json
import os
import stat
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from benchmark.agents import AgentError, CommandAgent, PredictedAgent, Question, Reply, read_agents
from benchmark.agents.extract import Unclosed, sql_in
from benchmark.agents.settings import agent_of, checked, chosen_agent
from benchmark.errors import BenchmarkError
from benchmark.tasks import Tasks, read_tasks
from tests.benchmark.made import definition, question_file
from tests.waiting import until

QUESTION = Question(
    task_id="7", question="Who is 'it'?", db_id="shop", knowledge="k", schema="CREATE TABLE t (a);"
)


def said_by(place: Path, script: str, **more: Any) -> Reply:
    """What a shell script answers."""
    path = place / "agent.sh"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return CommandAgent([str(path)], **more).ask(QUESTION)


@pytest.fixture
def tasks(tmp_path: Path) -> Tasks:
    question_file(tmp_path / "q.json")
    return read_tasks(definition(tmp_path))


@pytest.mark.parametrize(
    ("text", "sql"),
    [
        ("SELECT 1", "SELECT 1"),
        (" \ufeffSELECT 1;\n", "SELECT 1;"),
        ("", None),
        ("a\n```sql\nSELECT 1\n```\nb\n```SQL\nSELECT 2\n```\nc", "SELECT 2"),
        ("```sql\nSELECT 1\n```\nruns as\n```\nSELECT 2\n```", "SELECT 1"),
        ("```sqlite\nSELECT 1\n```", "SELECT 1"),
        ("```\nSELECT 1\n```", "SELECT 1"),
        ("~~~sql\nSELECT '```'\n~~~", "SELECT '```'"),
        ("````sql\nSELECT 1 -- ```\n````", "SELECT 1 -- ```"),
        ("```python\nprint(1)\n```", None),
        ("```sql\n\n```", None),
        ("```sql\nSELECT 1```\n", "SELECT 1"),
        ("SELECT '`' || '```sql x'", "SELECT '`' || '```sql x'"),
    ],
)
def test_the_sql_of_an_answer_is_found_by_one_rule(text: str, sql: str | None) -> None:
    assert sql_in(text) == sql


def test_a_block_without_an_end_is_no_query() -> None:
    with pytest.raises(Unclosed):
        sql_in("```sql\nSELECT a FROM t")


def test_a_command_reads_the_question_and_its_output_is_the_sql(tmp_path: Path) -> None:
    reply = said_by(tmp_path, "cat > got.json; env > env.txt; echo 'SELECT 1'", folder=tmp_path)
    assert (reply.sql, reply.reason) == ("SELECT 1", None)
    told = json.loads((tmp_path / "got.json").read_text())
    assert told["schema"] == "CREATE TABLE t (a);"
    assert (told["question"], told["dialect"], told["round"]) == ("Who is 'it'?", "sqlite", 0)
    lines = (tmp_path / "env.txt").read_text().splitlines()
    assert {
        "BENCHMARK_TASK_ID=7",
        "BENCHMARK_DB_ID=shop",
        "BENCHMARK_QUESTION=Who is 'it'?",
    } <= set(lines)


def test_a_command_may_be_written_in_any_language(tmp_path: Path) -> None:
    code = "import json, sys; print('SELECT', len(json.load(sys.stdin)['question']))"
    assert CommandAgent([sys.executable, "-c", code]).ask(QUESTION).sql == "SELECT 12"


@pytest.mark.parametrize(
    ("script", "reason", "error"),
    [
        ("echo oh >&2; echo 'no key' >&2; exit 3", "exit_status", "the command ended with status 3: no key"),
        ("kill -9 $$", "exit_status", "the command ended with signal 9"),
        ("printf 'SELECT \\377'", "not_text", "byte 7 of its answer is not UTF-8"),
        ("echo '```sql'; echo SELECT 1", "cut", "the answer breaks off inside a block"),
        ("head -c 1000001 /dev/zero", "too_long", "it said 1000001 bytes; at most 1000000 are read"),
    ],
)  # fmt: skip
def test_a_command_that_fails_says_how(
    tmp_path: Path, script: str, reason: str, error: str
) -> None:
    reply = said_by(tmp_path, script)
    assert (reply.reason, reply.error, reply.sql) == (reason, error, None)


def test_a_command_that_says_nothing_gave_no_sql(tmp_path: Path) -> None:
    reply = said_by(tmp_path, "true")
    assert (reply.reason, reply.sql) == (None, None)


def test_a_command_that_takes_too_long_ends_with_all_it_started(tmp_path: Path) -> None:
    child = tmp_path / "child"
    for limit in (0.5, 4.0, 32.0):  # a busy machine may not come to the child in half a second
        reply = said_by(tmp_path, f"sleep 600 & echo $! > {child}; sleep 600", time_limit=limit)
        assert (reply.reason, reply.error) == ("time_limit", f"no answer within {limit:g} s")
        if child.exists() and child.read_text().endswith("\n"):
            break
    until(lambda: is_gone(int(child.read_text())))


def test_what_a_command_leaves_behind_holds_nothing_up(tmp_path: Path) -> None:
    """A child that keeps the output open would be waited for until the time limit."""
    reply = said_by(tmp_path, f"sleep 600 & echo $! > {tmp_path}/child; echo SELECT 1")
    assert reply.sql == "SELECT 1"
    until(lambda: is_gone(int((tmp_path / "child").read_text())))


def is_gone(process: int) -> bool:
    """Whether it is no more, or dead and not yet fetched by whoever inherits it."""
    try:
        os.kill(process, 0)
        return ") Z " in Path(f"/proc/{process}/stat").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return True


def test_a_command_is_ended_when_the_run_is_and_gives_no_reply(tmp_path: Path) -> None:
    agent = CommandAgent(["sh", "-c", "touch begun; sleep 600"], folder=tmp_path)

    def close() -> None:
        until((tmp_path / "begun").exists)
        agent.close()

    threading.Thread(target=close).start()
    with pytest.raises(AgentError, match="the run was ended"):
        agent.ask(QUESTION)


def test_a_command_that_cannot_start_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="cannot run the command '/no/such': No such file"):
        CommandAgent(["/no/such"]).ask(QUESTION)


def test_a_script_that_was_changed_is_another_agent(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("echo SELECT 1")
    before = CommandAgent(["sh", "a.sh", "--token", "secret"], folder=tmp_path).identity()
    (tmp_path / "a.sh").write_text("echo SELECT 2")
    after = CommandAgent(["sh", "a.sh", "--token", "secret"], folder=tmp_path).identity()
    assert before != after
    assert "secret" not in json.dumps(dict(before))


def test_a_file_answers_round_by_round_and_leaves_out_what_it_does_not_name(
    tasks: Tasks, tmp_path: Path
) -> None:
    (tmp_path / "p0.jsonl").write_text('{"task_id": "1", "sql": "SELECT 1"}')
    (tmp_path / "p1.jsonl").write_text('{"task_id": "1", "sql": null}')
    agent = PredictedAgent(tmp_path / "p{round}.jsonl", tasks, rounds=2)
    first, second, none = (
        agent.ask(Question(task_id=name, question="", round=at))
        for name, at in (("1", 0), ("1", 1), ("2", 0))
    )
    assert first is not None
    assert second is not None
    assert (first.sql, second.sql, none) == ("SELECT 1", None, None)


AGENTS = """
[agent.script]
command = ["sh", "a.sh"]
time_limit = 5.0

[agent.model]
endpoint = "http://127.0.0.1:1/v1"
model = "m"
price_prompt = 2.5
price_completion = 10.0
"""


def test_agents_stand_in_a_file_by_name(tmp_path: Path, tasks: Tasks) -> None:
    (tmp_path / "agents.toml").write_text(AGENTS)
    assert {name: one.kind for name, one in read_agents(tmp_path / "agents.toml").items()} == {
        "script": "command",
        "model": "endpoint",
    }
    (tmp_path / "a.sh").write_text("echo SELECT 5")
    agent = agent_of(chosen_agent(tmp_path / "agents.toml", "script"), tasks)
    reply = agent.ask(QUESTION)
    assert reply is not None
    assert reply.sql == "SELECT 5"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"api_key": "hunter2"}, "key_variable names the variable"),
        ({"modle": "m"}, "modle: unknown key; it may be: predictions, command"),
        ({"time_limit": 0}, "time_limit: Input should be"),
        ({"time_limit": "hunter2"}, "time_limit: Input should be"),
    ],
)
def test_settings_that_are_wrong_are_named_and_never_shown(
    fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(AgentError, match=said) as caught:
        checked(fields, "a.toml: [agent.a]")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "found none of them"),
        ({"command": "a", "endpoint": "b"}, "found command and endpoint"),
        ({"command": "'a"}, "cannot read the command"),
        ({"command": " "}, "the command is empty"),
        ({"endpoint": "http://127.0.0.1/v1"}, "the endpoint needs a model"),
    ],
)
def test_an_agent_that_cannot_be_one_is_one_line(
    tasks: Tasks, fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(BenchmarkError, match=said):
        agent_of(checked(fields, "the agent"), tasks)
