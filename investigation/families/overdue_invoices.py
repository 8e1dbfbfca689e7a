"""Invoices overdue on a day: a strict date, two child tables to subtract, balances of just zero."""

from collections import Counter
from datetime import date
from random import Random
from typing import NamedTuple

from investigation.drawing import a_day, after, edited, ids, numbered, shuffled, tables, words
from investigation.families.base import Draft, Family
from investigation.instance import Row

ISSUED = "issued sent billed invoiced final open posted mailed"
NOT_ISSUED = "void draft withdrawn proposed disputed archived cancelled"
SETTLED = "settled cleared received confirmed banked booked captured"
NOT_SETTLED = "pending failed bounced returned scheduled refused"
APPROVED = "approved accepted granted signed valid effective"
NOT_APPROVED = "requested rejected waiting declined expired"

DDL = """
CREATE TABLE invoices(invoice_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL,
  amount_cents INTEGER NOT NULL, due_date TEXT NOT NULL, status TEXT NOT NULL);
CREATE TABLE payments(payment_id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL,
  amount_cents INTEGER NOT NULL, status TEXT NOT NULL);
CREATE TABLE credits(credit_id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL,
  amount_cents INTEGER NOT NULL, status TEXT NOT NULL)
"""

INSTRUCTION = """\
As of {as_of}, find the invoices with status '{issued}' whose due_date is strictly earlier than \
that date and whose outstanding balance is greater than 0. The outstanding balance is the \
invoice's amount_cents minus its payments with status '{settled}' minus its credits with status \
'{approved}'. Payments, credits and invoices with any other status do not count; an invoice \
without payments or credits has 0 of them. Count every payment and every credit once. Columns: \
invoice_id, customer_id, outstanding_cents (integer)."""

ORACLE = """\
WITH paid AS (
  SELECT invoice_id, SUM(amount_cents) AS amount FROM payments
  WHERE status = '{settled}' GROUP BY invoice_id
), credited AS (
  SELECT invoice_id, SUM(amount_cents) AS amount FROM credits
  WHERE status = '{approved}' GROUP BY invoice_id
), balances AS (
  SELECT i.invoice_id, i.customer_id,
    i.amount_cents - COALESCE(p.amount, 0) - COALESCE(c.amount, 0) AS outstanding_cents
  FROM invoices i
  LEFT JOIN paid p ON p.invoice_id = i.invoice_id
  LEFT JOIN credited c ON c.invoice_id = i.invoice_id
  WHERE i.status = '{issued}' AND i.due_date < '{as_of}'
)
SELECT invoice_id, customer_id, outstanding_cents FROM balances WHERE outstanding_cents > 0"""

FANOUT = """\
SELECT i.invoice_id, i.customer_id,
  i.amount_cents - COALESCE(SUM(p.amount_cents), 0) - COALESCE(SUM(c.amount_cents), 0)
    AS outstanding_cents
FROM invoices i
LEFT JOIN payments p ON p.invoice_id = i.invoice_id AND p.status = '{settled}'
LEFT JOIN credits c ON c.invoice_id = i.invoice_id AND c.status = '{approved}'
WHERE i.status = '{issued}' AND i.due_date < '{as_of}'
GROUP BY i.invoice_id, i.customer_id, i.amount_cents
HAVING outstanding_cents > 0"""


class Invoice(NamedTuple):
    """A row of invoices."""

    invoice_id: int
    customer_id: int
    amount_cents: int
    due_date: str
    status: str


class Entry(NamedTuple):
    """A row of payments or of credits."""

    entry_id: int
    invoice_id: int
    amount_cents: int
    status: str


class Case(NamedTuple):
    """An invoice to be: when it is due, its status, and each payment and credit as (share, status).

    A share is in hundredths of the invoice's amount.
    """

    due: int
    status: str
    payments: list[tuple[int, str]]
    credits: list[tuple[int, str]]


class World(NamedTuple):
    """All rows of a draw, the day, and the statuses that count."""

    invoices: list[Invoice]
    payments: list[Entry]
    credits: list[Entry]
    word: dict[str, str]


def draft(rng: Random) -> Draft:
    """One draw."""
    world = _world(rng)
    word = world.word
    oracle = ORACLE.format(**word)
    due = f"i.due_date < '{word['as_of']}'"
    return Draft(
        instruction=INSTRUCTION.format(**word),
        tables=tables(DDL, world.invoices, world.payments, world.credits),
        columns=("invoice_id", "customer_id", "outstanding_cents"),
        expected=solve(world),
        oracle_sql=oracle,
        traps={
            "payments_times_credits": FANOUT.format(**word),
            "due_on_the_day": edited(oracle, (due, due.replace("<", "<="))),
            "due_on_any_day": edited(oracle, (f" AND {due}", "")),
            "nothing_outstanding": edited(
                oracle, ("outstanding_cents > 0", "outstanding_cents >= 0")
            ),
            "paid_too_much": edited(oracle, ("outstanding_cents > 0", "outstanding_cents <> 0")),
            "invoices_of_any_status": edited(oracle, (f"i.status = '{word['issued']}' AND ", "")),
            "payments_of_any_status": edited(oracle, (f"WHERE status = '{word['settled']}' ", "")),
            "credits_of_any_status": edited(oracle, (f"WHERE status = '{word['approved']}' ", "")),
            "credits_forgotten": edited(oracle, (" - COALESCE(c.amount, 0)", "")),
            "payments_forgotten": edited(oracle, (" - COALESCE(p.amount, 0)", "")),
            "equal_payments_once": edited(
                oracle,
                (
                    "SUM(amount_cents) AS amount FROM pay",
                    "SUM(DISTINCT amount_cents) AS amount FROM pay",
                ),
            ),
            "equal_credits_once": edited(
                oracle,
                (
                    "SUM(amount_cents) AS amount FROM cre",
                    "SUM(DISTINCT amount_cents) AS amount FROM cre",
                ),
            ),
            "only_invoices_with_payments": edited(oracle, ("LEFT JOIN paid", "JOIN paid")),
            "only_invoices_with_credits": edited(oracle, ("LEFT JOIN credited", "JOIN credited")),
        },
    )


def solve(world: World) -> tuple[Row, ...]:
    """The right answer, from the rows alone."""
    word, less = world.word, Counter[int]()
    for entries, counts in ((world.payments, "settled"), (world.credits, "approved")):
        for one in entries:
            if one.status == word[counts]:
                less[one.invoice_id] += one.amount_cents
    as_of = date.fromisoformat(word["as_of"])
    return tuple(
        (one.invoice_id, one.customer_id, one.amount_cents - less[one.invoice_id])
        for one in world.invoices
        if one.status == word["issued"]
        and date.fromisoformat(one.due_date) < as_of
        and one.amount_cents > less[one.invoice_id]
    )


def _world(rng: Random) -> World:
    as_of = a_day(rng)
    (issued,), void = words(rng, ISSUED, 1), words(rng, NOT_ISSUED, 2)
    (settled,), unpaid = words(rng, SETTLED, 1), words(rng, NOT_SETTLED, 2)
    (approved,), unproved = words(rng, APPROVED, 1), words(rng, NOT_APPROVED, 2)
    word = {"as_of": str(as_of), "issued": issued, "settled": settled, "approved": approved}
    cases = _planted(rng, word, [void[0], unpaid[0], unproved[0]])
    for _ in range(rng.randint(5, 14)):
        paid = [(rng.randint(5, 50), rng.choice([settled, settled, *unpaid])) for _ in range(2)]
        credit = [(rng.randint(5, 30), rng.choice([approved, *unproved])) for _ in range(2)]
        status, kept = rng.choice([issued, issued, *void]), rng.randint(0, 2)
        cases.append(Case(rng.randint(-90, 30), status, paid[:kept], credit[: rng.randint(0, 2)]))
    invoices, payments, credits = [], [], []
    customers = ids(rng, rng.randint(4, 8))
    mixed = shuffled(rng, cases)
    for key, case in zip(ids(rng, len(mixed)), mixed, strict=True):
        part = rng.randint(10, 150)  # a hundredth, in cents
        due = after(as_of, case.due)
        invoices.append(Invoice(key, rng.choice(customers), 100 * part, due, case.status))
        payments += [(key, part * share, status) for share, status in case.payments]
        credits += [(key, part * share, status) for share, status in case.credits]
    return World(invoices, numbered(rng, Entry, payments), numbered(rng, Entry, credits), word)


def _planted(rng: Random, word: dict[str, str], other: list[str]) -> list[Case]:
    """An invoice for each thing that is easily got wrong; ``other`` are statuses that count not."""
    issued, paid, credited = word["issued"], word["settled"], word["approved"]
    void, unpaid, unproved = other
    share = rng.randint(20, 60)

    def ago() -> int:
        return -rng.randint(1, 60)

    return [
        Case(0, issued, [(share, paid)], []),  # due on the day itself
        Case(-1, issued, [(share, paid)], [(10, credited)]),
        Case(rng.randint(1, 40), issued, [], []),
        Case(ago(), void, [(share, paid)], []),
        Case(ago(), issued, [(share, unpaid)], []),
        Case(ago(), issued, [(share, paid)], [(15, unproved)]),
        Case(ago(), issued, [(share, paid)], [(100 - share, credited)]),  # just zero
        Case(ago(), issued, [(share, paid)], [(110 - share, credited)]),  # below zero
        Case(ago(), issued, [(15, paid)] * 2, [(10, credited)] * 2),
        Case(ago(), issued, [], [(share, credited)]),
    ]


FAMILY = Family("overdue_invoices", 1, draft)
