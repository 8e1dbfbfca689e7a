"""Repairs that nobody passed since: the latest of one table, nothing after it in another."""

from collections import defaultdict
from datetime import date
from random import Random
from typing import NamedTuple

from investigation.drawing import a_day, after, edited, numbered, tables, words
from investigation.families.base import Draft, Family
from investigation.instance import Row

NAMES = """
    press lathe mill saw drill grinder welder router loom kiln mixer crane furnace pump fan
    conveyor robot shear plotter boiler
"""
DONE = "completed finished closed executed signed_off done carried_out accomplished"
NOT_DONE = "cancelled scheduled aborted rejected postponed planned"
PASSED = "pass passed ok accepted approved cleared green"
NOT_PASSED = "fail failed defective refused inconclusive red"

DDL = """
CREATE TABLE machines(machine_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE repairs(repair_id INTEGER PRIMARY KEY, machine_id INTEGER NOT NULL,
  repaired_at TEXT NOT NULL, status TEXT NOT NULL);
CREATE TABLE inspections(inspection_id INTEGER PRIMARY KEY, machine_id INTEGER NOT NULL,
  inspected_at TEXT NOT NULL, result TEXT NOT NULL)
"""

INSTRUCTION = """\
As of {as_of} inclusive, find the machines that have a repair with status '{done}' but no \
inspection with result '{passed}' on or after the latest such repair. Repairs with any other \
status and inspections with any other result do not count. Ignore all repairs and inspections \
after {as_of}; those on {as_of} itself count. An inspection with result '{passed}' on the day of \
the repair is sufficient. Leave out machines without a repair with status '{done}' up to that day. \
Columns: machine_id, last_repair_date (the date of that latest repair, as stored)."""

ORACLE = """\
WITH latest AS (
  SELECT machine_id, MAX(repaired_at) AS last_repair_date FROM repairs
  WHERE status = '{done}' AND repaired_at <= '{as_of}' GROUP BY machine_id
)
SELECT l.machine_id, l.last_repair_date FROM latest l
WHERE NOT EXISTS (
  SELECT 1 FROM inspections i
  WHERE i.machine_id = l.machine_id AND i.result = '{passed}'
    AND i.inspected_at >= l.last_repair_date AND i.inspected_at <= '{as_of}'
)"""

NEVER_REPAIRED = """\
WITH latest AS (
  SELECT m.machine_id, MAX(r.repaired_at) AS last_repair_date
  FROM machines m LEFT JOIN repairs r ON r.machine_id = m.machine_id
    AND r.status = '{done}' AND r.repaired_at <= '{as_of}'
  GROUP BY m.machine_id
)
SELECT l.machine_id, l.last_repair_date FROM latest l
WHERE NOT EXISTS (
  SELECT 1 FROM inspections i
  WHERE i.machine_id = l.machine_id AND i.result = '{passed}'
    AND i.inspected_at >= l.last_repair_date AND i.inspected_at <= '{as_of}'
)"""


class Machine(NamedTuple):
    """A row of machines."""

    machine_id: int
    name: str


class Event(NamedTuple):
    """A row of repairs or of inspections: ``word`` is the status or the result."""

    event_id: int
    machine_id: int
    day: str
    word: str


class World(NamedTuple):
    """All rows of a draw, the day, and the words that count."""

    machines: list[Machine]
    repairs: list[Event]
    inspections: list[Event]
    word: dict[str, str]


Case = tuple[list[tuple[int, str]], list[tuple[int, str]]]
"""A machine's repairs and inspections: days after the as-of day, and status or result."""


def draft(rng: Random) -> Draft:
    """One draw."""
    world = _world(rng)
    word = world.word
    oracle = ORACLE.format(**word)
    until = f"inspected_at <= '{word['as_of']}'"
    since = "i.inspected_at >= l.last_repair_date"
    repaired = f"repaired_at <= '{word['as_of']}'"
    return Draft(
        instruction=INSTRUCTION.format(**word),
        tables=tables(DDL, world.machines, world.repairs, world.inspections),
        columns=("machine_id", "last_repair_date"),
        expected=solve(world),
        oracle_sql=oracle,
        traps={
            "inspections_of_any_result": edited(
                oracle, (f" AND i.result = '{word['passed']}'", "")
            ),
            "after_the_day_of_repair": edited(oracle, (since, since.replace(">=", ">"))),
            "inspections_of_any_day": edited(oracle, (f"{since} AND ", "")),
            "repairs_of_any_status": edited(oracle, (f"status = '{word['done']}' AND ", "")),
            "repairs_after_the_day": edited(oracle, (f" AND {repaired}", "")),
            "repairs_before_the_day_only": edited(oracle, (repaired, repaired.replace("<=", "<"))),
            "inspections_after_the_day": edited(oracle, (f" AND i.{until}", "")),
            "inspections_before_the_day_only": edited(oracle, (until, until.replace("<=", "<"))),
            "first_repair": edited(oracle, ("MAX(", "MIN(")),
            "never_repaired": NEVER_REPAIRED.format(**word),
            "inspected_since": edited(oracle, ("NOT EXISTS", "EXISTS")),
        },
    )


def solve(world: World) -> tuple[Row, ...]:
    """The right answer, from the rows alone."""
    word = world.word
    repaired = _days(world.repairs, word["done"], word["as_of"])
    passed = _days(world.inspections, word["passed"], word["as_of"])
    return tuple(
        (machine, str(max(days)))
        for machine, days in sorted(repaired.items())
        if not any(day >= max(days) for day in passed.get(machine, []))
    )


def _days(events: list[Event], word: str, as_of: str) -> dict[int, list[date]]:
    """The days up to ``as_of`` on which a machine had an event of that word."""
    found = defaultdict[int, list[date]](list)
    for one in events:
        day = date.fromisoformat(one.day)
        if one.word == word and day <= date.fromisoformat(as_of):
            found[one.machine_id].append(day)
    return found


def _world(rng: Random) -> World:
    as_of = a_day(rng)
    (done,), undone = words(rng, DONE, 1), words(rng, NOT_DONE, 2)
    (passed,), failed = words(rng, PASSED, 1), words(rng, NOT_PASSED, rng.randint(1, 2))
    word = {"as_of": str(as_of), "done": done, "passed": passed}
    cases = _planted(rng, word, undone[0], failed[0])
    cases += [_any(rng, [done, *undone], [passed, *failed]) for _ in range(rng.randint(2, 7))]
    pool = [f"{name} {number}" for name in NAMES.split() for number in range(1, 5)]
    planned = list(zip(rng.sample(pool, len(cases)), cases, strict=True))
    machines, repairs, inspections = [], [], []
    for key, name, case in numbered(rng, lambda *row: row, planned):
        machines.append(Machine(key, name))
        repairs += [(key, after(as_of, day), status) for day, status in case[0]]
        inspections += [(key, after(as_of, day), result) for day, result in case[1]]
    return World(machines, numbered(rng, Event, repairs), numbered(rng, Event, inspections), word)


def _planted(rng: Random, word: dict[str, str], undone: str, failed: str) -> list[Case]:
    """A machine for each thing that is easily got wrong."""
    done, passed = word["done"], word["passed"]
    early, late = -rng.randint(30, 60), -rng.randint(5, 20)
    soon = rng.randint(1, 15)
    return [
        ([(late, done)], [(late, passed)]),  # on the day of the repair: enough
        ([(late, done)], [(late + 2, failed)]),
        ([(late, done)], [(early, passed)]),
        ([(early, done), (late, done)], [(early + 3, passed)]),  # between two repairs
        ([(early, done), (soon, done)], [(early + 3, passed)]),  # the second is not yet
        ([(soon, done)], []),
        ([(late, done)], [(soon, passed)]),  # not yet passed
        ([(early, done), (late, undone)], [(early + 3, passed)]),
        ([(0, done)], []),  # on the day itself
        ([(early, done), (0, done)], [(late, passed)]),
        ([(late, done)], [(0, passed)]),
        ([(late, undone)], []),
        ([], [(late, failed)]),
    ]


def _any(rng: Random, statuses: list[str], results: list[str]) -> Case:
    repairs = [(rng.randint(-90, 15), rng.choice(statuses)) for _ in range(rng.randint(0, 3))]
    inspections = [(rng.randint(-90, 15), rng.choice(results)) for _ in range(rng.randint(0, 3))]
    return repairs, inspections


FAMILY = Family("missing_inspections", 1, draft)
