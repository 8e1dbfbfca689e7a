"""Repeat buyers by signup month: a half-open window, and users without purchases who still count.

Days are plain dates: ``DATE(day, '+30 days')`` compares with nothing else as text.
"""

from collections import Counter, defaultdict
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import NamedTuple

from investigation.drawing import (
    a_day,
    after,
    edited,
    ids,
    numbered,
    rounded,
    shuffled,
    tables,
    words,
)
from investigation.families.base import Draft, Family
from investigation.instance import Row

DONE = "completed paid delivered fulfilled captured settled closed shipped confirmed final success"
NOT_DONE = "cancelled refunded pending abandoned declined disputed failed returned"
WINDOW = timedelta(days=30)
REPEAT = 2

DDL = """
CREATE TABLE users(user_id INTEGER PRIMARY KEY, signup_at TEXT NOT NULL);
CREATE TABLE purchases(purchase_id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL,
  purchased_at TEXT NOT NULL, status TEXT NOT NULL)
"""

INSTRUCTION = """\
Summarize each signup-month cohort. A repeat buyer is a user with at least two purchases with \
status '{done}' made on or after signup_at and strictly before signup_at + 30 days (the day of \
signup counts, day 30 after it does not). Purchases with any other status, and those before \
signup or after the window, do not count. All users of the cohort belong in the denominator, also \
those without purchases. Columns: cohort_month (YYYY-MM of signup_at), users (integer), \
repeat_buyers (integer), repeat_rate (repeat_buyers / users, rounded to 4 decimals)."""

ORACLE = """\
WITH counts AS (
  SELECT u.user_id, SUBSTR(u.signup_at, 1, 7) AS cohort_month, COUNT(p.purchase_id) AS purchases
  FROM users u
  LEFT JOIN purchases p ON p.user_id = u.user_id AND p.status = '{done}'
    AND p.purchased_at >= u.signup_at AND p.purchased_at < DATE(u.signup_at, '+30 days')
  GROUP BY u.user_id, u.signup_at
)
SELECT cohort_month, COUNT(*) AS users, SUM(purchases >= 2) AS repeat_buyers,
  ROUND(1.0 * SUM(purchases >= 2) / COUNT(*), 4) AS repeat_rate
FROM counts
GROUP BY cohort_month"""

START = "p.purchased_at >= u.signup_at"
END = "p.purchased_at < DATE(u.signup_at, '+30 days')"


class User(NamedTuple):
    """A row of users."""

    user_id: int
    signup_at: str


class Purchase(NamedTuple):
    """A row of purchases."""

    purchase_id: int
    user_id: int
    purchased_at: str
    status: str


class World(NamedTuple):
    """All rows of a draw, and the status that counts."""

    users: list[User]
    purchases: list[Purchase]
    done: str


def draft(rng: Random) -> Draft:
    """One draw."""
    world = _world(rng)
    oracle = ORACLE.format(done=world.done)
    in_month = "SUBSTR(p.purchased_at, 1, 7) = SUBSTR(u.signup_at, 1, 7)"
    return Draft(
        instruction=INSTRUCTION.format(done=world.done),
        tables=tables(DDL, world.users, world.purchases),
        columns=("cohort_month", "users", "repeat_buyers", "repeat_rate"),
        expected=solve(world),
        oracle_sql=oracle,
        traps={
            "through_day_30": edited(oracle, (END, END.replace("<", "<="))),
            "without_day_29": edited(oracle, ("+30 days", "+29 days")),
            "after_the_day_of_signup": edited(oracle, (START, START.replace(">=", ">"))),
            "before_signup_too": edited(oracle, (f"{START} AND ", "")),
            "without_an_end": edited(oracle, (f" AND {END}", "")),
            "in_the_month_of_signup": edited(oracle, (END, in_month)),
            "purchases_of_any_status": edited(oracle, (f" AND p.status = '{world.done}'", "")),
            "one_purchase_is_enough": oracle.replace(">= 2", ">= 1"),
            "just_two_purchases": oracle.replace(">= 2", "= 2"),
            "only_users_with_purchases": edited(oracle, ("LEFT JOIN", "JOIN")),
            "days_counted": edited(
                oracle, ("COUNT(p.purchase_id)", "COUNT(DISTINCT p.purchased_at)")
            ),
            "integer_division": edited(oracle, ("1.0 * ", "")),
        },
        twins={"rows_counted": edited(oracle, ("COUNT(p.purchase_id)", "COUNT(*)"))},
    )


def solve(world: World) -> tuple[Row, ...]:
    """The right answer, from the rows alone."""
    signup = {one.user_id: date.fromisoformat(one.signup_at) for one in world.users}
    bought: Counter[int] = Counter()
    for one in world.purchases:
        since = date.fromisoformat(one.purchased_at) - signup[one.user_id]
        if one.status == world.done and timedelta(0) <= since < WINDOW:
            bought[one.user_id] += 1
    cohorts = defaultdict[str, list[bool]](list)
    for user, day in signup.items():
        cohorts[f"{day:%Y-%m}"].append(bought[user] >= REPEAT)
    return tuple(
        (month, len(found), sum(found), rounded(Fraction(sum(found), len(found)), 4))
        for month, found in sorted(cohorts.items())
    )


def _world(rng: Random) -> World:
    (done,), others = words(rng, DONE, 1), words(rng, NOT_DONE, rng.randint(2, 3))
    cases = [
        *_planted(rng, done, others),
        *(_any(rng, done, others) for _ in range(rng.randint(5, 12))),
    ]
    months = _months(rng, rng.randint(3, 4))
    users, purchases = [], []
    for at, (key, case) in enumerate(zip(ids(rng, len(cases)), shuffled(rng, cases), strict=True)):
        month = months[at] if at < len(months) else rng.choice(months)
        day = month + timedelta(days=rng.randrange(28))
        users.append(User(key, str(day)))
        purchases += [(key, after(day, days), status) for days, status in case]
    return World(users, numbered(rng, Purchase, purchases), done)


def _months(rng: Random, count: int) -> list[date]:
    """The first days of so many months in a row."""
    first = a_day(rng).replace(day=1)
    return [
        date(first.year + month // 12, month % 12 + 1, 1)
        for month in range(first.month - 1, first.month - 1 + count)
    ]


Case = list[tuple[int, str]]
"""A user's purchases: days after signup, and status."""


def _planted(rng: Random, done: str, others: list[str]) -> list[Case]:
    """A user for each thing that is easily got wrong; two for what one cohort might hide."""
    inside = rng.randint(1, 28)
    return [
        [(inside, done), (30, done)],
        [(inside, done), (29, done)],
        [(inside, done), (0, done)],
        [(0, done), (0, done)],
        [(inside, done), (-rng.randint(1, 20), done)],
        [(inside, done), (rng.randint(31, 80), done)],
        [(inside, done), (rng.randint(1, 28), others[0])],
        [(rng.randint(0, 29), done)],
        [(rng.randint(0, 29), done) for _ in range(3)],
        [],
        [(rng.randint(0, 29), others[1])],
    ]


def _any(rng: Random, done: str, others: list[str]) -> Case:
    days = [rng.randint(-10, 45) for _ in range(rng.choice((0, 1, 2, 2, 3, 4)))]
    return [(day, rng.choice([done, done, done, *others])) for day in days]


FAMILY = Family(
    "signup_cohorts",
    1,
    draft,
    untold=(
        (
            "rows_counted",
            "COUNT(*) gives a user without purchases 1 where COUNT(purchase_id) gives 0, and "
            "neither makes a repeat buyer: the two queries are equal on every database",
        ),
    ),
)
