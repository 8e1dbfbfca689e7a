"""The dataset with other lists: everything else about it is as it was."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from pathlib import Path

import datasets
import pyarrow as pa

from pairset.ids import canonical_json

LISTS = "groundtruth_sqls"


def write_dataset(
    source: Path, out: Path, lists: Mapping[int, list[str]], read: Collection[int]
) -> tuple[int, int]:
    """Save the dataset in ``source`` to ``out`` with the references in ``lists``, by row.

    A row that is not among those ``read`` keeps its list. Returns the rows, and how many changed.
    """
    loaded = datasets.load_from_disk(str(source), keep_in_memory=True)
    table = loaded.data.table
    at = table.schema.get_field_index(LISTS)
    before = table.column(at).to_pylist()
    after = [
        [old[0], *lists.get(row, [])] if row in read else old for row, old in enumerate(before)
    ]
    field = table.schema.field(at)
    corrected = table.set_column(at, field, pa.array(after, field.type))
    # Named by what is in it: a repair of the repaired dataset gives the same bytes.
    name = hashlib.sha256(canonical_json(after)).hexdigest()[:16]
    saved = datasets.Dataset(
        datasets.table.InMemoryTable(corrected),
        info=loaded.info,
        split=loaded.split,
        fingerprint=name,
    )
    _save(saved, out)
    return len(after), sum(old != new for old, new in zip(before, after, strict=True))


def _save(dataset: datasets.Dataset, out: Path) -> None:
    """Without the library's own progress bar, which it would draw for a second of work."""
    shown = datasets.are_progress_bars_disabled()
    datasets.disable_progress_bars()
    try:
        dataset.save_to_disk(str(out))
    finally:
        if not shown:
            datasets.enable_progress_bars()
