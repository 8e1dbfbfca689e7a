"""Mean change a participant: an average of averages, over those who have both phases."""

from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import NamedTuple

from investigation.drawing import edited, numbered, rounded, tables, words
from investigation.families.base import Draft, Family
from investigation.instance import Row

TREATMENTS = """
    control placebo low_dose high_dose standard extended combined delayed brief intensive
    topical oral
"""
BEFORE = "baseline intake screening start pretest entry week_0 visit_1 before"
AFTER = "followup review endpoint final posttest exit week_12 visit_4 after"

DDL = """
CREATE TABLE participants(participant_id INTEGER PRIMARY KEY, treatment TEXT NOT NULL);
CREATE TABLE readings(reading_id INTEGER PRIMARY KEY, participant_id INTEGER NOT NULL,
  phase TEXT NOT NULL, value INTEGER)
"""

INSTRUCTION = """\
For each treatment, compute the mean change within participants from phase '{before}' to phase \
'{after}'. First average all non-NULL values of each participant in each phase. Only participants \
with at least one non-NULL value in both phases are eligible; the change of a participant is the \
'{after}' average minus the '{before}' average. Then average these changes over the eligible \
participants of the treatment, each with equal weight. A NULL value is no reading and not 0. Leave \
out treatments without an eligible participant. Columns: treatment, mean_change (rounded to 3 \
decimals)."""

ORACLE = """\
WITH means AS (
  SELECT participant_id, phase, AVG(value) AS mean_value FROM readings
  WHERE value IS NOT NULL GROUP BY participant_id, phase
), changes AS (
  SELECT a.participant_id, a.mean_value - b.mean_value AS change
  FROM means b JOIN means a ON a.participant_id = b.participant_id
  WHERE b.phase = '{before}' AND a.phase = '{after}'
)
SELECT p.treatment, ROUND(AVG(c.change), 3) AS mean_change
FROM participants p JOIN changes c ON c.participant_id = p.participant_id
GROUP BY p.treatment"""

POOLED = """\
SELECT p.treatment, ROUND(AVG(CASE WHEN r.phase = '{after}' THEN r.value END)
  - AVG(CASE WHEN r.phase = '{before}' THEN r.value END), 3) AS mean_change
FROM participants p JOIN readings r ON r.participant_id = p.participant_id
{eligible}GROUP BY p.treatment
HAVING mean_change IS NOT NULL"""

ELIGIBLE = """\
WHERE p.participant_id IN (
  SELECT participant_id FROM readings WHERE phase = '{before}' AND value IS NOT NULL
  INTERSECT
  SELECT participant_id FROM readings WHERE phase = '{after}' AND value IS NOT NULL
)
"""

MISSING_PHASE_IS_ZERO = """\
WITH means AS (
  SELECT participant_id,
    COALESCE(AVG(CASE WHEN phase = '{before}' THEN value END), 0) AS before_mean,
    COALESCE(AVG(CASE WHEN phase = '{after}' THEN value END), 0) AS after_mean
  FROM readings GROUP BY participant_id
)
SELECT p.treatment, ROUND(AVG(m.after_mean - m.before_mean), 3) AS mean_change
FROM participants p JOIN means m ON m.participant_id = p.participant_id
GROUP BY p.treatment"""

WEIGHTED = """\
WITH changes AS (
  SELECT participant_id, COUNT(value) AS readings,
    AVG(CASE WHEN phase = '{after}' THEN value END)
      - AVG(CASE WHEN phase = '{before}' THEN value END) AS change
  FROM readings GROUP BY participant_id
)
SELECT p.treatment, ROUND(SUM(c.change * c.readings) / SUM(c.readings), 3) AS mean_change
FROM participants p JOIN changes c ON c.participant_id = p.participant_id
WHERE c.change IS NOT NULL
GROUP BY p.treatment"""


class Participant(NamedTuple):
    """A row of participants."""

    participant_id: int
    treatment: str


class Reading(NamedTuple):
    """A row of readings."""

    reading_id: int
    participant_id: int
    phase: str
    value: int | None


class World(NamedTuple):
    """All rows of a draw, and the two phases."""

    participants: list[Participant]
    readings: list[Reading]
    before: str
    after: str


def draft(rng: Random) -> Draft:
    """One draw."""
    world = _world(rng)
    word = {"before": world.before, "after": world.after}
    oracle = ORACLE.format(**word)
    eligible = ELIGIBLE.format(**word)
    return Draft(
        instruction=INSTRUCTION.format(**word),
        tables=tables(DDL, world.participants, world.readings),
        columns=("treatment", "mean_change"),
        expected=solve(world),
        oracle_sql=oracle,
        traps={
            "readings_pooled": POOLED.format(eligible="", **word),
            "readings_of_eligible_pooled": POOLED.format(eligible=eligible, **word),
            "weighted_by_readings": WEIGHTED.format(**word),
            "missing_phase_is_zero": MISSING_PHASE_IS_ZERO.format(**word),
            "null_is_zero": edited(
                oracle,
                ("AVG(value)", "AVG(COALESCE(value, 0))"),
                ("WHERE value IS NOT NULL ", ""),
            ),
            "equal_readings_once": edited(oracle, ("AVG(value)", "AVG(DISTINCT value)")),
            "sign_turned": edited(
                oracle, ("a.mean_value - b.mean_value", "b.mean_value - a.mean_value")
            ),
            "treatments_without_change": edited(oracle, ("p JOIN changes", "p LEFT JOIN changes")),
            "first_phase_only": edited(oracle, ("a.mean_value - b.mean_value", "b.mean_value")),
        },
        twins={
            "rounded_twice": edited(
                oracle,
                ("a.mean_value - b.mean_value", "ROUND(a.mean_value - b.mean_value, 3)"),
            )
        },
    )


def solve(world: World) -> tuple[Row, ...]:
    """The right answer, from the rows alone."""
    values = defaultdict[tuple[int, str], list[int]](list)
    for one in world.readings:
        if one.value is not None:
            values[one.participant_id, one.phase].append(one.value)
    changes = defaultdict[str, list[Fraction]](list)
    for who in world.participants:
        before = values[who.participant_id, world.before]
        later = values[who.participant_id, world.after]
        if before and later:
            changes[who.treatment].append(_mean(later) - _mean(before))
    return tuple(
        (treatment, rounded(sum(found, Fraction()) / len(found), 3))
        for treatment, found in sorted(changes.items())
    )


def _mean(values: list[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def _world(rng: Random) -> World:
    (before,), (later,) = words(rng, BEFORE, 1), words(rng, AFTER, 1)
    *treatments, empty = words(rng, TREATMENTS, rng.randint(4, 5))
    plans = [(treatment, plan) for treatment in treatments for plan in _plans(rng)]
    plans += [(empty, plan) for plan in ([3, 0], [0, 2], [2, -1])[: rng.randint(2, 3)]]
    people = numbered(rng, lambda key, *plan: (key, *plan), plans)
    readings: list[tuple[int, str, int | None]] = []
    for key, _, plan in people:
        level = rng.randint(40, 120)
        for phase, count in zip((before, later), plan, strict=True):
            readings += [(key, phase, value) for value in _values(rng, count, level)]
            level += rng.randint(-25, 30)
    participants = [Participant(key, treatment) for key, treatment, _ in people]
    return World(participants, numbered(rng, Reading, readings), before, later)


def _plans(rng: Random) -> list[list[int]]:
    """How many readings each participant of a treatment has, by phase.

    Below zero: so many, all NULL.
    """
    planted = [[1, 3], [3, 1], [2, 2]]
    partly = [[2, 0], [0, 2], [1, -2], [-1, 2]]
    some = [[rng.randint(1, 3), rng.randint(1, 3)] for _ in range(rng.randint(0, 3))]
    return planted + rng.sample(partly, 2) + some


def _values(rng: Random, count: int, level: int) -> list[int | None]:
    first = level + rng.randint(-12, 12)
    more = [first, first + rng.choice((-1, 1)) * rng.randint(1, 12)]  # one twice, where it is three
    known = [first, *more[3 - count :]][: max(0, count)]
    values: list[int | None] = [*known]
    if count < 0 or rng.random() < 0.25:
        values += [None] * max(1, -count)
    return values


FAMILY = Family(
    "treatment_effects",
    1,
    draft,
    untold=(
        (
            "rounded_twice",
            "rounding each participant's change first moves the mean by less than 0.0005, which "
            "the last rounding takes away again most of the time",
        ),
    ),
)
