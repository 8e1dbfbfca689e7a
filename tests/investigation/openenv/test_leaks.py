"""Nothing that an agent can read holds the answer; and a leak of any kind would be found."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bench.leaks import beside_the_tables, held, search, secrets_changed
from bench.sessions import serving
from db_execution.sandbox import Memory
from investigation import environment
from investigation.environment import Observation, ten_families
from investigation.instance import Instance, Table
from investigation.tasks import World
from tests.investigation.toy import WORLD, draw

EPISODES = 10


def found(world: World, count: int = 4) -> str:
    """What the search finds in episodes of ``world``, as one text."""
    with serving(world=world) as one, serving(world=secrets_changed(world)) as other:
        return "\n".join(search(world, (one, other), count, Random(1)).leaks)


def test_no_episode_tells_the_answer_the_oracle_or_the_seed() -> None:
    world = ten_families()
    with serving(world=world) as one, serving(world=secrets_changed(world)) as other:
        searched = search(world, (one, other), EPISODES, Random(7))
    assert searched.leaks == ()
    assert searched.frames > EPISODES * 15
    assert searched.characters > EPISODES * 1_000


def changed(change: Callable[[Instance], Instance]) -> World:
    return World(WORLD.families, lambda family, seed: change(draw(family, seed)))


def with_question(tell: Callable[[Instance], str]) -> World:
    return changed(lambda one: replace(one, instruction=f"{one.instruction} {tell(one)}"))


def with_table(columns: Sequence[str], rows: Callable[[Instance], tuple[Any, ...]]) -> World:
    def told(one: Instance) -> Instance:
        names = ", ".join(columns)
        return replace(
            one,
            tables=(
                *one.tables,
                Table("more", f"CREATE TABLE more({names})", tuple(columns), rows(one)),
            ),
        )

    return changed(told)


@pytest.mark.parametrize(
    ("world", "what"),
    [
        (with_question(lambda one: str(one.seed)), "the seed"),
        (with_question(lambda one: hex(one.seed)), "the seed"),
        (with_question(lambda one: one.oracle_sql.replace(" ", "\n  ").upper()), "the oracle"),
        (with_question(lambda one: json.dumps(one.expected)), "the answer"),
        (with_question(lambda one: repr(one.expected[::-1])), "the answer"),
        (with_question(lambda one: "\n".join(f"{a},{b}" for a, b in one.expected)), "the answer"),
        (with_table(("a", "b"), lambda one: one.expected), "the answer"),
        (
            with_table(("b", "a"), lambda one: tuple(row[::-1] for row in one.expected)),
            "the answer as a table",
        ),
        (
            with_table(("x", "a", "b"), lambda one: tuple((0, *row) for row in one.expected)),
            "the answer as a table",
        ),
        (with_table(("sql",), lambda one: ((one.oracle_sql,),)), "the oracle"),
        (with_table(("n",), lambda one: ((one.seed,),)), "the seed"),
    ],
)
def test_what_a_task_tells_is_found(world: World, what: str) -> None:
    assert what in found(world)


TELLING: dict[str, Callable[[Instance, Observation], Observation]] = {
    "a part of the answer in an error": lambda one, seen: replace(
        seen, error=str(one.expected[0][1])
    ),
    "how many rows are right": lambda one, seen: replace(seen, truncated=len(one.expected) > 2),
    "the parity of the seed": lambda one, seen: replace(seen, columns=("a",) * (one.seed % 2)),
    "how long the oracle is": lambda one, seen: replace(seen, actions_left=len(one.oracle_sql)),
}


@pytest.mark.parametrize("how", TELLING)
def test_what_a_step_tells_is_found(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    step = environment.Environment.step

    def telling(self: environment.Environment, action: Any) -> Observation:
        seen = step(self, action)
        return TELLING[how](self._episode.instance, seen) if self._episode else seen

    monkeypatch.setattr(environment.Environment, "step", telling)
    assert "depends on a secret" in found(WORLD)


def test_what_the_state_tells_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    state = vars(environment.Environment)["state"].fget

    def telling(self: environment.Environment) -> environment.State:
        said: environment.State = state(self)
        return replace(said, family=str(self._episode.instance.seed)) if self._episode else said

    monkeypatch.setattr(environment.Environment, "state", property(telling))
    assert "the seed" in found(WORLD, 1)


def test_a_table_or_row_that_is_not_public_is_found() -> None:
    instance = draw("totals", 3)

    def more(tables: Sequence[Table]) -> Memory:
        return Memory([*tables, Table("answer", "CREATE TABLE answer(a)", ("a",), ())])

    def fewer(tables: Sequence[Table]) -> Memory:
        return Memory([replace(tables[0], rows=tables[0].rows[1:])])

    def commented(tables: Sequence[Table]) -> Memory:
        return Memory([replace(tables[0], ddl=tables[0].ddl.replace(")", "/* 42 */)"))])

    assert list(beside_the_tables(instance)) == []
    assert "another table" in list(beside_the_tables(instance, more))
    assert list(beside_the_tables(instance, fewer)) == ["other rows in sales"]
    assert list(beside_the_tables(instance, commented)) == ["another text in the schema"]


def test_the_search_for_the_seed_knows_its_spellings() -> None:
    instance = replace(draw("totals", 3), seed=2**62 + 3)
    for text in (str(2**62 + 3), hex(2**62 + 3).upper(), "QAAAAAAAAAM=", "0300000000000040"):
        assert list(held(f"x {text} y", instance)) == ["the seed"]
    assert list(held("4611686018427387 906", instance)) == []
