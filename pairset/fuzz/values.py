"""Values for a column: what fits its declared type, what lies beside a constant, random ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from random import Random

from db_execution.cells import Cell
from mutants.families import TIME, family_of_type
from pairset.fuzz.literals import LIKE, Value
from pairset.scores.constraints import affinity

INTEGER, REAL, NUMERIC, TEXT, BLOB = "INTEGER", "REAL", "NUMERIC", "TEXT", "BLOB"
DATE, MOMENT, CLOCK = "DATE", "MOMENT", "CLOCK"

_SYLLABLES = ("ba", "do", "ke", "li", "mo", "nu", "pe", "ra", "si", "to", "va", "ze")
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(.*)\Z", re.DOTALL)
_FIRST_DAY = date(1990, 1, 1)
_BIG = 2**62


def kind_of(declared: str) -> str:
    """What a column of that declared type holds: an affinity of SQLite's, or a kind of time.

    >>> [kind_of(t) for t in ("int", "VARCHAR(9)", "date", "TIMESTAMP", "year", "decimal(5,2)")]
    ['INTEGER', 'TEXT', 'DATE', 'MOMENT', 'INTEGER', 'NUMERIC']
    """
    if family_of_type(declared) != TIME:
        return affinity(declared)
    upper = declared.upper()
    if "DATE" in upper and "TIME" not in upper:
        return DATE
    if "YEAR" in upper or affinity(declared) == INTEGER:
        return INTEGER
    return MOMENT if "DATETIME" in upper or "STAMP" in upper else CLOCK


def fitting(value: Cell, kind: str, originals: Iterable[Cell]) -> Iterator[Cell]:
    """``value`` as a column of that kind may hold it: nothing, the value, or what is nearest.

    Where the original holds nothing but texts in a column of numbers, texts fit.
    """
    if isinstance(value, int | float) and not abs(value) < _BIG:
        return  # beyond what a column of whole numbers holds
    if kind in (INTEGER, REAL, NUMERIC) and holds_text(originals):
        yield value
    elif kind == INTEGER:
        yield from _whole(value)
    elif kind == REAL:
        yield from (float(number) for number in _numbers(value))
    elif kind == NUMERIC:
        yield from _numbers(value)
    elif kind == TEXT and not isinstance(value, bytes):
        yield value if isinstance(value, str) else _text(value)
    elif kind == BLOB or isinstance(value, str):
        yield value


def beside(value: Value, op: str) -> Iterator[Value]:
    """A constant and what lies next to it: less and more, other days, letters and endings."""
    if isinstance(value, str):
        yield from _texts(value, op)
    elif isinstance(value, int):
        if abs(value) < _BIG:
            yield from (value, value + 1, value - 1)
    else:
        yield from (value, value + 0.01, value - 0.01, float(round(value) + 1))


def satisfying(value: Value, op: str) -> Value:
    """A value for which ``value op constant`` holds.

    >>> satisfying(5, ">"), satisfying(5, "<="), satisfying("%ab%", "like"), satisfying("x", "=")
    (6, 5, 'ab', 'x')
    """
    if op == LIKE and isinstance(value, str):
        return core_of(value)
    step = {">": 1, "<": -1, "!=": 1, "<>": 1, "IS NOT": 1}.get(op, 0)
    if isinstance(value, str):
        if step and (day := _DAY.match(value)):
            return _moved(day, step) or value
        return value + "x" if step > 0 else value[:-1] if step < 0 else value
    return value + step


def core_of(pattern: str) -> str:
    """What a pattern matches when its wildcards stand for next to nothing."""
    return pattern.replace("%", "").replace("_", "a")


def fresh(kind: str, rng: Random, base: int) -> Cell:
    """A random value; columns with another ``base`` have other numbers."""
    if kind in (INTEGER, NUMERIC, BLOB):
        return base + rng.randrange(16)
    if kind == REAL:
        return base + rng.randrange(64) / 4
    day = _FIRST_DAY + timedelta(days=rng.randrange(12_000))
    clock = f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"
    times = {DATE: day.isoformat(), MOMENT: f"{day.isoformat()} {clock}", CLOCK: clock}
    return times.get(kind) or "".join(rng.choice(_SYLLABLES) for _ in range(3)).capitalize()


def _whole(value: Cell) -> Iterator[int]:
    """Integers: the number itself, or those on both sides of it."""
    for number in _numbers(value):
        if isinstance(number, int):
            yield number
        elif abs(number) < _BIG:
            yield from dict.fromkeys((int(number // 1), int(-(-number // 1))))


def _numbers(value: Cell) -> Iterator[int | float]:
    if isinstance(value, int | float):
        yield value
    elif isinstance(value, str):
        text = value.strip()
        if re.fullmatch(r"-?\d{1,18}", text):
            yield int(text)
        elif re.fullmatch(r"-?\d{1,18}\.\d{1,18}", text):
            yield float(text)


def _text(value: Cell) -> Cell:
    return repr(value) if isinstance(value, int | float) else value


def holds_text(originals: Iterable[Cell]) -> bool:
    """Whether a column holds texts and nothing else, whatever its type says."""
    found = [isinstance(value, str) for value in originals]
    return bool(found) and all(found)


def _texts(value: str, op: str) -> Iterator[str]:
    if day := _DAY.match(value):
        yield value
        yield from (moved for step in (1, -1) if (moved := _moved(day, step)))
        return
    core = core_of(value) if op == LIKE else value
    yield from dict.fromkeys((core, core.swapcase(), f"{core} b", f"A {core}"))
    if op == LIKE:
        yield from (f"A {core} b", core.upper())
    elif numbers := list(_numbers(value)):
        yield from (repr(number + step) for number in numbers for step in (1, -1))


def _moved(day: re.Match[str], step: int) -> str | None:
    """The day before or after, with whatever stands behind it."""
    try:
        return (date.fromisoformat(day[1]) + timedelta(days=step)).isoformat() + day[2]
    except (ValueError, OverflowError):
        return None
