"""Weighted failure rates over valid days: what is missing must leave both sides of the fraction."""

from collections import defaultdict
from datetime import date
from fractions import Fraction
from random import Random
from typing import NamedTuple

from investigation.drawing import a_day, after, edited, numbered, rounded, shuffled, tables, words
from investigation.families.base import Draft, Family
from investigation.instance import Row

NAMES = """
    auth billing search mail ledger media geo queue cache export import profile pricing stock
    alerts reports
"""
ENOUGH = 5

DDL = """
CREATE TABLE services(service_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE daily_metrics(service_id INTEGER NOT NULL, day TEXT NOT NULL, requests INTEGER,
  failures INTEGER, PRIMARY KEY(service_id, day))
"""

INSTRUCTION = """\
Compute the weighted failure rate of each service that has at least 5 valid days. A day is valid \
if its requests are greater than 0 and its failures are not NULL; a day with NULL in requests or \
failures, or with 0 requests, is left out entirely. The rate is SUM(failures) / SUM(requests) over \
the valid days, not the mean of daily rates. Columns: service_id, failure_rate (rounded to 4 \
decimals)."""

ORACLE = """\
SELECT service_id, ROUND(1.0 * SUM(failures) / SUM(requests), 4) AS failure_rate
FROM daily_metrics
WHERE requests > 0 AND failures IS NOT NULL
GROUP BY service_id
HAVING COUNT(*) >= 5"""

RATE = "ROUND(1.0 * SUM(failures) / SUM(requests), 4)"
VALID = "WHERE requests > 0 AND failures IS NOT NULL"

OVER_ALL_DAYS = """\
SELECT service_id, ROUND(1.0 * SUM({failures}) / SUM({requests}), 4) AS failure_rate
FROM daily_metrics
GROUP BY service_id
HAVING SUM(requests > 0 AND failures IS NOT NULL) >= 5"""

ON_VALID = "CASE WHEN requests > 0 AND failures IS NOT NULL THEN {} END"


class Service(NamedTuple):
    """A row of services."""

    service_id: int
    name: str


class Day(NamedTuple):
    """A row of daily_metrics."""

    service_id: int
    day: str
    requests: int | None
    failures: int | None


Counts = tuple[int | None, int | None]


def draft(rng: Random) -> Draft:
    """One draw."""
    services, days = _world(rng)
    failures, requests = ON_VALID.format("failures"), ON_VALID.format("requests")
    return Draft(
        instruction=INSTRUCTION,
        tables=tables(DDL, services, days),
        columns=("service_id", "failure_rate"),
        expected=solve(days),
        oracle_sql=ORACLE,
        traps={
            "mean_of_daily_rates": edited(
                ORACLE, (RATE, "ROUND(AVG(1.0 * failures / requests), 4)")
            ),
            "requests_of_days_without_failures": OVER_ALL_DAYS.format(
                failures=failures, requests="requests"
            ),
            "failures_of_days_without_requests": OVER_ALL_DAYS.format(
                failures="failures", requests=requests
            ),
            "any_day_counts_as_observed": edited(
                ORACLE,
                ("SUM(failures)", f"SUM({failures})"),
                ("SUM(requests)", f"SUM({requests})"),
                (f"{VALID}\n", ""),
            ),
            "days_without_a_request_are_valid": edited(
                ORACLE, ("requests > 0", "requests IS NOT NULL")
            ),
            "more_than_five": edited(ORACLE, (">= 5", "> 5")),
            "services_of_any_length": edited(ORACLE, ("\nHAVING COUNT(*) >= 5", "")),
            "integer_division": edited(ORACLE, ("1.0 * SUM(failures)", "SUM(failures)")),
            "missing_failures_are_zero": edited(
                ORACLE,
                ("SUM(failures)", "SUM(COALESCE(failures, 0))"),
                (" AND failures IS NOT NULL", ""),
            ),
        },
    )


def solve(days: list[Day]) -> tuple[Row, ...]:
    """The right answer, from the rows alone."""
    valid = defaultdict[int, list[tuple[int, int]]](list)
    for one in days:
        if one.requests is not None and one.failures is not None and one.requests > 0:
            valid[one.service_id].append((one.failures, one.requests))
    return tuple(
        (service, rounded(Fraction(*map(sum, zip(*counts, strict=True))), 4))
        for service, counts in sorted(valid.items())
        if len(counts) >= ENOUGH
    )


def _world(rng: Random) -> tuple[list[Service], list[Day]]:
    first, length = a_day(rng), rng.randint(9, 12)
    cases = [*_planted(rng), *(_any(rng, length) for _ in range(rng.randint(0, 3)))]
    names = words(rng, NAMES, len(cases))
    services = numbered(rng, Service, [(name,) for name in names])
    counts = dict(zip(names, cases, strict=True))
    days = [row for one in services for row in _days(rng, one.service_id, counts[one.name], first)]
    return services, shuffled(rng, days)


def _days(rng: Random, service: int, counts: list[Counts], first: date) -> list[Day]:
    return [
        Day(service, after(first, at), requests, failures)
        for at, (requests, failures) in enumerate(shuffled(rng, counts))
    ]


def _planted(rng: Random) -> list[list[Counts]]:
    """The days of a service for each thing that is easily got wrong."""
    return [
        _good(rng, ENOUGH) + [(None, rng.randint(1, 9)), (rng.randint(50, 900), None)],
        _good(rng, ENOUGH - 1) + [(rng.randint(50, 900), None), (None, None)],
        _good(rng, ENOUGH - 1) + [(0, 0), (0, 0)],
        _good(rng, 7) + [(rng.randint(300, 900), None), (rng.randint(300, 900), None)],
        _good(rng, 6) + [(None, rng.randint(10, 40)), (0, 0)],
        _good(rng, 8),
    ]


def _good(rng: Random, count: int) -> list[Counts]:
    """Valid days, of very different sizes."""
    sizes = [rng.choice((rng.randint(10, 60), rng.randint(300, 900))) for _ in range(count)]
    return [(size, rng.randint(0, size // rng.randint(6, 30))) for size in sizes]


def _any(rng: Random, length: int) -> list[Counts]:
    holes: list[Counts] = [(0, 0), (None, 2), (rng.randint(50, 900), None), (None, None)]
    missing = [rng.choice(holes) for _ in range(rng.randint(0, 4))]
    return _good(rng, length - len(missing)) + missing


FAMILY = Family("service_failure_rates", 1, draft)
