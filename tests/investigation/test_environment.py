"""One agent, one episode after the other, in this process."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from investigation.actions import Action, Malformed, read_action
from investigation.environment import Environment, Observation
from investigation.episode import ACTIONS
from investigation.instance import Instance, Table
from investigation.showing import CELL_CHARACTERS, CHARACTERS, schema
from investigation.splits import split_of
from investigation.tasks import BadReset, Wish, World
from tests.investigation.toy import WORLD, draw, literal

NO_SEEDS: tuple[object, ...] = (-1, 2**63, 2**80, "3", 3.0, True, [])
NO_FAMILIES: tuple[object, ...] = ("absent", "", 3, [], "TOTALS")
TOTALS = Wish(seed=3, family="totals")


@pytest.fixture
def told() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def environment(told: list[dict[str, Any]]) -> Iterator[Environment]:
    ours = Environment(WORLD, journal=told.append, siblings=True)
    yield ours
    ours.close()


def query(sql: str) -> Action:
    return Action("query", sql)


def submitted(environment: Environment, sql: str, wish: Wish = TOTALS) -> Observation:
    environment.reset(wish)
    return environment.step(Action("submit", sql))


@pytest.mark.parametrize("family", WORLD.families)
@pytest.mark.parametrize("seed", range(10))
def test_the_oracle_earns_one_and_a_trap_nothing(
    environment: Environment, family: str, seed: int
) -> None:
    instance, wish = draw(family, seed), Wish(seed=seed, family=family)
    right = submitted(environment, instance.oracle_sql, wish)
    wrong = submitted(environment, instance.traps[0].sql, wish)
    assert (right.reward, right.done) == (1.0, True)
    assert (wrong.reward, wrong.done) == (0.0, True)


def test_the_first_observation_is_the_task(environment: Environment) -> None:
    seen = environment.reset(TOTALS)
    instance = draw("totals", 3)
    assert seen.instruction == instance.instruction
    assert seen.db_schema == schema(instance.tables)
    assert seen.db_schema.endswith(f"\n-- sales: {len(instance.tables[0].rows)} rows")
    assert (seen.actions_left, seen.done, seen.reward) == (ACTIONS, False, 0.0)


def test_a_query_shows_its_rows_and_costs_an_action(environment: Environment) -> None:
    environment.reset(TOTALS)
    seen = environment.step(query("SELECT 1 AS a, NULL, 'x', x'ff', 9e999, 2 AS a"))
    assert seen.columns == ("a", "NULL", "'x'", "x'ff'", "9e999", "a")
    assert seen.rows == ([1, None, "x", {"$blob": "/w=="}, {"$real": "+inf"}, 2],)
    assert (seen.actions_left, seen.done, seen.reward) == (ACTIONS - 1, False, 0.0)


def test_undecodable_text_is_shown(environment: Environment) -> None:
    environment.reset(TOTALS)
    assert environment.step(query("SELECT CAST(x'ff41' AS TEXT)")).rows == ([{"$text": "/0E="}],)


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("SELEC 1", "syntax"),
        ("SELECT nothing FROM sales", "syntax"),
        ('SELECT "nothing" FROM sales', "syntax"),
        ("DROP TABLE sales", "refused"),
        ("SELECT random()", "refused"),
        ("SELECT 1; SELECT 2", "refused"),
        ("", "refused"),
        ("SELECT 1 -- " + "x" * 4_000, "limit"),
        ("SELECT 1, '" + "\u20ac" * 3_990 + "'", "limit"),
        ("SELECT count(*) FROM sales a, sales b, sales c, sales d, sales e, sales f", "limit"),
        ("SELECT printf('%.*c', 20000, 'x')", "limit"),
        ("SELECT " + ",".join("1" * 101), "limit"),
    ],
)
def test_a_query_that_fails_says_why_and_costs_an_action(
    environment: Environment, sql: str, kind: str
) -> None:
    environment.reset(TOTALS)
    seen = environment.step(query(sql))
    assert (seen.error_kind, seen.actions_left, seen.done) == (kind, ACTIONS - 1, False)
    assert seen.error
    assert submitted(environment, sql).reward == 0.0
    assert environment.step(query("SELECT 1")).error_kind == "over"


def test_a_statement_of_four_thousand_characters_runs(environment: Environment) -> None:
    environment.reset(TOTALS)
    sql = "SELECT '" + "\u20ac" * 3_991 + "'"
    assert len(sql) == 4_000
    assert environment.step(query(sql)).error is None
    assert environment.step(query(sql + " ")).error_kind == "limit"


def test_the_last_action_counts_and_there_is_no_thirteenth(environment: Environment) -> None:
    oracle = draw("totals", 3).oracle_sql
    environment.reset(TOTALS)
    left = [environment.step(query("SELECT 1")).actions_left for _ in range(ACTIONS - 1)]
    assert left == list(range(ACTIONS - 1, 0, -1))
    assert environment.step(Action("submit", oracle)).reward == 1.0
    environment.reset(TOTALS)
    seen = [environment.step(query("SELECT 1")) for _ in range(ACTIONS)]
    assert [one.done for one in seen] == [False] * (ACTIONS - 1) + [True]
    assert seen[-1].rows == ([1],)
    late = environment.step(Action("submit", oracle))
    assert (late.done, late.reward, late.error_kind, late.rows) == (True, 0.0, "over", ())
    assert environment.state.step_count == ACTIONS


def test_nothing_is_graded_twice(environment: Environment) -> None:
    oracle = draw("totals", 3).oracle_sql
    assert submitted(environment, oracle).reward == 1.0
    again = environment.step(Action("submit", oracle))
    assert (again.done, again.reward) == (True, 0.0)


def test_giving_up_earns_nothing(environment: Environment) -> None:
    environment.reset(TOTALS)
    seen = environment.step(Action("finish"))
    assert (seen.done, seen.reward, environment.state.done) == (True, 0.0, True)


@pytest.mark.parametrize("sql", [draw("totals", 3).traps[0].sql, "SELEC", "DROP TABLE sales"])
def test_a_submission_shows_nothing_but_its_reward(environment: Environment, sql: str) -> None:
    assert submitted(environment, sql) == Observation(done=True, reward=0.0)


def test_a_step_before_a_reset_or_after_the_end_does_nothing(environment: Environment) -> None:
    before = environment.step(query("SELECT 1"))
    environment.reset(TOTALS)
    environment.close()
    after = environment.step(query("SELECT 1"))
    for seen in (before, after):
        assert (seen.done, seen.reward, seen.error_kind) == (True, 0.0, "over")
    assert environment.state.done


@pytest.mark.parametrize(
    "document",
    [
        *(None, [], "query", {}, {"op": "query"}, {"op": "drop", "sql": "SELECT 1"}),
        *({"op": "submit", "sql": 1}, {"op": "submit", "sql": None}, {"op": ["query"], "sql": ""}),
        {"op": "query", "sql": "SELECT 1", "rows": 9},
    ],
)
def test_what_is_no_action_is_none(document: object) -> None:
    with pytest.raises(Malformed):
        read_action(document)


def test_an_action_is_read_off_a_json_object() -> None:
    assert read_action({"op": "submit", "sql": "SELECT 1"}) == Action("submit", "SELECT 1")
    assert read_action({"op": "finish", "sql": None}) == Action("finish")


@pytest.mark.parametrize(
    "wish",
    [
        *[Wish(seed=seed) for seed in NO_SEEDS],
        *[Wish(family=name) for name in NO_FAMILIES],
        *(Wish(task_id="absent"), Wish(family="totals", task_id="means")),
        *(Wish(split="absent", index=0), Wish(split="test", seed=1), Wish(split=["train"])),
        *(Wish(index=index) for index in (-1, 2, True, "0", 0.0)),
        Wish(split="train", index=1, family="totals"),
    ],
)
def test_a_reset_that_names_no_task_leaves_the_episode_alone(
    environment: Environment, wish: Wish
) -> None:
    environment.reset(TOTALS)
    environment.step(query("SELECT 1"))
    before = environment.state
    with pytest.raises(BadReset):
        environment.reset(wish)
    assert environment.state == before
    assert environment.step(query("SELECT 1")).actions_left == ACTIONS - 2


@pytest.mark.parametrize("ident", ["", "x" * 256, 3, ["a"]])
def test_an_episode_id_is_a_short_text(environment: Environment, ident: Any) -> None:
    with pytest.raises(BadReset):
        environment.reset(TOTALS, episode_id=ident)


@pytest.mark.parametrize(
    "wish", [Wish(index=1), Wish(split="train", index=1), Wish(task_id="means")]
)
def test_a_family_is_named_or_told_by_its_place(environment: Environment, wish: Wish) -> None:
    environment.reset(wish)
    assert environment.state.family == "means"


def test_the_same_seed_and_actions_are_the_same_episode(environment: Environment) -> None:
    def played() -> list[Observation]:
        actions = [query("SELECT * FROM sales"), query("SELECT date('now')"), Action("finish")]
        return [environment.reset(TOTALS), *map(environment.step, actions)]

    first = played()
    assert first == played()
    assert len({json.dumps(environment.reset(Wish(seed=seed)).db_schema) for seed in range(20)}) > 1


def test_every_seed_is_heeded(environment: Environment) -> None:
    def rows(seed: int) -> str:
        environment.reset(Wish(seed=seed, family="totals"))
        return str(environment.step(query("SELECT * FROM sales")).rows)

    first = [rows(seed) for seed in range(12)]
    assert first == [rows(seed) for seed in range(12)]
    assert len(set(first)) == 12


@pytest.mark.parametrize("split", ["train", "test"])
def test_a_fresh_seed_is_of_the_split_that_was_asked_for(
    environment: Environment, told: list[dict[str, Any]], split: str
) -> None:
    environment.reset(Wish(split=split, index=1))
    assert split_of(told[-1]["seed"]) == split
    assert told[-1]["family"] == "means"


def test_without_a_seed_one_is_drawn_and_told_to_the_operator_alone(
    environment: Environment, told: list[dict[str, Any]]
) -> None:
    seen = [environment.reset() for _ in range(50)]
    resets = [facts for facts in told if facts["event"] == "reset"]
    assert len({facts["seed"] for facts in resets}) == 50
    assert all(0 <= facts["seed"] < 2**63 for facts in resets)
    assert {facts["family"] for facts in resets} == set(WORLD.families)
    assert not any(str(facts["seed"]) in str(one) for facts, one in zip(resets, seen, strict=True))


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELEC", "syntax"),
        ("DELETE FROM sales", "refused"),
        ("SELECT count(*) FROM sales a, sales b, sales c, sales d, sales e, sales f", "limit"),
        ("SELECT 1, 2, 3", "columns"),
        ("SELECT 1, 2", "rows"),
        ("SELECT item, 0 FROM sales GROUP BY item", "values"),
        (draw("totals", 3).oracle_sql + " UNION ALL VALUES ('x', 1)", "rows"),
        (
            "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i, i FROM n",
            "rows",
        ),
        (draw("totals", 3).oracle_sql, "correct"),
    ],
)
def test_the_operator_is_told_why_an_episode_ended(
    environment: Environment, told: list[dict[str, Any]], sql: str, reason: str
) -> None:
    submitted(environment, sql)
    end = told[-1]
    assert (end["event"], end["reason"], end["reward"]) == (
        "end",
        reason,
        float(reason == "correct"),
    )
    assert (end["seed"], end["family"], end["actions"]) == (3, "totals", 1)
    assert json.loads(json.dumps(told)) == told


def test_the_operator_is_told_of_giving_up_running_out_and_leaving(
    environment: Environment, told: list[dict[str, Any]]
) -> None:
    environment.reset(TOTALS)
    environment.step(Action("finish"))
    environment.reset(TOTALS)
    for _ in range(ACTIONS):
        environment.step(query("SELECT 1"))
    environment.reset(TOTALS, episode_id="mine")
    environment.reset(TOTALS)
    assert [facts["reason"] for facts in told if facts["event"] == "end"] == ["finish", "budget"]
    assert [facts["episode"] for facts in told if facts["event"] == "left"] == ["mine"]


@pytest.mark.parametrize("seed", range(10))
def test_reasoning_is_told_from_a_constant_answer(
    environment: Environment, told: list[dict[str, Any]], seed: int
) -> None:
    instance, wish = draw("totals", seed), Wish(seed=seed, family="totals")
    commented = '-- it\'s "done"\n' + instance.oracle_sql
    found = []
    for sql in (commented, literal(instance.expected), instance.traps[0].sql, "SELEC"):
        submitted(environment, sql, wish)
        found.append((told[-1]["reward"], told[-1]["right_on_sibling"]))
    assert found == [(1.0, True), (1.0, False), (0.0, False), (0.0, False)]


def test_the_sibling_is_not_looked_at_unless_asked_for(told: list[dict[str, Any]]) -> None:
    submitted(Environment(WORLD, journal=told.append), draw("totals", 3).oracle_sql)
    assert "right_on_sibling" not in told[-1]


def test_a_session_that_was_closed_begins_no_episode(environment: Environment) -> None:
    environment.close()
    with pytest.raises(BadReset):
        environment.reset(TOTALS)


def test_an_episode_that_breaks_is_over(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.reset(TOTALS)
    monkeypatch.setattr("investigation.episode.grade", lambda instance, answer: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        environment.step(Action("submit", draw("totals", 3).oracle_sql))
    monkeypatch.undo()
    late = environment.step(Action("submit", draw("totals", 3).oracle_sql))
    assert (late.error_kind, late.reward) == ("over", 0.0)


def test_the_state_is_told_while_a_step_is_under_way(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, told = threading.Event(), threading.Event()

    def slow(*_: object) -> str:
        begun.set()
        assert told.wait(30)
        return "correct"

    monkeypatch.setattr("investigation.episode.grade", slow)
    environment.reset(TOTALS)
    thread = threading.Thread(target=environment.step, args=(Action("submit", "SELECT 1"),))
    thread.start()
    assert begun.wait(30)
    assert not environment.state.done
    told.set()
    thread.join(30)
    assert environment.state.done


def test_a_session_closes_though_the_journal_cannot_be_written() -> None:
    def full(facts: dict[str, Any]) -> None:
        if facts["event"] == "left":
            raise OSError(28, "No space left on device")

    environment = Environment(WORLD, journal=full)
    environment.reset(TOTALS)
    with pytest.raises(OSError, match="No space"):
        environment.close()
    assert environment.step(query("SELECT 1")).error == "the session is closed"
    environment.close()


def test_long_results_are_cut_and_said_to_be() -> None:
    text = "y" * 9_000
    table = Table(
        "wide", "CREATE TABLE wide(a TEXT, b TEXT)", ("a", "b"), ((text, "z" * 900),) * 150
    )
    world = World(("wide",), lambda family, seed: made(table))
    environment = Environment(world)
    environment.reset()
    for sql, most in (
        ("SELECT b FROM wide", 22),
        ("SELECT a FROM wide", 9),
        ("SELECT 1 FROM wide", 100),
    ):
        seen = environment.step(query(sql))
        assert seen.truncated
        assert len(seen.rows) == most
        assert len(json.dumps(seen.rows)) <= CHARACTERS + 2 * len(seen.rows)
    assert seen.error is None
    [cell] = environment.step(query("SELECT a FROM wide LIMIT 1")).rows[0]
    assert cell == "y" * CELL_CHARACTERS + "..."
    assert not environment.step(query("SELECT b FROM wide LIMIT 20")).truncated
    environment.close()


def made(table: Table) -> Instance:
    return Instance("wide", 0, "?", (table,), ("a",), ((1,),), "SELECT 1", ())
