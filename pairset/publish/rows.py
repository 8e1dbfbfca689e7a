"""The rows that are published: pairs with their labels and audit beside them, runs, labels."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from pairset.schema import LABELS, PAIRS, RUNS
from pairset.store import Store
from pairset.table import STRING

TREE = "original"
"""The tree whose runs and labels are published: the corpus's own databases."""

AUDITED = ("provenance_check", "provenance_note")
LABELLED = ("label", "gold_row_count", "neighbor_row_count", "exec_flags")

_JOINED = [pa.field(name, STRING) for name in AUDITED] + [LABELS.schema.field(n) for n in LABELLED]
SCHEMAS: dict[str, pa.Schema] = {
    "pairs": pa.schema([*PAIRS.schema, *_JOINED]),
    "runs": RUNS.schema,
    "labels": LABELS.schema,
}
"""What is published, with its columns: tables of the build, the first one joined with others."""


def published_rows(store: Store, table: str, dataset: str, db_id: str) -> pa.Table:
    """The rows of one database as they are published, in the order of the table's key.

    A pair without a label (its database is missing) or without an audit has nulls there. Raises
    `StoreError` where the table is not made.
    """
    if table == "pairs":
        return _pairs(store, dataset, db_id)
    rows = store.read(table, dataset, db_id)
    return rows.filter(pc.equal(rows["tree"], TREE)).cast(SCHEMAS[table])


def is_audited(store: Store) -> bool:
    """Whether the build has an audit at all."""
    return bool(store.places("audit"))


def _pairs(store: Store, dataset: str, db_id: str) -> pa.Table:
    pairs = store.read("pairs", dataset, db_id)
    place = (dataset, db_id)
    joined = _beside(pairs, _read(store, "audit", place, ("pair_id", *AUDITED)), AUDITED)
    labels = _read(store, "labels", place, ("pair_id", "tree", *LABELLED))
    if labels is not None:
        labels = labels.filter(pc.equal(labels["tree"], TREE))
    joined = _beside(joined, labels, LABELLED)
    return joined.select(SCHEMAS["pairs"].names).cast(SCHEMAS["pairs"])


def _read(
    store: Store, table: str, place: tuple[str, str], columns: Sequence[str]
) -> pa.Table | None:
    """Those columns, or None where the build has no such table of the database."""
    if not store.path(table, *place).exists():
        return None
    return store.read(table, *place, columns=columns)


def _beside(rows: pa.Table, others: pa.Table | None, names: Sequence[str]) -> pa.Table:
    """``rows`` with the columns ``names`` of the row of ``others`` that has the same pair_id."""
    if others is None:
        others = pa.table({n: pa.array([], SCHEMAS["pairs"].field(n).type) for n in names})
        at = pa.nulls(rows.num_rows, pa.int32())
    else:
        ids = others["pair_id"].combine_chunks()
        if pc.count_distinct(ids).as_py() != len(ids):
            raise AssertionError("a pair has two rows in one table")
        at = pc.index_in(rows["pair_id"], value_set=ids)
    for name in names:
        rows = rows.append_column(name, others[name].combine_chunks().take(at))
    return rows
