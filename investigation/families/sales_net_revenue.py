"""Net revenue by segment: the sums of two child tables must not multiply each other."""

from collections import Counter
from random import Random
from typing import NamedTuple

from investigation.drawing import edited, ids, numbered, shuffled, tables, words
from investigation.families.base import Draft, Family
from investigation.instance import Row

SEGMENTS = """
    business consumer education government nonprofit wholesale retail startup enterprise
    healthcare hospitality household industrial media
"""
DONE = "completed fulfilled closed finished settled done shipped delivered invoiced executed final"
NOT_DONE = "cancelled open draft returned waiting rejected abandoned on_hold expired void"
POSTED = "posted booked issued paid granted confirmed processed cleared effective released"
NOT_POSTED = "pending declined requested withdrawn disputed denied queued review"

DDL = """
CREATE TABLE customers(customer_id INTEGER PRIMARY KEY, segment TEXT NOT NULL);
CREATE TABLE orders(order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL,
  status TEXT NOT NULL);
CREATE TABLE order_items(item_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL, unit_price_cents INTEGER NOT NULL);
CREATE TABLE refunds(refund_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL,
  amount_cents INTEGER NOT NULL, status TEXT NOT NULL)
"""

INSTRUCTION = """\
Find the net revenue of each customer segment that has at least one order with status '{done}'. \
Net revenue is SUM(quantity * unit_price_cents) over the items of orders with status '{done}', \
minus the refunds with status '{posted}' of those same orders. Orders and refunds with any other \
status do not count; an order without refunds counts in full. Count every item once and every \
refund once. Columns: segment, net_revenue_cents (integer)."""

ORACLE = """\
WITH item_totals AS (
  SELECT order_id, SUM(quantity * unit_price_cents) AS amount FROM order_items GROUP BY order_id
), refund_totals AS (
  SELECT order_id, SUM(amount_cents) AS amount FROM refunds
  WHERE status = '{posted}' GROUP BY order_id
)
SELECT c.segment, SUM(i.amount - COALESCE(r.amount, 0)) AS net_revenue_cents
FROM customers c
JOIN orders o ON o.customer_id = c.customer_id
JOIN item_totals i ON i.order_id = o.order_id
LEFT JOIN refund_totals r ON r.order_id = o.order_id
WHERE o.status = '{done}'
GROUP BY c.segment"""

FANOUT = """\
SELECT c.segment,
  SUM(i.quantity * i.unit_price_cents) - SUM(COALESCE(r.amount_cents, 0)) AS net_revenue_cents
FROM customers c
JOIN orders o ON o.customer_id = c.customer_id
JOIN order_items i ON i.order_id = o.order_id
LEFT JOIN refunds r ON r.order_id = o.order_id AND r.status = '{posted}'
WHERE o.status = '{done}'
GROUP BY c.segment"""

REFUNDS_OF_ANY_ORDER = """\
WITH sold AS (
  SELECT c.segment, SUM(i.quantity * i.unit_price_cents) AS amount FROM customers c
  JOIN orders o ON o.customer_id = c.customer_id
  JOIN order_items i ON i.order_id = o.order_id
  WHERE o.status = '{done}' GROUP BY c.segment
), refunded AS (
  SELECT c.segment, SUM(r.amount_cents) AS amount FROM customers c
  JOIN orders o ON o.customer_id = c.customer_id
  JOIN refunds r ON r.order_id = o.order_id
  WHERE r.status = '{posted}' GROUP BY c.segment
)
SELECT s.segment, s.amount - COALESCE(f.amount, 0) AS net_revenue_cents
FROM sold s LEFT JOIN refunded f ON f.segment = s.segment"""

EMPTY_SEGMENTS = """\
SELECT DISTINCT c.segment, COALESCE(n.net_revenue_cents, 0) AS net_revenue_cents
FROM customers c LEFT JOIN (
{oracle}
) n ON n.segment = c.segment"""


class Customer(NamedTuple):
    """A row of customers."""

    customer_id: int
    segment: str


class Order(NamedTuple):
    """A row of orders."""

    order_id: int
    customer_id: int
    status: str


class Item(NamedTuple):
    """A row of order_items."""

    item_id: int
    order_id: int
    quantity: int
    unit_price_cents: int


class Refund(NamedTuple):
    """A row of refunds."""

    refund_id: int
    order_id: int
    amount_cents: int
    status: str


class Case(NamedTuple):
    """An order to be: whose, its status, how many items, the statuses of its refunds.

    Its items are ``alike`` or not, and so are its refunds: the same amount each.
    """

    customer: int
    status: str
    items: int
    refunds: list[str]
    alike: bool = False


class World(NamedTuple):
    """All rows of a draw, and the two statuses that count."""

    customers: list[Customer]
    orders: list[Order]
    items: list[Item]
    refunds: list[Refund]
    done: str
    posted: str


def draft(rng: Random) -> Draft:
    """One draw."""
    world = _world(rng)
    word = {"done": world.done, "posted": world.posted}
    oracle = ORACLE.format(**word)
    return Draft(
        instruction=INSTRUCTION.format(**word),
        tables=tables(DDL, world.customers, world.orders, world.items, world.refunds),
        columns=("segment", "net_revenue_cents"),
        expected=solve(world),
        oracle_sql=oracle,
        traps={
            "items_times_refunds": FANOUT.format(**word),
            "refunds_of_any_status": edited(oracle, (f"  WHERE status = '{world.posted}' ", "  ")),
            "orders_of_any_status": edited(oracle, (f"WHERE o.status = '{world.done}'\n", "")),
            "only_orders_with_refunds": edited(oracle, ("LEFT JOIN", "JOIN")),
            "refunds_of_any_order": REFUNDS_OF_ANY_ORDER.format(**word),
            "refunds_forgotten": edited(oracle, (" - COALESCE(r.amount, 0)", "")),
            "equal_refunds_once": edited(
                oracle, ("SUM(amount_cents)", "SUM(DISTINCT amount_cents)")
            ),
            "equal_items_once": edited(oracle, ("SUM(quantity", "SUM(DISTINCT quantity")),
            "segments_without_orders": EMPTY_SEGMENTS.format(oracle=oracle),
        },
    )


def solve(world: World) -> tuple[Row, ...]:
    """The right answer, from the rows alone."""
    segment_of = {one.customer_id: one.segment for one in world.customers}
    segments = {
        one.order_id: segment_of[one.customer_id]
        for one in world.orders
        if one.status == world.done
    }
    net: Counter[str] = Counter()
    for item in world.items:
        if item.order_id in segments:
            net[segments[item.order_id]] += item.quantity * item.unit_price_cents
    for refund in world.refunds:
        if refund.order_id in segments and refund.status == world.posted:
            net[segments[refund.order_id]] -= refund.amount_cents
    return tuple(sorted(net.items()))


def _world(rng: Random) -> World:
    (done,), (posted,) = words(rng, DONE, 1), words(rng, POSTED, 1)
    others, pending = words(rng, NOT_DONE, rng.randint(2, 3)), words(rng, NOT_POSTED, 2)
    segments = words(rng, SEGMENTS, rng.randint(4, 6))
    quiet = segments[-1]  # nobody in it completes an order
    drawn = [*segments, *rng.choices(segments, k=rng.randint(5, 9))]
    customers = numbered(rng, Customer, [(segment,) for segment in drawn])
    buyers = [one.customer_id for one in customers if one.segment != quiet]
    idle = [one.customer_id for one in customers if one.segment == quiet]
    cases = [
        Case(rng.choice(buyers), done, 3, [posted, posted], alike=True),
        Case(rng.choice(buyers), done, 2, [posted, pending[0]]),
        Case(rng.choice(buyers), done, 1, [pending[1]]),
        Case(rng.choice(buyers), done, 2, []),
        Case(rng.choice(buyers), others[0], 2, [posted]),  # counts neither way
        *(Case(key, rng.choice(others), 1, [posted] * rng.randint(0, 1)) for key in idle),
    ]
    for _ in range(rng.randint(12, 24)):
        status = rng.choice([done, done, *others])
        paid_back = rng.choices([posted, *pending], k=rng.choice((0, 0, 1, 2)))
        cases.append(Case(rng.choice(buyers), status, rng.randint(1, 3), paid_back))
    orders, items, refunds = _orders(rng, cases)
    return World(customers, orders, items, refunds, done, posted)


def _orders(rng: Random, cases: list[Case]) -> tuple[list[Order], list[Item], list[Refund]]:
    """An order a case, with its items and its refunds."""
    mixed = shuffled(rng, cases)
    orders, items, refunds = [], [], []
    for key, case in zip(ids(rng, len(mixed)), mixed, strict=True):
        orders.append(Order(key, case.customer, case.status))
        lines = [(rng.randint(1, 5), rng.randint(200, 3000)) for _ in range(case.items)]
        amounts = [rng.randint(50, 900) for _ in case.refunds]
        if case.alike:
            lines, amounts = lines[:1] * case.items, amounts[:1] * len(amounts)
        items += [(key, *line) for line in lines]
        refunds += [(key, *refund) for refund in zip(amounts, case.refunds, strict=True)]
    return orders, numbered(rng, Item, items), numbered(rng, Refund, refunds)


FAMILY = Family("sales_net_revenue", 1, draft)
