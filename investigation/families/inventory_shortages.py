"""Products short of stock: two sums over missing rows, a strict bound, values below zero."""

from collections import Counter
from random import Random
from typing import NamedTuple

from investigation.drawing import edited, numbered, shuffled, tables, words
from investigation.families.base import Draft, Family
from investigation.instance import Row

PLACES = """
    Avalon Birch Cedar Dover Ember Fjord Grove Harbor Iris Juniper Keel Larch Mesa Nordic
    Orchard Pine
"""
HELD = (
    "active reserved confirmed allocated firm committed held picked locked binding assured claimed"
)
LET_GO = "cancelled fulfilled expired released shipped lapsed withdrawn tentative draft"

DDL = """
CREATE TABLE products(product_id INTEGER PRIMARY KEY, reorder_point INTEGER NOT NULL);
CREATE TABLE warehouses(warehouse_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE inventory(product_id INTEGER NOT NULL, warehouse_id INTEGER NOT NULL,
  units INTEGER NOT NULL, PRIMARY KEY(product_id, warehouse_id));
CREATE TABLE reservations(reservation_id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL,
  warehouse_id INTEGER NOT NULL, units INTEGER NOT NULL, status TEXT NOT NULL)
"""

INSTRUCTION = """\
List the products whose available stock, over all warehouses together, is strictly below their \
reorder_point. Available stock is all inventory units of the product minus the units of its \
reservations with status '{held}'; reservations with any other status do not count. A product \
without inventory has 0 units, one without reservations has 0 reserved. Available stock may be \
negative, and is then shown as it is. Columns: product_id, available_units (integer)."""

ORACLE = """\
WITH stock AS (
  SELECT product_id, SUM(units) AS units FROM inventory GROUP BY product_id
), held AS (
  SELECT product_id, SUM(units) AS units FROM reservations
  WHERE status = '{held}' GROUP BY product_id
)
SELECT p.product_id, COALESCE(s.units, 0) - COALESCE(h.units, 0) AS available_units
FROM products p
LEFT JOIN stock s ON s.product_id = p.product_id
LEFT JOIN held h ON h.product_id = p.product_id
WHERE COALESCE(s.units, 0) - COALESCE(h.units, 0) < p.reorder_point"""

FANOUT = """\
SELECT p.product_id,
  COALESCE(SUM(i.units), 0) - COALESCE(SUM(r.units), 0) AS available_units
FROM products p
LEFT JOIN inventory i ON i.product_id = p.product_id
LEFT JOIN reservations r ON r.product_id = p.product_id AND r.status = '{held}'
GROUP BY p.product_id, p.reorder_point
HAVING available_units < p.reorder_point"""

WHERE_BOTH_ARE = """\
WITH held AS (
  SELECT product_id, warehouse_id, SUM(units) AS units FROM reservations
  WHERE status = '{held}' GROUP BY product_id, warehouse_id
)
SELECT p.product_id, COALESCE(SUM(i.units - COALESCE(h.units, 0)), 0) AS available_units
FROM products p
LEFT JOIN inventory i ON i.product_id = p.product_id
LEFT JOIN held h ON h.product_id = i.product_id AND h.warehouse_id = i.warehouse_id
GROUP BY p.product_id, p.reorder_point
HAVING available_units < p.reorder_point"""


class Product(NamedTuple):
    """A row of products."""

    product_id: int
    reorder_point: int


class Warehouse(NamedTuple):
    """A row of warehouses."""

    warehouse_id: int
    name: str


class Stock(NamedTuple):
    """A row of inventory."""

    product_id: int
    warehouse_id: int
    units: int


class Reservation(NamedTuple):
    """A row of reservations."""

    reservation_id: int
    product_id: int
    warehouse_id: int
    units: int
    status: str


class Case(NamedTuple):
    """A product to be: its reorder point, its stock by warehouse, what is reserved of it."""

    reorder_point: int
    stock: list[int]
    reserved: list[tuple[int, str]]


class World(NamedTuple):
    """All rows of a draw, and the status that counts."""

    products: list[Product]
    warehouses: list[Warehouse]
    inventory: list[Stock]
    reservations: list[Reservation]
    held: str


def draft(rng: Random) -> Draft:
    """One draw."""
    world = _world(rng)
    oracle = ORACLE.format(held=world.held)
    bound = "WHERE COALESCE(s.units, 0) - COALESCE(h.units, 0) < p.reorder_point"
    shown = "SELECT p.product_id, COALESCE(s.units, 0) - COALESCE(h.units, 0)"
    never_negative = "SELECT p.product_id, MAX(0, COALESCE(s.units, 0) - COALESCE(h.units, 0))"
    return Draft(
        instruction=INSTRUCTION.format(held=world.held),
        tables=tables(DDL, world.products, world.warehouses, world.inventory, world.reservations),
        columns=("product_id", "available_units"),
        expected=solve(world),
        oracle_sql=oracle,
        traps={
            "inventory_times_reservations": FANOUT.format(held=world.held),
            "only_products_in_stock": edited(oracle, ("LEFT JOIN stock", "JOIN stock")),
            "only_products_reserved": edited(oracle, ("LEFT JOIN held", "JOIN held")),
            "at_the_reorder_point": edited(oracle, (bound, bound.replace("<", "<="))),
            "reservations_of_any_status": edited(
                oracle, (f"  WHERE status = '{world.held}' ", "  ")
            ),
            "never_negative": edited(oracle, (shown, never_negative)),
            "reserved_only_where_in_stock": WHERE_BOTH_ARE.format(held=world.held),
            "equal_stock_once": edited(
                oracle, ("SUM(units) AS units FROM inv", "SUM(DISTINCT units) AS units FROM inv")
            ),
            "equal_reservations_once": edited(
                oracle, ("SUM(units) AS units FROM res", "SUM(DISTINCT units) AS units FROM res")
            ),
            "reservations_forgotten": edited(
                oracle,
                (shown, "SELECT p.product_id, COALESCE(s.units, 0)"),
                (bound, "WHERE COALESCE(s.units, 0) < p.reorder_point"),
            ),
        },
    )


def solve(world: World) -> tuple[Row, ...]:
    """The right answer, from the rows alone."""
    available: Counter[int] = Counter()
    for stock in world.inventory:
        available[stock.product_id] += stock.units
    for one in world.reservations:
        if one.status == world.held:
            available[one.product_id] -= one.units
    return tuple(
        (one.product_id, available[one.product_id])
        for one in world.products
        if available[one.product_id] < one.reorder_point
    )


def _world(rng: Random) -> World:
    (held,), gone = words(rng, HELD, 1), words(rng, LET_GO, rng.randint(2, 3))
    names = words(rng, PLACES, rng.randint(3, 5))
    warehouses = numbered(rng, Warehouse, [(name,) for name in names])
    cases = [*_planted(rng, held, gone), *(_any(rng, held, gone) for _ in range(rng.randint(3, 7)))]
    products = numbered(rng, lambda key, at: (key, at), [(at,) for at in range(len(cases))])
    inventory, reservations = [], []
    for key, at in products:
        places = rng.sample([one.warehouse_id for one in warehouses], len(warehouses))
        for place, units in zip(places, cases[at].stock, strict=False):
            inventory.append(Stock(key, place, units))
        for nth, (units, status) in enumerate(cases[at].reserved):
            # The last of several is in a warehouse that has none of it.
            place = places[-1] if nth and nth == len(cases[at].reserved) - 1 else places[0]
            reservations.append((key, place, units, status))
    return World(
        [Product(key, cases[at].reorder_point) for key, at in products],
        warehouses,
        shuffled(rng, inventory),
        numbered(rng, Reservation, reservations),
        held,
    )


def _planted(rng: Random, held: str, gone: list[str]) -> list[Case]:
    """A product for each thing that is easily got wrong; at most two warehouses have any of it."""
    low, some = rng.randint(5, 15), rng.randint(3, 9)
    return [
        Case(low, [], [(some, held)]),
        Case(low, [], []),
        Case(low + 20, [low], []),
        Case(low, [low + some], [(some, held)]),  # just at its reorder point
        Case(low, [some], [(some + rng.randint(1, 9), held)]),  # negative
        Case(low, [low + some], [(2 * some, gone[0])]),  # enough, unless what is let go counts
        Case(2 * low + some, [low, low], [(2, held), (2, held)]),
        Case(low, [low + some, 1], [(2, held), (some, held)]),
        Case(low, [low + 5 * some, some], [(1, held), (some, gone[1])]),  # enough
    ]


def _any(rng: Random, held: str, gone: list[str]) -> Case:
    stock = [rng.randint(0, 40) for _ in range(rng.randint(0, 2))]
    statuses = rng.choices([held, held, *gone], k=rng.randint(0, 3))
    return Case(rng.randint(5, 30), stock, [(rng.randint(1, 15), one) for one in statuses])


FAMILY = Family("inventory_shortages", 1, draft)
