"""The two worst regressions of each region: a rank within groups, on what is not yet rounded."""

from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import NamedTuple

from investigation.drawing import edited, ids, numbered, rounded, shuffled, tables, words
from investigation.families.base import Draft, Family
from investigation.instance import Row

REGIONS = """
    central east west north south alpine coastal island highland delta harbor valley metro
    frontier
"""
BEFORE = "before old previous stable blue v1 baseline legacy pre"
AFTER = "after new canary rollout green v2 release next post"

DDL = """
CREATE TABLE services(service_id INTEGER PRIMARY KEY, region TEXT NOT NULL);
CREATE TABLE latency_samples(sample_id INTEGER PRIMARY KEY, service_id INTEGER NOT NULL,
  phase TEXT NOT NULL, latency_ms INTEGER NOT NULL)
"""

INSTRUCTION = """\
For each region, return exactly the two services with the largest latency increase after the \
deployment. The increase of a service is its mean latency_ms in phase '{after}' minus its mean \
latency_ms in phase '{before}', over all its samples of each phase; every service has both. Rank \
on the unrounded increase, largest first, and break ties by service_id ascending. Negative \
increases are eligible. Columns: region, service_id, increase (rounded to 3 decimals)."""

ORACLE = """\
WITH changes AS (
  SELECT s.region, s.service_id,
    AVG(CASE WHEN l.phase = '{after}' THEN l.latency_ms END)
      - AVG(CASE WHEN l.phase = '{before}' THEN l.latency_ms END) AS increase
  FROM services s JOIN latency_samples l ON l.service_id = s.service_id
  GROUP BY s.region, s.service_id
), ranked AS (
  SELECT region, service_id, increase,
    ROW_NUMBER() OVER (PARTITION BY region ORDER BY increase DESC, service_id ASC) AS place
  FROM changes
)
SELECT region, service_id, ROUND(increase, 3) AS increase FROM ranked WHERE place <= 2"""

OVER_ALL = """\
SELECT s.region, s.service_id,
  ROUND(AVG(CASE WHEN l.phase = '{after}' THEN l.latency_ms END)
    - AVG(CASE WHEN l.phase = '{before}' THEN l.latency_ms END), 3) AS increase
FROM services s JOIN latency_samples l ON l.service_id = s.service_id
GROUP BY s.region, s.service_id
ORDER BY increase DESC, s.service_id
LIMIT 2 * (SELECT COUNT(DISTINCT region) FROM services)"""

ORDER = "increase DESC, service_id ASC"


class Service(NamedTuple):
    """A row of services."""

    service_id: int
    region: str


class Sample(NamedTuple):
    """A row of latency_samples."""

    sample_id: int
    service_id: int
    phase: str
    latency_ms: int


class World(NamedTuple):
    """All rows of a draw, and the two phases."""

    services: list[Service]
    samples: list[Sample]
    before: str
    after: str


def draft(rng: Random) -> Draft:
    """One draw."""
    world = _world(rng)
    oracle = ORACLE.format(before=world.before, after=world.after)
    ranked = "ROW_NUMBER()"
    return Draft(
        instruction=INSTRUCTION.format(before=world.before, after=world.after),
        tables=tables(DDL, world.services, world.samples),
        columns=("region", "service_id", "increase"),
        expected=solve(world),
        oracle_sql=oracle,
        traps={
            "ties_share_a_place": edited(oracle, (ranked, "RANK()"), (ORDER, "increase DESC")),
            "ties_leave_no_gap": edited(oracle, (ranked, "DENSE_RANK()"), (ORDER, "increase DESC")),
            "ties_by_id_descending": edited(oracle, ("service_id ASC", "service_id DESC")),
            "smallest_increases": edited(oracle, ("increase DESC", "increase ASC")),
            "regions_forgotten": edited(oracle, ("PARTITION BY region ", "")),
            "largest_of_all": OVER_ALL.format(before=world.before, after=world.after),
            "increases_only": edited(oracle, ("place <= 2", "place <= 2 AND increase > 0")),
            "largest_by_size": edited(oracle, ("increase DESC", "ABS(increase) DESC")),
            "ranked_on_rounded": edited(oracle, ("increase DESC", "ROUND(increase) DESC")),
            "maximum_for_mean": oracle.replace("AVG(", "MAX("),
            "equal_samples_once": oracle.replace("AVG(", "AVG(DISTINCT "),
            "one_service_only": edited(oracle, ("place <= 2", "place <= 1")),
        },
        twins={
            "ties_left_to_the_engine": edited(oracle, (ORDER, "increase DESC")),
        },
    )


def solve(world: World) -> tuple[Row, ...]:
    """The right answer, from the rows alone."""
    taken = defaultdict[tuple[int, str], list[int]](list)
    for one in world.samples:
        taken[one.service_id, one.phase].append(one.latency_ms)
    regions = defaultdict[str, list[tuple[Fraction, int]]](list)
    for service in world.services:
        key = service.service_id
        change = _mean(taken[key, world.after]) - _mean(taken[key, world.before])
        regions[service.region].append((-change, key))
    return tuple(
        (region, key, rounded(-change, 3))
        for region, found in sorted(regions.items())
        for change, key in sorted(found)[:2]
    )


def _mean(values: list[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def _world(rng: Random) -> World:
    phases = (words(rng, BEFORE, 1)[0], words(rng, AFTER, 1)[0])
    regions = words(rng, REGIONS, rng.randint(4, 5))
    rises = dict(zip(regions, (_tie(rng), _close(rng), _falling(rng)), strict=False))
    sizes = {region: len(rises.get(region, ())) or rng.randint(3, 5) for region in regions}
    mixed = shuffled(rng, (region for region in regions for _ in range(sizes[region])))
    keys = ids(rng, len(mixed))
    services = [Service(key, region) for key, region in zip(keys, mixed, strict=True)]
    samples: list[tuple[int, str, int]] = []
    for service in services:
        planned = rises.get(service.region)
        taken = _planned(rng, planned.pop(0)) if planned else (_some(rng), _some(rng))
        for phase, values in zip(phases, taken, strict=True):
            samples += [(service.service_id, phase, value) for value in values]
    return World(services, numbered(rng, Sample, samples), *phases)


# What a planned region's services rise by, in half milliseconds, in the order of their ids.


def _tie(rng: Random) -> list[int]:
    """Two services share the second place."""
    second = rng.randint(20, 80)
    first, low = second + rng.randint(5, 40), second - rng.randint(5, 30)
    return shuffled(rng, [first, second, second, low, low - rng.randint(1, 9)])


def _close(rng: Random) -> list[int]:
    """The second place is ahead of the third by a half that rounding to whole numbers takes."""
    third = 2 * rng.randint(10, 40) + 1
    rises = [third, third + 1]
    rises.insert(rng.randint(0, 2), third + rng.randint(6, 40))
    rises.insert(rng.randint(0, 3), third - rng.randint(5, 60))
    return rises


def _falling(rng: Random) -> list[int]:
    """Every service became faster."""
    return [-rise for rise in rng.sample(range(10, 120), rng.randint(3, 5))]


def _planned(rng: Random, halves: int) -> tuple[list[int], list[int]]:
    """Samples of both phases whose means are so many halves apart."""
    level = rng.randint(200, 400)
    return _around(rng, 2 * level), _around(rng, 2 * level + halves)


def _around(rng: Random, halves: int) -> list[int]:
    """Two or four samples whose mean is just so many halves."""
    count = rng.choice((2, 4))
    values = [halves // 2 + rng.randint(-30, 30) for _ in range(count - 1)]
    values[-2:] = values[:1] * len(values[-2:])  # of four, the first three are alike
    return shuffled(rng, [*values, count * halves // 2 - sum(values)])


def _some(rng: Random) -> list[int]:
    return [rng.randint(150, 420) for _ in range(rng.randint(2, 4))]


FAMILY = Family(
    "latency_regressions",
    1,
    draft,
    untold=(
        (
            "ties_left_to_the_engine",
            "without the tie-break SQLite takes services as the grouping hands them over, which "
            "is by service_id: right by luck of the plan, not by its text",
        ),
    ),
)
