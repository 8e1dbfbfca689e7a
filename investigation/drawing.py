"""What the families draw with: ids, words, days, exact rounding, and edits of a query."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import TypeVar

from investigation.instance import Row, Table

T = TypeVar("T")

NEAR_TIE = Fraction(1, 10**7)
"""How near a value may not come to where rounding turns: float arithmetic could flip a digit."""


class Unfit(Exception):
    """A draw that makes no good task; its text is a short reason that is counted."""


def ids(rng: Random, count: int) -> list[int]:
    """So many distinct ids from anywhere, rising, not dense."""
    first = rng.randint(1, 400)
    return sorted(rng.sample(range(first, first + 3 * count), count))


def numbered(rng: Random, kind: Callable[..., T], rows: Iterable[tuple[object, ...]]) -> list[T]:
    """``rows`` in a random order, each made a ``kind`` with an id before the rest.

    So an id says nothing of what a row was planted for.
    """
    mixed = shuffled(rng, rows)
    return [kind(key, *row) for key, row in zip(ids(rng, len(mixed)), mixed, strict=True)]


def shuffled(rng: Random, items: Iterable[T]) -> list[T]:
    """``items`` in a random order."""
    return rng.sample(kept := list(items), len(kept))


def words(rng: Random, pool: str, count: int) -> list[str]:
    """So many distinct words of ``pool``."""
    return rng.sample(pool.split(), count)


def a_day(rng: Random) -> date:
    """A day between 2018 and 2031."""
    return date(2018, 1, 1) + timedelta(days=rng.randrange(5000))


def after(day: date, days: int) -> str:
    """The day ``days`` after ``day`` (before it, where that is negative), as SQLite writes it."""
    return (day + timedelta(days=days)).isoformat()


def rounded(value: Fraction, digits: int) -> float:
    """``value`` to so many decimals, half away from zero; raises Unfit where it is near a tie.

    >>> rounded(Fraction(2, 3), 4), rounded(Fraction(-34, 3), 3)
    (0.6667, -11.333)
    """
    scale = 10**digits
    scaled = abs(value) * scale
    whole = int(scaled)
    if abs(scaled - whole - Fraction(1, 2)) < NEAR_TIE * scale:
        raise Unfit("near_tie")
    whole += scaled - whole > Fraction(1, 2)
    return float(Fraction(whole if value >= 0 else -whole, scale))


def edited(sql: str, *edits: tuple[str, str]) -> str:
    """``sql`` with each text that stands in it once replaced; a ValueError where one does not.

    >>> edited("SELECT MAX(a) FROM t", ("MAX", "MIN"))
    'SELECT MIN(a) FROM t'
    """
    for old, new in edits:
        if sql.count(old) != 1:
            raise ValueError(f"{old!r} stands {sql.count(old)} times in {sql!r}")
        sql = sql.replace(old, new)
    return sql


def table(ddl: str, rows: Sequence[Row]) -> Table:
    """A table of that DDL; its name and its columns are read off the text.

    >>> table("CREATE TABLE t(a INTEGER, b TEXT, PRIMARY KEY(a, b))", [(1, "x")]).columns
    ('a', 'b')
    """
    name, _, body = ddl.removeprefix("CREATE TABLE ").partition("(")
    parts = [part.strip() for part in body.removesuffix(")").split("PRIMARY KEY(")[0].split(",")]
    columns = tuple(part.split()[0] for part in parts if part)
    return Table(name, ddl, columns, tuple(map(tuple, rows)))


def tables(ddl: str, *rows: Sequence[Row]) -> tuple[Table, ...]:
    """The tables of a script with one CREATE TABLE an entry, each with its rows."""
    texts = [" ".join(text.split()) for text in ddl.split(";") if text.strip()]
    return tuple(table(text, held) for text, held in zip(texts, rows, strict=True))
