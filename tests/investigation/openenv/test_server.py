"""The server through its WebSocket: the pitfalls of the protocol, one by one."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from socket import create_connection
from time import monotonic
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from bench.sessions import Socket, serving
from db_execution.sandbox import EPISODE
from investigation.actions import Action
from investigation.episode import ACTIONS
from investigation.instance import Instance
from investigation.openenv.adapter import SqlEnvironment
from investigation.openenv.app import SESSIONS
from investigation.openenv.client import SqlInvestigation
from investigation.openenv.models import SqlAction
from investigation.openenv.serving import FRAME_BYTES
from investigation.tasks import BadReset, World
from tests.investigation.test_hostile_episode import CONTENTS, EITHER, MAY_BE, SECONDS
from tests.investigation.test_hostile_episode import WORLD as HOSTILE
from tests.investigation.toy import WORLD, draw
from tests.shared_data import cases
from tests.waiting import until

SEED = {"seed": 3, "family": "totals"}
BIG = 2**62 + 12_345
TOLD: list[dict[str, Any]] = []


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(world=WORLD, journal=TOLD.append, siblings=True) as address:
        yield address


@pytest.fixture
def socket(url: str) -> Iterator[Socket]:
    with Socket(url) as ours:
        yield ours


@pytest.mark.parametrize("family", WORLD.families)
def test_the_oracle_earns_one_and_all_else_nothing(socket: Socket, family: str) -> None:
    for seed in range(10):
        instance = draw(family, seed)
        submissions = [instance.oracle_sql, instance.traps[0].sql, "SELECT 1", "SELEC"]
        rewards = []
        for sql in submissions:
            socket.reset(seed=seed, family=family)
            end = socket.step("submit", sql)
            assert end["done"] is True
            rewards.append(end["reward"])
        assert rewards == [1.0, 0.0, 0.0, 0.0]
        socket.reset(seed=seed, family=family)
        assert socket.step("finish")["reward"] == 0.0


def test_the_thirteenth_action_is_impossible(socket: Socket) -> None:
    oracle = draw("totals", 3).oracle_sql
    socket.reset(**SEED)
    seen = [socket.step("query", "SELECT 1") for _ in range(ACTIONS)]
    assert [one["done"] for one in seen] == [False] * (ACTIONS - 1) + [True]
    late = socket.step("submit", oracle)
    assert (late["done"], late["reward"], late["observation"]["error_kind"]) == (True, 0.0, "over")
    assert socket.send("state")["data"]["step_count"] == ACTIONS


def test_two_sessions_never_see_each_others_data(url: str) -> None:
    with Socket(url) as one, Socket(url) as other:
        one.reset(seed=1, family="totals")
        other.reset(seed=2, family="totals")
        for _ in range(3):
            for socket, seed in ((one, 1), (other, 2)):
                rows = socket.step("query", "SELECT * FROM sales")["observation"]["rows"]
                assert rows == [list(row) for row in draw("totals", seed).tables[0].rows]
        other.step("finish")
        assert one.send("state")["data"]["step_count"] == 3
        assert other.send("state")["data"]["done"]
        assert one.step("submit", draw("totals", 1).oracle_sql)["reward"] == 1.0


@pytest.mark.parametrize(
    "data",
    [
        *({"seed": seed} for seed in (-1, "abc", 2**63, 2**80, True, 1.5)),
        *({"family": "absent"}, {"split": "absent"}, {"index": 99}, {"self": 1}, {"op": "query"}),
        *({"episode_id": 7}, {"episode_id": "x" * 300}, {"seed": float("nan")}),
    ],
)
def test_a_reset_that_is_wrong_says_so_and_changes_nothing(
    socket: Socket, data: dict[str, Any]
) -> None:
    socket.reset(**SEED, episode_id="mine")
    socket.step("query", "SELECT 1")
    assert socket.send("reset", **data)["type"] == "error"
    state = socket.send("state")["data"]
    assert (state["episode_id"], state["step_count"], state["done"]) == ("mine", 1, False)


def test_a_seed_of_63_bits_is_heeded(socket: Socket) -> None:
    socket.reset(seed=BIG, family="totals")
    assert socket.step("submit", draw("totals", BIG).oracle_sql)["reward"] == 1.0


def test_resets_are_the_same_for_a_seed_and_others_for_others(socket: Socket) -> None:
    def seen(seed: int) -> str:
        first = socket.reset(seed=seed)
        return json.dumps([first, socket.step("query", "SELECT * FROM sales")])

    first = [seen(seed) for seed in range(8)]
    assert first == [seen(seed) for seed in range(8)]
    assert len(set(first)) == 8


MALFORMED: tuple[dict[str, Any], ...] = (
    *({}, {"op": "drop"}, {"op": "query"}, {"op": "submit"}, {"op": "query", "sql": 1}),
    *({"op": "query", "sql": "SELECT 1", "more": 1}, {"op": "query", "sql": "\ud800"}),
    *({"type": "call_tool", "tool_name": "x"}, {"op": "query", "sql": ["SELECT 1"]}),
)


@pytest.mark.parametrize("data", MALFORMED)
def test_malformed_input_costs_no_action(socket: Socket, data: dict[str, Any]) -> None:
    socket.reset(**SEED)
    assert socket.send("step", **data)["type"] == "error"
    assert socket.step("query", "SELECT 1")["observation"]["actions_left"] == ACTIONS - 1


@pytest.mark.parametrize(
    "frame",
    [
        *("[]", "null", "3", '"reset"', "", "{", "[" * 100_000, b"\x00\xff", b'{"type": "state"}'),
        *('{"type": "\\ud800"}', '{"type": []}', '{"type": "reset", "data": []}', "9" * 5_000),
        *('{"type": "step", "data": {"op": "query", "sql": "\\udfff"}}', '{"type": "nothing"}'),
    ],
    ids=lambda frame: repr(frame)[:40],
)
def test_no_frame_ends_a_session(socket: Socket, frame: str | bytes) -> None:
    socket.reset(**SEED)
    assert socket.frame(frame)["type"] == "error"
    assert socket.step("query", "SELECT 1")["observation"]["actions_left"] == ACTIONS - 1


def test_a_failing_or_refused_query_costs_an_action(socket: Socket) -> None:
    socket.reset(**SEED)
    for left, sql in ((11, "SELEC"), (10, "DROP TABLE sales"), (9, ""), (8, "x" * 5_000)):
        seen = socket.step("query", sql)
        assert (seen["observation"]["actions_left"], seen["done"], seen["reward"]) == (
            left,
            False,
            0,
        )
        assert seen["observation"]["error"]


def test_every_kind_of_cell_comes_over_the_wire(socket: Socket) -> None:
    socket.reset(**SEED)
    sql = "SELECT NULL, 9007199254740993, 1e300, 9e999, x'ff00', CAST(x'ff' AS TEXT), 'e\u00e9\0'"
    seen = socket.step("query", sql.replace("\0", ""))["observation"]
    assert seen["rows"] == [
        [
            *(None, {"$integer": "9007199254740993"}, 1e300, {"$real": "+inf"}),
            *({"$blob": "/wA="}, {"$text": "/w=="}, "e\u00e9"),
        ]
    ]
    assert seen["actions_left"] == ACTIONS - 1


def test_every_hostile_case_is_held_at_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = getrusage(RUSAGE_SELF).ru_maxrss
    with serving(world=HOSTILE) as address, Socket(address) as socket:
        for case in cases("hostile_sql"):
            socket.reset(seed=1)
            whole = socket.step("query", CONTENTS)["observation"]["rows"]
            began = monotonic()
            answer = socket.send("step", op="query", sql=case["sql"])
            assert monotonic() - began < SECONDS, case["id"]
            assert answer["type"] == "observation", case["id"]
            kind = answer["data"]["observation"]["error_kind"]
            assert kind in MAY_BE.get(case["expect"], EITHER), (case["id"], answer)
            assert socket.step("query", CONTENTS)["observation"]["rows"] == whole, case["id"]
    assert os.listdir(tmp_path) == []
    assert (getrusage(RUSAGE_SELF).ru_maxrss - before) * 1024 < EPISODE.heap_bytes


def test_a_step_before_a_reset_does_nothing(socket: Socket) -> None:
    seen = socket.step("query", "SELECT 1")
    assert (seen["done"], seen["reward"], seen["observation"]["error_kind"]) == (True, 0.0, "over")


def test_a_tool_call_is_no_action(socket: Socket) -> None:
    socket.reset(**SEED)
    for method in ("tools/call", "tools/list"):
        asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"name": "x"}}
        assert socket.send("mcp", **asked)["data"]["error"]
    assert socket.step("query", "SELECT 1")["observation"]["actions_left"] == ACTIONS - 1


def test_the_state_holds_nothing_but_where_the_episode_stands(socket: Socket) -> None:
    socket.reset(seed=BIG, family="totals", episode_id="mine")
    state = socket.send("state")["data"]
    assert state == {
        **{"episode_id": "mine", "step_count": 0, "family": "totals"},
        **{"actions_left": ACTIONS, "done": False},
    }


def test_a_session_that_the_server_let_go_of_is_over() -> None:
    environment = SqlEnvironment(world=WORLD)
    environment.reset(**SEED)
    environment.close()
    seen = environment.step(SqlAction(op="query", sql="SELECT 1"))
    assert (seen.done, seen.reward, seen.error) == (True, 0.0, "the session is closed")
    with pytest.raises(BadReset):
        environment.reset(**SEED)


def test_sessions_up_to_the_most_and_then_a_clear_refusal() -> None:
    with serving(world=WORLD) as address, ExitStack() as stack:
        sockets = [stack.enter_context(Socket(address)) for _ in range(SESSIONS)]
        with ThreadPoolExecutor(16) as pool:
            seen = list(pool.map(lambda socket: socket.reset(), sockets))
        assert all(one["observation"]["actions_left"] == ACTIONS for one in seen)
        with Socket(address) as late:
            refusal = json.loads(late.wire.recv(timeout=30))
        assert refusal["data"]["code"] == "CAPACITY_REACHED"
        sockets[0].send_only('{"type": "close"}')
        until(lambda: is_let_in(address), every=0.05)


def is_let_in(address: str) -> bool:
    """Whether a session begins there now."""
    with Socket(address) as socket:
        return bool(socket.send("state")["type"] == "state")


def test_a_frame_that_is_far_too_long_ends_no_session_but_its_own(socket: Socket, url: str) -> None:
    socket.reset(**SEED)
    with Socket(url) as other, pytest.raises(ConnectionClosed):
        other.frame("x" * (FRAME_BYTES + 1))
    assert socket.step("query", "SELECT 1")["done"] is False


def test_what_goes_wrong_inside_is_an_error_and_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("the answer is 42")

    told: list[dict[str, Any]] = []
    with serving(world=WORLD, journal=told.append) as address, Socket(address) as socket:
        socket.reset(**SEED)
        monkeypatch.setattr("investigation.episode.grade", broken)
        answer = socket.send("step", op="submit", sql="SELECT 1")
        assert (answer["type"], answer["data"]["code"]) == ("error", "EXECUTION_ERROR")
        assert "42" not in str(answer)
        assert "the answer is 42" in str(told[-1])
        assert socket.send("state")["data"]["done"]
        monkeypatch.undo()
        assert socket.step("query", "SELECT 1")["observation"]["error_kind"] == "over"
        socket.reset(**SEED)
        assert socket.step("submit", draw("totals", 3).oracle_sql)["reward"] == 1.0


def test_a_journal_that_cannot_be_written_is_an_error_and_no_reward() -> None:
    def full(facts: dict[str, Any]) -> None:
        raise OSError(28, "No space left on device")

    with serving(world=WORLD, journal=full) as address, Socket(address) as socket:
        answer = socket.send("reset", **SEED)
    assert (answer["type"], "No space" in str(answer)) == ("error", False)


def test_a_family_that_cannot_draw_is_told_to_the_operator_alone() -> None:
    def broken(family: str, seed: int) -> Instance:
        raise RuntimeError(f"the seed is {seed}")

    told: list[dict[str, Any]] = []
    with serving(world=World(("broken",), broken), journal=told.append) as address:
        with Socket(address) as socket:
            answer = json.dumps(socket.send("reset", seed=BIG))
        page = httpx.post(f"{address}/reset", json={"seed": BIG}).text
    assert str(BIG) not in answer + page
    assert "journal" in answer
    assert str(BIG) in str(told)


def test_plain_requests_have_no_memory_and_say_so(url: str) -> None:
    assert httpx.post(f"{url}/reset", json=SEED).json()["observation"]["actions_left"] == ACTIONS
    late = httpx.post(f"{url}/step", json={"action": {"op": "query", "sql": "SELECT 1"}}).json()
    assert (late["done"], late["observation"]["error"]) == (
        True,
        "there is no episode yet; reset begins one",
    )
    assert httpx.post(f"{url}/reset", json={"seed": -1}).status_code == 422
    assert httpx.post(f"{url}/reset", json={"family": "absent"}).status_code == 422
    assert httpx.post(f"{url}/step", json={"action": {"op": "query"}}).status_code == 422
    assert httpx.get(f"{url}/state").json()["done"] is True


def test_the_tasks_are_the_families(url: str) -> None:
    base = f"{url}/sql_investigation"
    assert [split["name"] for split in httpx.get(f"{base}/splits").json()] == ["train", "test"]
    tasks = httpx.post(f"{base}/tasks", json={"split": "train"}).json()["tasks"]
    assert [task["id"] for task in tasks] == list(WORLD.families)
    assert httpx.post(f"{base}/num_tasks", json={"split": "test"}).json() == {"num_tasks": 2}
    one = httpx.post(f"{base}/task", json={"split": "test", "index": 1}).json()["task"]
    assert one == {"id": "means", "index": 1, "split": "test"}
    for split, index in (("train", 2), ("train", -1), ("absent", 0)):
        assert httpx.post(f"{base}/task", json={"split": split, "index": index}).status_code == 400
    some = httpx.post(f"{base}/task_range", json={"split": "train", "start": 1, "stop": 9}).json()
    assert [task["id"] for task in some["tasks"]] == ["means"]


def test_a_task_is_chosen_by_its_place(socket: Socket) -> None:
    socket.reset(split="test", index=1)
    assert socket.send("state")["data"]["family"] == "means"


def test_the_typed_client_plays_an_episode(url: str) -> None:
    with SqlInvestigation(base_url=url).sync() as client:
        first = client.reset(**SEED)
        assert first.observation.instruction == draw("totals", 3).instruction
        seen = client.step(SqlAction(op="query", sql="SELECT 1 AS a"))
        assert (seen.observation.columns, seen.observation.rows, seen.done) == (["a"], [[1]], False)
        assert client.state().step_count == 1
        end = client.step(SqlAction(op="submit", sql=draw("totals", 3).oracle_sql))
        assert (end.done, end.reward, end.observation.reward) == (True, 1.0, 1.0)
        client.reset(**SEED)
        assert client.step(SqlAction(op="finish")).reward == 0.0


def test_the_rubric_is_the_reward() -> None:
    environment = SqlEnvironment(world=WORLD)
    environment.reset(**SEED)
    environment.step(SqlAction(op="query", sql="SELECT 1"))
    end = environment.step(SqlAction(op="submit", sql=draw("totals", 3).oracle_sql))
    assert environment.rubric.last_score == end.reward == 1.0
    assert environment.rubric.compute_step_rewards() == [0.0, 1.0]
    environment.step(SqlAction(op="finish"))
    assert environment.rubric.last_score == 1.0
    environment.reset(**SEED)
    assert environment.rubric.compute_step_rewards() == []


def test_the_journal_has_each_episode(socket: Socket) -> None:
    socket.reset(seed=BIG, family="totals", episode_id="told")
    socket.step("submit", draw("totals", BIG).oracle_sql)
    ours = [facts for facts in TOLD if facts["episode"] == "told"]
    assert [facts["event"] for facts in ours] == ["reset", "action", "end"]
    assert (ours[0]["seed"], ours[-1]["reason"], ours[-1]["right_on_sibling"]) == (
        BIG,
        "correct",
        True,
    )


def test_with_a_token_nobody_else_comes_in() -> None:
    with serving(world=WORLD, token="secret", local=False) as address:
        assert httpx.get(f"{address}/health").status_code == 200
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "secre"}):
            assert httpx.get(f"{address}/schema", headers=headers).status_code == 401
            with pytest.raises(InvalidStatus):
                Socket(address, headers=headers)
        with Socket(address, headers={"Authorization": "Bearer secret"}) as socket:
            assert socket.reset(**SEED)["done"] is False
        client = SqlInvestigation(base_url=address, headers={"Authorization": "Bearer secret"})
        with client.sync() as ours:
            assert ours.reset(**SEED).done is False


def test_a_page_whose_name_points_here_is_turned_away(url: str) -> None:
    assert httpx.get(f"{url}/schema", headers={"Host": "elsewhere.example"}).status_code == 403
    assert httpx.get(f"{url}/schema", headers={"Host": "localhost:1"}).status_code == 200
    port = int(url.rpartition(":")[2])
    with create_connection(("127.0.0.1", port)) as wire, pytest.raises(InvalidStatus) as refused:
        connect("ws://elsewhere.example/ws", sock=wire, proxy=None)
    assert refused.value.response.status_code == 403


def test_an_action_is_checked_before_it_is_one() -> None:
    assert SqlAction(op="finish").sql is None
    assert Action("query", "x") == Action("query", "x")
    with pytest.raises(ValueError, match="query and submit need"):
        SqlAction(op="query")
