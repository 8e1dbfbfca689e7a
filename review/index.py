"""The pairs of a build in memory: what a person chooses by, and the text that is searched.

Everything else of a pair is read from its shard when it is looked at. A row's number is its place
in the order of the shards; it holds as long as this index does.
"""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from pairset.build import Build
from pairset.store import Store
from review.errors import NothingToSee
from review.facets import Facet, Mask, facet

NOT_AUDITED, NO_LABEL, NO_FLAG, NO_OPERATOR = "not audited", "no label", "none", "none"
WORD, WORDS = 16, 4
"""A pair's id, 64 hexadecimal digits, is kept as four numbers of 16 digits each."""

_PAIRS = (
    "pair_id", "gold_id", "gold_sql", "neighbor_sql", "question", "mutation_class", "operator",
    "order", "generator",
)  # fmt: skip


class Place(NamedTuple):
    """Where a row lies: its shard, and its position in it."""

    dataset: str
    db_id: str
    position: int


@dataclass(frozen=True, slots=True)
class Index:
    """All pairs, by row number. ``golds`` has the text and question of each gold once."""

    shards: list[tuple[str, str]]
    starts: NDArray[np.int64]
    rows: int
    golds: pl.DataFrame
    gold_of: NDArray[np.uint32]
    neighbors: pl.Series
    ids: NDArray[np.uint64]
    by_id: NDArray[np.uint32]
    facets: dict[str, Facet]

    def place(self, row: int) -> Place:
        """Where a row lies on disk."""
        shard = int(np.searchsorted(self.starts, row, side="right")) - 1
        return Place(*self.shards[shard], row - int(self.starts[shard]))

    def id_of(self, row: int) -> str:
        """The id of the pair in a row."""
        return "".join(f"{word:016x}" for word in self.ids[:, row].tolist())

    def row_of(self, pair_id: str) -> int | None:
        """The row of a pair, or None where there is none of that id."""
        words = _words(pair_id)
        if words is None:
            return None
        first = self.ids[0]
        low, high = (
            int(np.searchsorted(first, words[0], side=side, sorter=self.by_id)) for side in _SIDES
        )
        same = (int(row) for row in self.by_id[low:high])
        return next((row for row in same if (self.ids[:, row] == words).all()), None)

    def has_text(self, text: str) -> Mask:
        """Which pairs have ``text`` in one of their queries; ASCII letters in either case."""
        in_golds = _contains(self.golds.get_column("gold_sql"), text)[self.gold_of]
        return in_golds | _contains(self.neighbors, text)


def _contains(column: pl.Series, text: str) -> Mask:
    found: Mask = column.str.contains_any([text], ascii_case_insensitive=True).to_numpy()
    return found


_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


def _words(pair_id: str) -> NDArray[np.uint64] | None:
    """A pair's id as numbers, or None for what is no id."""
    if not re.fullmatch(r"[0-9a-f]{64}", pair_id):
        return None
    cut = range(0, WORD * WORDS, WORD)
    return np.array([int(pair_id[at : at + WORD], 16) for at in cut], dtype=np.uint64)


def load(build: Build) -> Index:
    """Read the small columns of every shard; `NothingToSee` where there are no pairs."""
    try:
        return _load(build)
    finally:
        pa.default_memory_pool().release_unused()


def _load(build: Build) -> Index:
    shards = [(dataset, db_id) for _, dataset, db_id in build.store.places("pairs")]
    read = [_shard(build.store, *place) for place in shards]
    heights = [len(shard.neighbors) for shard in read]
    if not sum(heights):
        raise NothingToSee(f"there are no pairs in {build.root}; make them with: pairset run")
    golds_before = np.cumsum([0, *(shard.golds.height for shard in read)], dtype=np.uint32)
    ids = np.concatenate([shard.ids for shard in read], axis=1)
    return Index(
        shards=shards,
        starts=np.cumsum([0, *heights[:-1]], dtype=np.int64),
        rows=sum(heights),
        golds=pl.concat([shard.golds for shard in read]).rechunk(),
        gold_of=np.concatenate(
            [shard.gold_of + before for shard, before in zip(read, golds_before[:-1], strict=True)]
        ),
        neighbors=pl.concat([shard.neighbors for shard in read]).rechunk(),
        ids=ids,
        by_id=np.argsort(ids[0], kind="stable").astype(np.uint32),
        facets=_facets(pl.concat([shard.small for shard in read])),
    )


class _Shard(NamedTuple):
    """One database's part of the index."""

    golds: pl.DataFrame
    gold_of: NDArray[np.uint32]
    neighbors: pl.Series
    ids: NDArray[np.uint64]
    small: pl.DataFrame


def _shard(store: Store, dataset: str, db_id: str) -> _Shard:
    pairs = pl.DataFrame(store.read("pairs", dataset, db_id, columns=_PAIRS))
    # Rows are sorted by gold, so that a gold begins where its id changes.
    gold_id = pairs.get_column("gold_id")
    first = (gold_id != gold_id.shift()).fill_null(True)
    return _Shard(
        golds=_compact(pairs.filter(first).select("gold_sql", "question")),
        gold_of=(first.cast(pl.UInt32).cum_sum() - 1).cast(pl.UInt32).to_numpy(),
        neighbors=pairs.get_column("neighbor_sql"),
        ids=_ids(pairs.get_column("pair_id")),
        small=_small(store, pairs, dataset, db_id),
    )


def _compact(frame: pl.DataFrame) -> pl.DataFrame:
    """The same rows on their own: a filtered column would keep all the texts it was taken from."""
    return pl.DataFrame(frame.to_dict(as_series=False), schema=frame.schema)


def _small(store: Store, pairs: pl.DataFrame, dataset: str, db_id: str) -> pl.DataFrame:
    """What there is to choose by, a column each; texts that repeat are kept once."""
    labels = _beside(store, ("labels", dataset, db_id), ("label", "exec_flags"))
    audit = _beside(store, ("audit", dataset, db_id), ("provenance_check",))
    flags = pl.col("exec_flags").cast(pl.List(pl.String)).list.join("+").fill_null("")
    found = (
        pairs.select("pair_id", "mutation_class", "operator", "order", "generator")
        .join(labels, on="pair_id", how="left", validate="1:1", maintain_order="left")
        .join(audit, on="pair_id", how="left", validate="1:1", maintain_order="left")
        .with_columns(
            dataset=pl.lit(dataset),
            database=pl.lit(f"{dataset}/{db_id}"),
            operator=pl.col("operator").fill_null("").replace({"": NO_OPERATOR}),
            order=pl.col("order").cast(pl.String).fill_null(NO_OPERATOR),
            label=pl.col("label").fill_null(NO_LABEL),
            flag=pl.when(flags == "").then(pl.lit(NO_FLAG)).otherwise(flags),
            provenance=pl.col("provenance_check").fill_null(NOT_AUDITED),
        )
    )
    return found.select(pl.col(*CHOICES.values()).cast(pl.Categorical))


def _beside(store: Store, place: tuple[str, str, str], columns: tuple[str, ...]) -> pl.DataFrame:
    """Columns of a table that the build may not have, by pair."""
    if store.path(*place).exists():
        return pl.DataFrame(store.read(*place, columns=("pair_id", *columns)))
    lists = {"exec_flags": pl.List(pl.String)}
    schema = {"pair_id": pl.String} | {name: lists.get(name, pl.String) for name in columns}
    return pl.DataFrame(schema=schema)


def _ids(pair_ids: pl.Series) -> NDArray[np.uint64]:
    cut = range(0, WORD * WORDS, WORD)
    words = (pair_ids.str.slice(at, WORD).str.to_integer(base=16, dtype=pl.UInt64) for at in cut)
    return np.stack([word.to_numpy() for word in words])


_PARTED = {"flag": "+", "operator": "+"}
CHOICES = {
    "label": "label", "class": "mutation_class", "operator": "operator", "order": "order",
    "generator": "generator", "dataset": "dataset", "database": "database",
    "provenance": "provenance", "flag": "flag",
}  # fmt: skip
"""What a pair can be chosen by, as the page's address names it, and the column it is."""


def _facets(pairs: pl.DataFrame) -> dict[str, Facet]:
    return {
        name: facet(name, pairs.get_column(column), _PARTED.get(name))
        for name, column in CHOICES.items()
    }
