"""Totals in USD: the rate of the day for each transaction, hundredths everywhere, rounded once."""

from collections import defaultdict
from datetime import date
from fractions import Fraction
from random import Random
from typing import NamedTuple

from investigation.drawing import a_day, after, edited, numbered, rounded, shuffled, tables, words
from investigation.families.base import Draft, Family
from investigation.instance import Row

USD_MICROS = {
    "EUR": 1_090_000, "GBP": 1_270_000, "CHF": 1_130_000, "CAD": 740_000, "AUD": 660_000,
    "NZD": 610_000, "SEK": 96_000, "NOK": 94_000, "PLN": 250_000, "MXN": 58_000, "INR": 12_000,
    "BRL": 200_000, "ZAR": 54_000, "SGD": 745_000,
}  # fmt: skip
WITHOUT_HUNDREDTHS = {"JPY": 6_700, "KRW": 740, "CLP": 1_080, "ISK": 7_200}
"""Currencies that have none in life, and have them here."""

SETTLED = "settled cleared booked captured final posted completed executed processed"
NOT_SETTLED = "pending failed reversed authorized declined expired blocked voided"

DDL = """
CREATE TABLE exchange_rates(currency TEXT NOT NULL, effective_at TEXT NOT NULL,
  usd_micros_per_unit INTEGER NOT NULL, PRIMARY KEY(currency, effective_at));
CREATE TABLE transactions(transaction_id INTEGER PRIMARY KEY, currency TEXT NOT NULL,
  occurred_at TEXT NOT NULL, amount_minor INTEGER NOT NULL, status TEXT NOT NULL)
"""

INSTRUCTION = """\
Convert the transactions with status '{settled}' to USD, then total them by currency. Transactions \
with any other status do not count. Each transaction takes its currency's latest exchange rate \
with effective_at on or before occurred_at; every transaction has one. amount_minor is in \
hundredths of the source currency, also for {whole}; usd_micros_per_unit is millionths of a USD \
per one unit of the source currency. Negative amounts reduce the total. Sum first, then round. \
Columns: currency, total_usd (rounded to 2 decimals)."""

ORACLE = """\
SELECT t.currency,
  ROUND(1.0 * SUM(t.amount_minor * r.usd_micros_per_unit) / 100000000, 2) AS total_usd
FROM transactions t
JOIN exchange_rates r ON r.currency = t.currency AND r.effective_at = (
  SELECT MAX(e.effective_at) FROM exchange_rates e
  WHERE e.currency = t.currency AND e.effective_at <= t.occurred_at
)
WHERE t.status = '{settled}'
GROUP BY t.currency"""

MEAN_RATE = """\
SELECT t.currency, ROUND(SUM(t.amount_minor * (
  SELECT AVG(e.usd_micros_per_unit) FROM exchange_rates e
  WHERE e.currency = t.currency AND e.effective_at <= t.occurred_at
)) / 100000000, 2) AS total_usd
FROM transactions t
WHERE t.status = '{settled}'
GROUP BY t.currency"""

FANOUT = """\
SELECT t.currency,
  ROUND(1.0 * SUM(t.amount_minor * r.usd_micros_per_unit) / 100000000, 2) AS total_usd
FROM transactions t
JOIN exchange_rates r ON r.currency = t.currency AND r.effective_at <= t.occurred_at
WHERE t.status = '{settled}'
GROUP BY t.currency"""

TOTAL = "ROUND(1.0 * SUM(t.amount_minor * r.usd_micros_per_unit) / 100000000, 2)"
EACH_ROUNDED = "SUM(ROUND(1.0 * t.amount_minor * r.usd_micros_per_unit / 100000000, 2))"
UNTIL = "e.effective_at <= t.occurred_at"


class Rate(NamedTuple):
    """A row of exchange_rates."""

    currency: str
    effective_at: str
    usd_micros_per_unit: int


class Transaction(NamedTuple):
    """A row of transactions."""

    transaction_id: int
    currency: str
    occurred_at: str
    amount_minor: int
    status: str


class World(NamedTuple):
    """All rows of a draw, the status that counts, and the currency that has no hundredths."""

    rates: list[Rate]
    transactions: list[Transaction]
    settled: str
    whole: str


def draft(rng: Random) -> Draft:
    """One draw."""
    world = _world(rng)
    oracle = ORACLE.format(settled=world.settled)
    units = f"t.amount_minor * (CASE WHEN t.currency = '{world.whole}' THEN 100 ELSE 1 END) * r."
    return Draft(
        instruction=INSTRUCTION.format(settled=world.settled, whole=world.whole),
        tables=tables(DDL, world.rates, world.transactions),
        columns=("currency", "total_usd"),
        expected=solve(world),
        oracle_sql=oracle,
        traps={
            "rate_of_an_earlier_day": edited(oracle, (UNTIL, UNTIL.replace("<=", "<"))),
            "latest_rate_of_all": edited(oracle, (f" AND {UNTIL}", "")),
            "first_rate": edited(oracle, ("MAX(e.effective_at)", "MIN(e.effective_at)")),
            "next_rate": edited(
                oracle,
                ("MAX(e.effective_at)", "MIN(e.effective_at)"),
                (UNTIL, UNTIL.replace("<", ">")),
            ),
            "mean_rate": MEAN_RATE.format(settled=world.settled),
            "every_earlier_rate": FANOUT.format(settled=world.settled),
            "transactions_of_any_status": edited(
                oracle, (f"WHERE t.status = '{world.settled}'\n", "")
            ),
            "no_hundredths": edited(oracle, ("t.amount_minor * r.", units)),
            "positive_only": edited(oracle, ("\nGROUP BY", " AND t.amount_minor > 0\nGROUP BY")),
            "amounts_without_sign": edited(oracle, ("t.amount_minor *", "ABS(t.amount_minor) *")),
            "equal_amounts_once": edited(oracle, ("SUM(t.", "SUM(DISTINCT t.")),
            "each_rounded": edited(oracle, (TOTAL, EACH_ROUNDED)),
            "divided_by_the_rate": edited(
                oracle,
                (TOTAL, "ROUND(SUM(t.amount_minor * 10000.0 / r.usd_micros_per_unit), 2)"),
            ),
        },
    )


def solve(world: World) -> tuple[Row, ...]:
    """The right answer, from the rows alone."""
    rates = defaultdict[str, list[tuple[date, int]]](list)
    for rate in world.rates:
        rates[rate.currency].append(
            (date.fromisoformat(rate.effective_at), rate.usd_micros_per_unit)
        )
    totals: dict[str, Fraction] = {}
    for one in world.transactions:
        if one.status == world.settled:
            day = date.fromisoformat(one.occurred_at)
            _, micros = max(held for held in rates[one.currency] if held[0] <= day)
            usd = Fraction(one.amount_minor, 100) * Fraction(micros, 1_000_000)
            totals[one.currency] = totals.get(one.currency, Fraction()) + usd
    return tuple((currency, rounded(total, 2)) for currency, total in sorted(totals.items()))


def _world(rng: Random) -> World:
    (settled,), others = words(rng, SETTLED, 1), words(rng, NOT_SETTLED, rng.randint(2, 3))
    whole = rng.choice(sorted(WITHOUT_HUNDREDTHS))
    currencies = [whole, *rng.sample(sorted(USD_MICROS), rng.randint(2, 4))]
    first, rates, transactions = a_day(rng), [], []
    for currency in currencies:
        days = sorted(rng.sample(range(0, 90), rng.randint(3, 6)))
        usual = (USD_MICROS | WITHOUT_HUNDREDTHS)[currency]
        rates += [Rate(currency, after(first, day), _near(rng, usual)) for day in days]
        made = []
        for day, sign, status in _cases(rng, days, settled, others):
            # Worth ten to a thousand dollars, whatever the currency.
            amount = sign * rng.randint(10, 1000) * 100_000_000 // usual + rng.randint(0, 99)
            made.append((currency, after(first, day), amount, status))
        transactions += [*made, made[0]]  # one of them happens twice
    return World(shuffled(rng, rates), numbered(rng, Transaction, transactions), settled, whole)


def _near(rng: Random, usual: int) -> int:
    """A rate within a tenth of the usual one."""
    return usual + rng.randint(-usual // 10, usual // 10)


Case = tuple[int, int, str]
"""A transaction to be: its day, its sign, its status."""


def _cases(rng: Random, days: list[int], settled: str, others: list[str]) -> list[Case]:
    """Transactions of one currency whose rates change on ``days``."""
    between = range(days[0], days[-1])
    return [
        (days[1], 1, settled),  # on the day of a new rate
        (days[0], 1, settled),
        (days[-1] - 1, 1, settled),  # the day before one
        (days[-1] + rng.randint(0, 20), 1, settled),
        (rng.choice(between), -1, settled),
        (rng.choice(between), 1, rng.choice(others)),
        *(
            (
                days[0] + rng.randint(0, 100),
                rng.choice((1, 1, 1, -1)),
                rng.choice([settled, *others]),
            )
            for _ in range(rng.randint(1, 5))
        ),
    ]


FAMILY = Family("currency_conversion", 1, draft)
