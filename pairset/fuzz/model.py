"""A database being made: its tables as columns of values, their keys, and whom they refer to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from db_execution.cells import Cell
from pairset.fuzz.literals import At
from pairset.fuzz.values import INTEGER, NUMERIC, REAL, kind_of
from pairset.scores.constraints import target_of
from sqltext.lexer import fold
from sqltext.schema import Schema, TableSchema


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key by folded names: own columns, the table referred to, and its columns."""

    own: tuple[str, ...]
    table: str
    other: tuple[str, ...]


@dataclass(slots=True)
class Table:
    """A table's columns by folded name, all of one length; not filled columns are not there."""

    schema: TableSchema
    rows: int
    references: tuple[Reference, ...]
    columns: dict[str, list[Cell]] = field(default_factory=dict)

    @property
    def keys(self) -> tuple[frozenset[str], ...]:
        """Its keys by folded names."""
        return self.schema.keys

    def is_unique(self, column: str) -> bool:
        """Whether the column alone is a key."""
        return frozenset((column,)) in self.keys

    def in_key(self, column: str) -> bool:
        """Whether the column is in a key."""
        return any(column in key for key in self.keys)

    def may_be_null(self, column: str) -> bool:
        """Whether NULL is declared to be allowed, and leads to no NULL in a key."""
        at = self.schema.folded[column]
        return not self.schema.not_null[at] and not self.in_key(column)

    def free(self) -> Iterator[str]:
        """The columns that are in no foreign key."""
        bound = {column for reference in self.references for column in reference.own}
        yield from (column for column in self.schema.folded if column not in bound)

    def tuples(self, columns: tuple[str, ...]) -> list[tuple[Cell, ...]]:
        """The rows, cut down to some columns."""
        return list(zip(*(self.columns[column] for column in columns), strict=True))

    def keep(self, kept: list[int]) -> None:
        """Take away every row but these."""
        for name, values in self.columns.items():
            self.columns[name] = [values[at] for at in kept]
        self.rows = len(kept)


Tables = dict[str, Table]


def tables_of(schema: Schema, names: set[str], rows: int) -> Tables:
    """The tables of those names, unfilled; those that refer to others get twice the rows."""
    found: Tables = {}
    for name, table in schema.tables.items():
        if name in names:
            references = tuple(_references(table, schema, names))
            found[name] = Table(table, rows * (2 if references else 1), references)
    return found


def _references(table: TableSchema, schema: Schema, names: set[str]) -> Iterator[Reference]:
    """The foreign keys that can be kept: those to a table and columns that are there."""
    for own, name, columns in table.foreign_keys:
        other = schema.table(name)
        target = tuple(fold(column) for column in target_of(other, columns))
        mine = tuple(fold(column) for column in own)
        is_whole = other is not None and all(column in other.folded for column in target)
        if is_whole and fold(name) in names and len(mine) == len(target):
            reference = Reference(mine, fold(name), target)
            if reference.own != reference.other or reference.table != fold(table.name):
                yield reference


def classes(tables: Tables, equal: Iterator[tuple[At, At]]) -> dict[At, At]:
    """The columns that hold values of one kind, by one of them: equalities and foreign keys."""
    parent: dict[At, At] = {}

    def root(at: At) -> At:
        while parent.get(at, at) != at:
            at = parent[at]
        return at

    pairs = list(equal)
    for name, table in tables.items():
        for one in table.references:
            for mine, theirs in zip(one.own, one.other, strict=True):
                pairs.append(((name, mine), (one.table, theirs)))
    for left, right in pairs:
        first, second = sorted((root(left), root(right)))
        parent[second] = first
    return {
        (name, column): root((name, column))
        for name in tables
        for column in tables[name].schema.folded
    }


_NARROW = (INTEGER, REAL, NUMERIC)


def kinds(tables: Tables) -> dict[At, str]:
    """What each column holds: by its type, or the narrowest of those it shares foreign keys with.

    So a text that whole numbers refer to holds digits.
    """
    own = {
        (name, column): kind_of(table.schema.types[at])
        for name, table in tables.items()
        for column, at in table.schema.folded.items()
    }
    shared: dict[At, set[str]] = {}
    root = classes(tables, iter(()))
    for at, kind in own.items():
        shared.setdefault(root[at], set()).add(kind)
    return {
        at: next((narrow for narrow in _NARROW if narrow in shared[root[at]]), kind)
        for at, kind in own.items()
    }
