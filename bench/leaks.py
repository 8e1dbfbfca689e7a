"""Does anything that an agent can read hold the answer, the oracle or the seed?

Two proofs, neither of which can miss or alarm by chance. Every episode is played twice, frame for
frame: at a server of the real tasks, and at one whose tasks have the same question and data but
another answer, oracle and seed. What comes back must be the same to the byte, so that none of it
depends on those. And what both servers say (the question, the tables, all rows) is searched for
the seed, the oracle's text and the whole answer as many ways as it is likely to be written; and
each database is read whole: it holds the public tables, of which none is the answer, and nothing
else.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from bench.sessions import Socket
from db_execution.sandbox import Ask, Memory
from investigation.grading import same
from investigation.instance import Instance, Row
from investigation.tasks import World

Frame = dict[str, object]
NEVER: tuple[Row, ...] = (("no such answer", -1.5, None),)
ALL = Ask(rows=50_000)
HIDDEN = "SELECT schema, name FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%schema'"
EXPLORING = (
    "SELECT * FROM sqlite_master",
    "SELECT * FROM pragma_table_list",
    "SELECT * FROM sqlite_temp_master",
    "SELECT sql FROM sqlite_stmt",
    "SELECT nothing FROM nowhere",
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
)


@dataclass(frozen=True, slots=True)
class Searched:
    """How much was read, and what was found in it: a line a leak."""

    episodes: int
    frames: int
    characters: int
    leaks: tuple[str, ...]


def secrets_changed(world: World) -> World:
    """A world with the same questions and data, and another answer, oracle and seed."""

    def draw(family: str, seed: int) -> Instance:
        instance = world.draw(family, seed)
        return replace(
            instance,
            seed=seed ^ 1,
            expected=NEVER,
            oracle_sql="SELECT 'no such answer', -1.5, NULL",
        )

    return World(world.families, draw)


def search(world: World, urls: tuple[str, str], count: int, rng: Random) -> Searched:
    """Play ``count`` episodes at both servers, and search all that came back."""
    frames = characters = 0
    leaks: list[str] = []
    with Socket(urls[0]) as one, Socket(urls[1]) as other:
        for number in range(count):
            seed = rng.getrandbits(62) | 1 << 62
            instance = world.draw(world.families[number % len(world.families)], seed)
            where = f"{instance.family}, seed {seed}"
            for frame in _episode(instance, rng):
                text = json.dumps(frame)
                answers = one.raw(text), other.raw(text)
                frames, characters = frames + 1, characters + len(answers[0])
                if answers[0] != answers[1]:
                    leaks.append(f"{where}: depends on a secret: {text}: {answers[0]}")
                leaks += [f"{where}: {kind}: {text}" for kind in held(answers[0], instance)]
            leaks += [f"{where}: {what}" for what in beside_the_tables(instance)]
    return Searched(count, frames, characters, tuple(leaks))


def held(text: str, instance: Instance) -> Iterator[str]:
    """Which of the seed and the oracle's text stands in ``text``, however it is written."""
    seed = instance.seed
    both = [seed.to_bytes(8, order) for order in ("big", "little")]
    spelt = [str(seed), f"{seed:x}", f"{seed:o}", *[b.hex() for b in both]]
    spelt += [b64encode(b).decode().rstrip("=") for b in both]
    if any(one in text or one in text.lower() for one in spelt):
        yield "the seed"
    bare = _bare(text.replace("\\n", " "))
    if _bare(instance.oracle_sql) in bare:
        yield "the oracle"
    if any(_bare(one) in bare for one in spellings(instance.expected)):
        yield "the answer"


def spellings(rows: tuple[Row, ...]) -> Iterator[str]:
    """The rows one after the other as JSON, Python, SQL, CSV, tables and lines would have them.

    One row of numbers without a bracket would be found by chance, so CSV is looked for from two on.
    """
    for order in (rows, rows[::-1]):
        yield json.dumps(order, separators=(",", ":"))[1:-1]
        yield json.dumps(order)[1:-1]
        yield json.dumps(json.dumps(order)[1:-1])[1:-1]  # a text in a text
        yield ", ".join(map(repr, order))
        yield ", ".join(f"({', '.join(map(_sql, row))})" for row in order)
        for between in (",", ", ", "\t", "|", " | ") if len(rows) > 1 else ():
            yield " ".join(between.join(map(str, row)) for row in order)


def beside_the_tables(instance: Instance, memory: Callable[..., Memory] = Memory) -> Iterator[str]:
    """What the database of an episode holds beside its public tables, or that one is the answer."""
    database = memory(instance.tables)
    try:
        names = sorted(("main", table.name) for table in instance.tables)
        if sorted(database.rows(HIDDEN, ALL)) != names:
            yield "another table"
        ddl = sorted((table.name, table.ddl) for table in instance.tables)
        if sorted(database.rows("SELECT name, sql FROM sqlite_master WHERE sql > ''", ALL)) != ddl:
            yield "another text in the schema"
        for table in instance.tables:
            rows = database.rows(f'SELECT * FROM "{table.name}"', ALL)
            if sorted(map(repr, rows)) != sorted(map(repr, table.rows)):
                yield f"other rows in {table.name}"
            if any(same(instance.expected, rows) for rows in _projections(table.rows, instance)):
                yield f"the answer as a table, in {table.name}"
    finally:
        database.close()


def _episode(instance: Instance, rng: Random) -> Iterator[Frame]:
    """Every frame of an episode: all is looked at, and a wrong query is submitted."""
    state: Frame = {"type": "state"}
    given = {"seed": instance.seed, "family": instance.family, "episode_id": "searched"}
    yield {"type": "reset", "data": given}
    tables = [f'SELECT * FROM "{table.name}"' for table in instance.tables]
    for sql in [*tables, *EXPLORING]:
        yield {"type": "step", "data": {"op": "query", "sql": sql}}
        yield state
    yield {"type": "step", "data": {"op": "query", "sql": 1}}  # malformed
    if rng.random() < 0.9:
        wrong = rng.choice(
            [*[trap.sql for trap in instance.traps], "SELEC", "SELECT 1, 2", "VALUES (1)"]
        )
        yield {"type": "step", "data": {"op": "submit", "sql": wrong}}
    else:
        yield {"type": "step", "data": {"op": "finish"}}
    yield state
    yield {"type": "step", "data": {"op": "submit", "sql": "SELECT 1"}}


def _projections(rows: tuple[Row, ...], instance: Instance) -> Iterator[list[Row]]:
    """The neighbouring columns of a table, as many as the answer has, in either order."""
    width = len(instance.columns)
    for first in range(len(rows[0]) - width + 1 if rows else 0):
        part = [row[first : first + width] for row in rows]
        yield part
        yield [row[::-1] for row in part]


def _sql(cell: object) -> str:
    return f"'{cell}'" if isinstance(cell, str) else str(cell)


def _bare(text: str) -> str:
    return " ".join(text.lower().split())
