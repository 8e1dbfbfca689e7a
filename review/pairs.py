"""One pair in full, read from its shard; and the samples that its gold answers."""

from dataclasses import dataclass
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from pairset.build import Build
from pairset.store import StoreError
from review.index import NO_LABEL, NOT_AUDITED, Index, Place

COLUMNS = (
    "pair_id", "gold_id", "gold_sql", "neighbor_sql", "dataset", "db_id", "question", "evidence",
    "source_sample_ids", "generator", "reference_index", "neighbor_origin", "operator",
    "parent_sql", "order", "edit_start", "edit_end", "mutation_class", "mutation_aspects",
    "gold_family", "neighbor_family", "strategy_family", "of_record",
)  # fmt: skip
_LABEL = ("label", "gold_row_count", "neighbor_row_count", "exec_flags")
_AUDIT = (
    "provenance_check", "provenance_note", "owner_sample_id", "owner_distance",
    "closeness_owner", "closeness_gold",
)  # fmt: skip
_NO_LABEL: dict[str, Any] = {**dict.fromkeys(_LABEL), "label": NO_LABEL, "exec_flags": []}
_NO_AUDIT: dict[str, Any] = {**dict.fromkeys(_AUDIT), "provenance_check": NOT_AUDITED}
_SAMPLE = ("corpus_row", "sample_id", "question", "evidence", "split")


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair as its tables have it, with its label and audit where the build has them."""

    row: int
    pair: dict[str, Any]
    label: dict[str, Any]
    audit: dict[str, Any]
    samples: list[dict[str, Any]]
    ordered: bool

    @property
    def edit(self) -> tuple[int | None, int | None]:
        """The span of the gold that a mutant of one edit replaced."""
        return self.pair["edit_start"], self.pair["edit_end"]


class Pairs:
    """Reads pairs from the shards of a build."""

    def __init__(self, build: Build, index: Index) -> None:
        self._store = build.store
        self._index = index

    def read(self, row: int) -> Pair:
        """All that there is to say of a pair."""
        pair = self._row(row)
        place, pair_id = self._index.place(row), pair["pair_id"]
        label = self._beside("labels", place, _LABEL, pl.col("pair_id") == pair_id)
        audit = self._beside("audit", place, _AUDIT, pl.col("pair_id") == pair_id)
        golds = self._beside("golds", place, ("ordered",), pl.col("gold_id") == pair["gold_id"])
        wanted = pl.col("sample_id").is_in(list(pair["source_sample_ids"]))
        return Pair(
            row=row,
            pair=pair,
            label=label[0] if label else _NO_LABEL,
            audit=audit[0] if audit else _NO_AUDIT,
            samples=self._beside("samples", place, _SAMPLE, wanted),
            ordered=bool(golds and golds[0]["ordered"]),
        )

    def _row(self, row: int) -> dict[str, Any]:
        place = self._index.place(row)
        path = self._store.path("pairs", place.dataset, place.db_id)
        try:
            found = _one(path.as_posix(), place.position, COLUMNS)
        except (FileNotFoundError, pa.ArrowInvalid, KeyError, IndexError):
            found = {}
        if found.get("pair_id") != self._index.id_of(row):
            raise StoreError(
                f"the pairs of {place.dataset}/{place.db_id} have changed since the page was "
                "started; start it again"
            )
        return found

    def _beside(
        self, table: str, place: Place, columns: tuple[str, ...], wanted: pl.Expr
    ) -> list[dict[str, Any]]:
        """Rows of another table of the same database; none where the build has no such table."""
        path = self._store.path(table, place.dataset, place.db_id)
        if not path.exists():
            return []
        return pl.scan_parquet(path).filter(wanted).select(columns).collect().to_dicts()


def _one(path: str, position: int, columns: tuple[str, ...]) -> dict[str, Any]:
    """One row of a file: the row group that it is in, and no more of it than the columns."""
    with pq.ParquetFile(path) as file:
        for group in range(file.metadata.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            if position < rows:
                read = file.read_row_group(group, columns=list(columns), use_threads=False)
                found: dict[str, Any] = read.slice(position, 1).to_pylist()[0]
                return found
            position -= rows
    raise IndexError(position)
