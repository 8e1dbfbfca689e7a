"""Two small families of our own, so that the environment is tested without the real ones."""

from random import Random

from investigation.instance import Instance, Row, Table, Trap
from investigation.tasks import World

STATUSES = ("paid", "settled", "closed")
DDL = "CREATE TABLE sales(sale_id INTEGER PRIMARY KEY, item TEXT NOT NULL, cents INTEGER, status TEXT NOT NULL)"
COLUMNS = ("sale_id", "item", "cents", "status")
ITEMS = ("apple", "bread", "cheese", "dates")


def draw(family: str, seed: int) -> Instance:
    """The total (``totals``) or the mean in whole units (``means``) of each item's counted sales."""
    rng = Random(f"{family}/{seed}")
    done, open_ = rng.sample(STATUSES, 2)
    rows: list[Row] = []
    for item in ITEMS:
        for number in range(rng.randint(3, 6)):
            status = done if number else open_
            rows.append((len(rows) + 1, item, rng.randint(100, 10**9), status))
    formula = {"totals": "SUM(cents)", "means": "AVG(cents / 7.0)"}[family]
    expected = tuple(_answer(family, item, rows, done) for item in ITEMS)
    oracle = f"SELECT item, {formula} FROM sales WHERE status = '{done}' GROUP BY item"
    return Instance(
        family=family,
        seed=seed,
        instruction=f"Give each item's {family} over sales with status '{done}'.",
        tables=(Table("sales", DDL, COLUMNS, tuple(rows)),),
        columns=("item", family),
        expected=expected,
        oracle_sql=oracle,
        traps=(Trap("any_status", f"SELECT item, {formula} FROM sales GROUP BY item"),),
    )


def _answer(family: str, item: str, rows: list[Row], done: str) -> Row:
    cents = [int(row[2] or 0) for row in rows if row[1] == item and row[3] == done]
    return (item, sum(cents) if family == "totals" else sum(cents) / 7 / len(cents))


WORLD = World(("totals", "means"), draw)


def literal(rows: tuple[Row, ...]) -> str:
    """A constant query that gives ``rows``."""
    return "VALUES " + ", ".join(f"({', '.join(map(_sql, row))})" for row in rows)


def _sql(cell: object) -> str:
    if cell is None:
        return "NULL"
    return (
        repr(cell) if isinstance(cell, (int, float)) else "'" + str(cell).replace("'", "''") + "'"
    )
