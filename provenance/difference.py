"""The proof that two saved datasets differ in their references alone.

Read by the Arrow files that each declares, batch by batch, whatever library wrote them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa

from provenance.errors import ProvenanceError
from provenance.extraction.corpus_files import arrow_batches, declared_files

LISTS = "groundtruth_sqls"
_LONGEST = 60


@dataclass(slots=True)
class Difference:
    """What was compared; ``first`` names the first thing other than references that differs."""

    rows: int = 0
    columns: int = 0
    references_before: int = 0
    references_after: int = 0
    lists_changed: int = 0
    first: str | None = None

    @property
    def holds(self) -> bool:
        """Whether nothing but references differs."""
        return self.first is None


def difference(old: Path, new: Path) -> Difference:
    """Compare two datasets saved to disk; raises `ProvenanceError` where one cannot be read."""
    found = Difference()
    one, other = _Saved(old), _Saved(new)
    found.columns = len(one.schema.names)
    found.first = _schemas(one, other)
    if found.first is not None:
        return found
    if LISTS not in one.schema.names:
        raise ProvenanceError(f"{old}: no column {LISTS!r}; there are: {one.schema.names}")
    for row, pair in enumerate(zip_longest(one.rows(), other.rows())):
        found.rows = row + 1
        found.first = _compare(found, row, *pair)
        if found.first is not None:
            break
    return found


class _Saved:
    """A dataset saved to disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._files = declared_files(path)
            info = json.loads((path / "dataset_info.json").read_text(encoding="utf-8"))
            state = json.loads((path / "state.json").read_text(encoding="utf-8"))
            self.schema = next(self._batches()).schema
        except (
            OSError,
            ValueError,
            KeyError,
            TypeError,
            StopIteration,
            pa.ArrowException,
        ) as error:
            first = str(error).partition("\n")[0] or "it has no rows"
            raise ProvenanceError(
                f"{path} cannot be read as a dataset saved to disk: {first}"
            ) from None
        self.features = info.get("features")
        self.split = state.get("_split")

    def _batches(self) -> Iterator[pa.RecordBatch]:
        for file in self._files:
            yield from arrow_batches(file)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every row, in order."""
        for batch in self._batches():
            yield from batch.to_pylist()

    @property
    def types(self) -> list[tuple[str, str]]:
        """The columns in order, with their types."""
        return [(field.name, str(field.type)) for field in self.schema]


def _schemas(one: _Saved, other: _Saved) -> str | None:
    if one.types != other.types:
        pairs = zip_longest(one.types, other.types)
        first = next((ours, theirs) for ours, theirs in pairs if ours != theirs)
        return f"columns differ: {first[0]} in OLD, {first[1]} in NEW"
    if one.features != other.features:
        return "the declared features differ (dataset_info.json)"
    if one.split != other.split:
        return f"the split is {one.split!r} in OLD and {other.split!r} in NEW"
    return None


def _compare(
    found: Difference, row: int, old: dict[str, Any] | None, new: dict[str, Any] | None
) -> str | None:
    """What of a row differs other than its references."""
    if old is None or new is None:
        return f"row {row}: {'OLD' if old is None else 'NEW'} has only {row} rows"
    for name, value in old.items():
        if name != LISTS and not _same(value, new[name]):
            return f"row {row}: {name!r} is {_shown(value)} in OLD and {_shown(new[name])} in NEW"
    before, after = old[LISTS] or [], new[LISTS] or []
    found.references_before += max(0, len(before) - 1)
    found.references_after += max(0, len(after) - 1)
    found.lists_changed += before != after
    if before[:1] != after[:1] or (old[LISTS] is None) != (new[LISTS] is None):
        gold = [_shown(one[0]) if one else "none" for one in (before, after)]
        return f"row {row}: the gold is {gold[0]} in OLD and {gold[1]} in NEW"
    return None


def _same(one: Any, other: Any) -> bool:
    """Equal; a REAL that is no number is itself."""
    return one == other or repr(one) == repr(other)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
