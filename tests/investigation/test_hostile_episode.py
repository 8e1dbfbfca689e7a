"""Hostile SQL as an agent's query: every shared case, and our own, on a database with their tables."""

import os
import resource
from contextlib import chdir
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import pytest

from db_execution.sandbox import EPISODE
from investigation.actions import Action
from investigation.environment import Environment, Observation
from investigation.instance import Instance, Table
from investigation.tasks import World
from tests.db_execution.hostile_inputs import INPUTS
from tests.shared_data import cases

TABLES = (
    Table(
        "t",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, v INTEGER, s TEXT)",
        ("id", "v", "s"),
        tuple((i, i * 7 % 11, "abcabcabc") for i in range(200)),
    ),
    Table(
        "u",
        "CREATE TABLE u(id INTEGER, t_id INTEGER)",
        ("id", "t_id"),
        tuple((i, i % 50) for i in range(200)),
    ),
)
WORLD = World(
    ("hostile",),
    lambda family, seed: Instance(family, seed, "?", TABLES, ("a",), ((-1,),), "SELECT -1", ()),
)
MAY_BE = {
    "runs": (None,),
    "refused": ("refused", "syntax", "limit"),
    "stopped": ("limit", "refused"),
}
EITHER = (None, "refused", "syntax", "limit")
SECONDS = EPISODE.wall_ms / 1000 + 1
MAY_BE_TIGHTER = {
    *("huge_hex_literal", "huge_integer_literal"),  # longer than an agent may write
    *("semicolon_in_every_quote", "keyword_as_name"),  # what double quotes hold is a name here
}
CONTENTS = "SELECT sum(id * 3 + v), count(*), min(s), max(s), (SELECT sum(t_id + id) FROM u) FROM t"


def held(sql: str, op: Any = "query") -> Observation:
    """What an agent sees of ``sql``; afterwards all is as it was."""
    with TemporaryDirectory() as folder, chdir(folder):
        seen = _seen(sql, op)
        assert os.listdir(folder) == []
    return seen


def _seen(sql: str, op: Any) -> Observation:
    environment = Environment(WORLD)
    environment.reset()
    before = environment.step(Action("query", CONTENTS)).rows
    began = monotonic()
    seen = environment.step(Action(op, sql))
    assert monotonic() - began < SECONDS
    if op == "query":
        assert environment.step(Action("query", CONTENTS)).rows == before
    environment.close()
    return seen


def test_every_shared_case_is_held() -> None:
    for case in cases("hostile_sql"):
        seen = held(case["sql"])
        assert seen.error_kind in MAY_BE.get(case["expect"], EITHER), (case["id"], seen)
        assert held(case["sql"], "submit").reward == 0.0, case["id"]


@pytest.mark.parametrize("hostile", INPUTS, ids=[hostile.id for hostile in INPUTS])
def test_every_input_of_ours_is_held(hostile: Any) -> None:
    allowed = MAY_BE.get(hostile.expect, EITHER)
    if hostile.id in MAY_BE_TIGHTER:
        allowed = EITHER
    assert held(hostile.sql).error_kind in allowed


def test_a_statement_that_takes_all_memory_is_stopped_before_the_process_feels_it() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    numbers = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 100000) "
    sql = numbers + "SELECT count(*) FROM (SELECT DISTINCT printf('%.16000c', 'z') || i FROM n)"
    assert held(sql).error_kind == "limit"
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (after - before) * 1024 < EPISODE.heap_bytes + 64 * 1024 * 1024


def test_a_single_opcode_overshoots_its_second_by_little() -> None:
    text, part = "printf('%.16000c', 'a') || a.id", "printf('%.8000c', 'a') || 'b' || b.id"
    sql = f"SELECT count(*) FROM t a, t b WHERE instr({text}, {part})"
    began = monotonic()
    assert held(sql).error_kind == "limit"
    assert monotonic() - began < SECONDS
