"""The longest run of jobs on time: gaps and islands, in an order that ids do not give."""

from datetime import datetime, timedelta
from itertools import groupby, islice, pairwise
from random import Random
from typing import NamedTuple

from investigation.drawing import a_day, edited, ids, numbered, shuffled, tables, words
from investigation.families.base import Draft, Family
from investigation.instance import Row

NAMES = """
    Ada Bruno Chen Dara Emil Fatou Goran Hana Ivo Jomo Kira Luis Mina Nils Olga Pavel Rosa
    Sami Tala Uma Vera Wim Yara Zeno
"""
DELIVERED = "delivered dropped_off handed_over completed signed received done arrived"
CANCELLED = "cancelled voided called_off withdrawn revoked scrapped dropped"
OTHER = "failed returned lost refused damaged rerouted"

DDL = """
CREATE TABLE drivers(driver_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE jobs(job_id INTEGER PRIMARY KEY, driver_id INTEGER NOT NULL,
  scheduled_at TEXT NOT NULL, due_at TEXT NOT NULL, delivered_at TEXT, status TEXT NOT NULL)
"""

INSTRUCTION = """\
For every driver, find the longest streak of consecutive jobs delivered on time. Order each \
driver's jobs by scheduled_at ascending, then job_id ascending. A job is on time only if its \
status is '{delivered}' and delivered_at <= due_at. Every other job breaks the streak: one of any \
other status (also '{cancelled}', whatever its delivered_at), a late one, and one without \
delivered_at. Days without jobs do not break it. List every driver; one without a job on time has \
0, and so has one without any job. Columns: driver_id, longest_streak (integer)."""

ORACLE = """\
WITH flags AS (
  SELECT *, CASE WHEN status = '{delivered}' AND delivered_at <= due_at THEN 1 ELSE 0 END AS on_time
  FROM jobs
), islands AS (
  SELECT driver_id, on_time, SUM(1 - on_time) OVER (
    PARTITION BY driver_id ORDER BY scheduled_at, job_id ROWS UNBOUNDED PRECEDING
  ) AS island
  FROM flags
), streaks AS (
  SELECT driver_id, SUM(on_time) AS length FROM islands GROUP BY driver_id, island
)
SELECT d.driver_id, COALESCE(MAX(s.length), 0) AS longest_streak
FROM drivers d LEFT JOIN streaks s ON s.driver_id = d.driver_id
GROUP BY d.driver_id"""

TOTAL = """\
SELECT d.driver_id, COUNT(j.job_id) AS longest_streak
FROM drivers d LEFT JOIN jobs j ON j.driver_id = d.driver_id
  AND j.status = '{delivered}' AND j.delivered_at <= j.due_at
GROUP BY d.driver_id"""

FLAG = "CASE WHEN status = '{delivered}' AND delivered_at <= due_at THEN 1 ELSE 0 END"
ORDER = "ORDER BY scheduled_at, job_id ROWS"


class Driver(NamedTuple):
    """A row of drivers."""

    driver_id: int
    name: str


class Job(NamedTuple):
    """A row of jobs."""

    job_id: int
    driver_id: int
    scheduled_at: str
    due_at: str
    delivered_at: str | None
    status: str


class World(NamedTuple):
    """All rows of a draw, the status that counts, and one that does not."""

    drivers: list[Driver]
    jobs: list[Job]
    delivered: str
    cancelled: str


def draft(rng: Random) -> Draft:
    """One draw."""
    world = _world(rng)
    word = {"delivered": world.delivered, "cancelled": world.cancelled}
    oracle, flag = ORACLE.format(**word), FLAG.format(**word)
    delivered = f"status = '{world.delivered}'"
    return Draft(
        instruction=INSTRUCTION.format(**word),
        tables=tables(DDL, world.drivers, world.jobs),
        columns=("driver_id", "longest_streak"),
        expected=solve(world),
        oracle_sql=oracle,
        traps={
            "late_on_the_minute": edited(
                oracle, ("delivered_at <= due_at", "delivered_at < due_at")
            ),
            "jobs_of_any_status": edited(oracle, (f"{delivered} AND ", "")),
            "delivered_late_or_not": edited(oracle, (" AND delivered_at <= due_at", "")),
            "cancelled_skipped": edited(
                oracle, ("FROM jobs", f"FROM jobs WHERE status <> '{world.cancelled}'")
            ),
            "missing_is_on_time": edited(
                oracle, (flag, flag.replace("delivered_at <=", "COALESCE(delivered_at, due_at) <="))
            ),
            "by_job_id": edited(oracle, (ORDER, "ORDER BY job_id ROWS")),
            "by_due_at": edited(oracle, (ORDER, "ORDER BY due_at, job_id ROWS")),
            "ties_by_id_descending": edited(
                oracle, (ORDER, ORDER.replace("job_id", "job_id DESC"))
            ),
            "ties_in_one_step": edited(oracle, (ORDER, "ORDER BY scheduled_at RANGE")),
            "all_on_time": TOTAL.format(**word),
            "only_drivers_with_jobs": edited(oracle, ("LEFT JOIN", "JOIN")),
            "null_without_jobs": edited(oracle, ("COALESCE(MAX(s.length), 0)", "MAX(s.length)")),
            "drivers_without_a_streak": edited(
                oracle, ("GROUP BY d.driver_id", "GROUP BY d.driver_id\nHAVING longest_streak > 0")
            ),
            "streak_with_its_break": edited(oracle, ("SUM(on_time) AS", "COUNT(*) AS")),
        },
        twins={"ties_left_to_the_engine": edited(oracle, (ORDER, "ORDER BY scheduled_at ROWS"))},
    )


def solve(world: World) -> tuple[Row, ...]:
    """The right answer, from the rows alone."""
    return tuple(
        (
            one.driver_id,
            _longest(world, [job for job in world.jobs if job.driver_id == one.driver_id]),
        )
        for one in world.drivers
    )


def _longest(world: World, jobs: list[Job]) -> int:
    in_order = sorted(jobs, key=lambda job: (datetime.fromisoformat(job.scheduled_at), job.job_id))
    runs = groupby(in_order, key=lambda job: _on_time(world, job))
    return max((len(list(run)) for on_time, run in runs if on_time), default=0)


def _on_time(world: World, job: Job) -> bool:
    if job.status != world.delivered or job.delivered_at is None:
        return False
    return datetime.fromisoformat(job.delivered_at) <= datetime.fromisoformat(job.due_at)


# How a driver's jobs went, a letter each, in their order: + on time, = on the minute, l late,
# c cancelled (though delivered in time), x of another status, n without delivered_at, w on time
# with a week to spare; a letter after & is scheduled with the job before it.

PLANTED = (
    "",
    "lcxn",
    "l+=+l",
    "l+c+c",
    "+n++n",
    "l++c+&l",
    "l++&ll",  # in one step, the last on time falls to the next island
    "lw++lx",  # the first on time is due last
)


def _world(rng: Random) -> World:
    (delivered,), (cancelled,), (other,) = (words(rng, p, 1) for p in (DELIVERED, CANCELLED, OTHER))
    courses = shuffled(rng, [*PLANTED, *(_any(rng) for _ in range(rng.randint(0, 2)))])
    drivers = numbered(rng, Driver, [(name,) for name in words(rng, NAMES, len(courses))])
    status = dict.fromkeys("+=lnw", delivered) | {"c": cancelled, "x": other}
    first = datetime.combine(a_day(rng), datetime.min.time()).replace(hour=6)
    planned = [
        (driver.driver_id, scheduled, *times, status[letter])
        for driver, course in zip(drivers, courses, strict=True)
        for letter, scheduled in _schedule(rng, course, first)
        for times in [_times(rng, letter, scheduled)]
    ]
    return World(drivers, _with_ids(rng, planned), delivered, cancelled)


def _schedule(rng: Random, course: str, first: datetime) -> list[tuple[str, datetime]]:
    """The jobs of a course, each with its letter and when it is scheduled."""
    at, jobs = first + timedelta(hours=rng.randint(0, 48)), []
    for before, letter in pairwise(f" {course}"):
        if letter != "&":
            if before != "&":
                at += timedelta(minutes=15 * rng.randint(1, 120))
            jobs.append((letter, at))
    return jobs


def _times(rng: Random, letter: str, scheduled: datetime) -> tuple[datetime, datetime | None]:
    """When a job is due, and when it was delivered."""
    due = scheduled + timedelta(days=7 * (letter == "w"), minutes=15 * rng.randint(4, 40))
    if letter == "n" or (letter == "x" and rng.random() < 0.5):
        return due, None
    late = {"=": 0, "l": rng.randint(1, 200)}.get(letter, -rng.randint(1, 50))
    return due, due + timedelta(minutes=late)


Planned = tuple[int, datetime, datetime, datetime | None, str]


def _with_ids(rng: Random, planned: list[Planned]) -> list[Job]:
    """The jobs with ids that follow no time, but for jobs of one time, which keep their order."""
    keys = iter(shuffled(rng, ids(rng, len(planned))))
    jobs = []
    for _, same_time in groupby(planned, key=lambda job: job[:2]):
        tied = list(same_time)
        for key, job in zip(sorted(islice(keys, len(tied))), tied, strict=True):
            driver, *times, status = job
            scheduled, due, delivered = (
                None if at is None else f"{at:%Y-%m-%d %H:%M}" for at in times
            )
            jobs.append(Job(key, driver, str(scheduled), str(due), delivered, status))
    return shuffled(rng, jobs)


def _any(rng: Random) -> str:
    return "".join(rng.choices("+=lcxn", (8, 2, 3, 2, 2, 1), k=rng.randint(6, 12)))


FAMILY = Family(
    "delivery_streaks",
    1,
    draft,
    untold=(
        (
            "ties_left_to_the_engine",
            "jobs of one time come to SQLite's sorter by job_id, the table's own order, and leave "
            "it so: right by luck of the engine, not by its text",
        ),
    ),
)
