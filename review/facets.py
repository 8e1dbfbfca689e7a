"""Small columns as numbers: each row a code, each code one or more values to choose it by."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Codes = NDArray[np.unsignedinteger]


@dataclass(slots=True)
class Facet:
    """One column to choose by. ``members[value]`` are the codes of the rows that have the value.

    A column of lists has one code for each list that occurs, so a row is one number all the same.
    """

    name: str
    codes: Codes
    members: dict[str, tuple[int, ...]]
    texts: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many codes there are."""
        return len(self.texts)

    def text(self, row: int) -> str:
        """What the column says in a row."""
        return self.texts[int(self.codes[row])]

    def mask(self, value: str) -> Mask:
        """Which rows have ``value``; none where no row has."""
        wanted = np.zeros(self.size, dtype=np.bool_)
        wanted[list(self.members.get(value, ()))] = True
        found: Mask = wanted[self.codes]
        return found

    def counts(self, mask: Mask | None) -> list[tuple[str, int]]:
        """How many of the chosen rows have each value; values that none has are left out."""
        codes = self.codes if mask is None else self.codes[mask]
        tally = np.bincount(codes, minlength=self.size)
        counted = ((value, int(tally[list(at)].sum())) for value, at in self.members.items())
        return [(value, count) for value, count in counted if count]


def facet(name: str, column: pl.Series, parted_by: str | None = None) -> Facet:
    """The facet of a text column; a text is cut at ``parted_by`` into several values."""
    texts = sorted(column.unique().cast(pl.String).to_list())
    codes = column.cast(pl.String).cast(pl.Enum(texts)).to_physical().to_numpy()
    members: dict[str, list[int]] = {}
    for code, text in enumerate(texts):
        for value in dict.fromkeys(text.split(parted_by) if parted_by else [text]):
            members.setdefault(value, []).append(code)
    ordered = {value: tuple(members[value]) for value in sorted(members)}
    return Facet(name, codes, ordered, tuple(texts))


def fixed(name: str, codes: Codes, values: Sequence[str]) -> Facet:
    """A facet whose codes may change: ``values`` are all that there can be."""
    return Facet(name, codes, {value: (at,) for at, value in enumerate(values)}, tuple(values))
