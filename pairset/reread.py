"""A sample of the mutants read again from their own text, and held against what is in the table.

What is known of a mutant comes from its gold's reading, patched where the edit is. One in `EVERY`
is read from its text as well, as a reference is. Which ones hangs on the pair's id alone: the same
ones on every machine, others with every other query.
"""

from collections.abc import Iterable, Iterator

import polars as pl

from pairset.neighbors import GRAMMAR, Neighbor, Serving
from pairset.rows import Sample
from sqltext.classify import aspects
from sqltext.errors import NotAQuery
from sqltext.facts import Reading, read
from sqltext.features import Features
from sqltext.schema import Schema

EVERY = 400
_DIGITS = 8  # of the pair's id, read as a number

Made = Iterable[tuple[Neighbor, tuple[str, tuple[str, ...]]]]
"""Neighbours, each with its pair's id and what sets it apart from its gold."""


class Misread(Exception):
    """A mutant's own text says something else than the row that was made of it: a fault of ours."""


def is_sampled(pair_id: str) -> bool:
    """Whether that pair's mutant is read again.

    >>> is_sampled("0000018f" + "0" * 56), is_sampled("00000190" + "f" * 56)
    (False, True)
    """
    return int(pair_id[:_DIGITS], 16) % EVERY == 0


def count_sampled(pairs: pl.DataFrame) -> int:
    """How many of the pairs of a finished build were read again; ``pairs`` has their ids."""
    number = pl.col("pair_id").str.slice(0, _DIGITS).str.to_integer(base=16)
    return pairs.filter((pl.col("generator") == GRAMMAR) & (number % EVERY == 0)).height


def check_sample(gold: Serving, made: Made, schema: Schema) -> None:
    """Read the sampled mutants of one gold again; raises `Misread` at the first that differs."""
    for neighbor, (pair_id, said) in made:
        if neighbor.mutant is None or not is_sampled(pair_id):
            continue
        if differs := _difference(gold.facts.features, neighbor, said, schema):
            raise Misread(_message(gold.samples[0], neighbor, differs))


def _difference(
    gold: Features, neighbor: Neighbor, said: tuple[str, ...], schema: Schema
) -> str | None:
    """What the mutant's text says otherwise, or None where it says the same."""
    try:
        fresh = read(neighbor.sql, schema)
    except NotAQuery as error:
        return f"its text does not parse ({error.reason}: {error})"
    differs = [*_unlike(neighbor.facts, fresh)]
    if said != aspects(gold, fresh.features):
        differs.append("mutation_aspects")
    return f"its text gives another {', '.join(differs)}" if differs else None


def _unlike(ours: Reading, fresh: Reading) -> Iterator[str]:
    """The parts of two readings that differ, by name."""
    for part in Reading._fields:
        if part != "features" and getattr(ours, part) != getattr(fresh, part):
            yield part
    for part in Features._fields:
        if getattr(ours.features, part) != getattr(fresh.features, part):
            yield f"features.{part}"


def _message(sample: Sample, neighbor: Neighbor, differs: str) -> str:
    operator = neighbor.mutant and neighbor.mutant.operator
    return (
        f"{sample.dataset}/{sample.db_id}: a mutant of {operator} was misread: {differs}. Nothing "
        f"of this database was written. This is a fault of pairset; please report it with these "
        f"two queries: gold {sample.gold_sql!r}, mutant {neighbor.sql!r}"
    )
