"""Filling the columns of a database: pools for free ones, the parents' values for foreign keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from db_execution.cells import Cell
from pairset.fuzz.literals import At
from pairset.fuzz.model import Reference, Table, Tables
from pairset.fuzz.values import INTEGER, fresh, holds_text

_FRESH = 8  # random values in a pool
_OF_GOLDS, _OF_ORIGINALS = 0.5, 0.3  # of the draws, where there are such values; else random ones
_PARENTS = 0.75  # of the parents have children: the others are without partner
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Pool:
    """What a column draws from: what golds compare it with, and what the original has."""

    of_golds: tuple[Cell, ...] = ()
    of_originals: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Filling:
    """The tables that are filled, and what with; ``base`` sets the columns' numbers apart."""

    tables: Tables
    pools: Mapping[At, Pool]
    kinds: Mapping[At, str]
    rng: Random
    null_rate: float
    _fresh: dict[At, list[Cell]] = field(default_factory=dict)

    def fill(self) -> None:
        """Fill every column; foreign keys after what they refer to, cycles broken anywhere."""
        for name, table in self.tables.items():
            for column in table.free():
                self._free(name, table, column)
        todo = [(name, r) for name, table in self.tables.items() for r in table.references]
        while todo:
            ready = [one for one in todo if self._is_ready(one[1])]
            for name, reference in ready or todo[:1]:
                if not ready:  # it refers to itself in the end: begin with any values
                    self._begin(reference)
                self._refer(self.tables[name], reference)
            done = ready or todo[:1]
            todo = [one for one in todo if one not in done]

    def draw(self, name: str, column: str) -> Cell:
        """A value for a column that is in no foreign key and need not be unique."""
        table = self.tables[name]
        if table.may_be_null(column) and self.rng.random() < self.null_rate:
            return None
        return self._drawn(name, column)

    def _is_ready(self, reference: Reference) -> bool:
        return all(c in self.tables[reference.table].columns for c in reference.other)

    def _begin(self, reference: Reference) -> None:
        for column in reference.other:
            if column not in self.tables[reference.table].columns:
                self._free(reference.table, self.tables[reference.table], column)

    def _free(self, name: str, table: Table, column: str) -> None:
        if table.is_unique(column):
            table.columns[column] = self._distinct(name, column, table.rows)
        else:
            table.columns[column] = [self.draw(name, column) for _ in range(table.rows)]

    def _drawn(self, name: str, column: str) -> Cell:
        pool = self.pools.get((name, column), Pool())
        chance = self.rng.random()
        if pool.of_golds and chance < _OF_GOLDS:
            return self.rng.choice(pool.of_golds)
        if pool.of_originals and chance < _OF_GOLDS + _OF_ORIGINALS:
            return self.rng.choice(pool.of_originals)
        if (name, column) not in self._fresh:
            self._fresh[name, column] = [self._random(name, column) for _ in range(_FRESH)]
        return self.rng.choice(self._fresh[name, column])

    def _random(self, name: str, column: str) -> Cell:
        """A random value; a column with text where its type says number keeps to what it has."""
        pool = self.pools.get((name, column), Pool())
        value = fresh(self.kinds[name, column], self.rng, self._base(name, column))
        if holds_text(pool.of_originals) and not isinstance(value, str):
            return self.rng.choice(pool.of_originals)
        return value

    def _base(self, name: str, column: str) -> int:
        return 20 * (1 + self.tables[name].schema.folded[column])

    def _distinct(self, name: str, column: str, count: int) -> list[Cell]:
        """Different values: the golds' first, then numbers from 1 on, or the column's own."""
        pool = self.pools.get((name, column), Pool())
        found = dict.fromkeys(self.rng.sample(pool.of_golds, min(count // 2, len(pool.of_golds))))
        if self.kinds[name, column] == INTEGER:
            found |= dict.fromkeys(range(1, count + len(found) + 1))
        else:
            found |= dict.fromkeys(pool.of_originals)
            for _ in range(_TRIES * count):
                if len(found) >= count:
                    break
                found[self._random(name, column)] = None
        values = list(found)[:count]
        self.rng.shuffle(values)
        return values + [None] * (count - len(values))  # rows without a key go in the end

    def _refer(self, table: Table, reference: Reference) -> None:
        """Fill own columns from the parents' rows; where some are filled already, to match them."""
        parents = sorted(set(self.tables[reference.table].tuples(reference.other)), key=repr)
        parents = [one for one in parents if None not in one]
        given = {at: c for at, c in enumerate(reference.own) if c in table.columns}
        before = {at: list(table.columns[c]) for at, c in given.items()}
        chosen = self._chosen(table, reference, parents)
        for at, column in enumerate(reference.own):
            table.columns[column] = [row[at] for row in chosen]
        for row in range(table.rows):
            if given:
                self._match(
                    table, reference, parents, (row, {a: v[row] for a, v in before.items()})
                )

    def _chosen(
        self, table: Table, reference: Reference, parents: list[tuple[Cell, ...]]
    ) -> list[tuple[Cell, ...]]:
        """A parent for every row, none twice where the own columns are a key."""
        none: tuple[Cell, ...] = (None,) * len(reference.own)
        if not parents:
            return [none] * table.rows
        if frozenset(reference.own) in table.keys:
            drawn = self.rng.sample(parents, min(table.rows, len(parents)))
            return drawn + [none] * (table.rows - len(drawn))
        used = self.rng.sample(parents, max(1, int(len(parents) * _PARENTS)))
        nullable = all(table.may_be_null(column) for column in reference.own)
        return [
            none
            if nullable and self.rng.random() < self.null_rate
            else used[int(len(used) * self.rng.random() ** 1.5)]  # some have many, some few
            for _ in range(table.rows)
        ]

    def _match(
        self,
        table: Table,
        reference: Reference,
        parents: list[tuple[Cell, ...]],
        row: tuple[int, dict[int, Cell]],
    ) -> None:
        at, given = row
        fit = [one for one in parents if all(one[a] == value for a, value in given.items())]
        chosen = self.rng.choice(fit) if fit else None
        for place, column in enumerate(reference.own):
            value = given.get(place) if chosen is None else chosen[place]
            table.columns[column][at] = value
