"""What changed since another build: read off the two manifests, and off its tables if they lie by.

A manifest alone says which tables and counts changed. A folder of a build says as well which rows
came and went, and which pairs have another label now.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from pairset.build import Build
from pairset.schema import TABLES
from pairset.store import Store, StoreError

JSON = "manifest.json"


def read_other(path: Path) -> tuple[dict[str, Any], Store | None]:
    """The manifest of a build's folder or file, and its tables where they are beside it."""
    file = path / JSON if path.is_dir() else path
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise StoreError(
            f"no manifest to compare with in {path}; name a build's folder or its {JSON}"
        ) from None
    if not isinstance(found, dict) or "tables" not in found or "labels" not in found:
        raise StoreError(f"{file} is no manifest of a build; name a build's folder or its {JSON}")
    beside = Store(file.parent)
    return found, beside if next(iter(beside.places("pairs")), None) else None


def changes(build: Build, mine: dict[str, Any], path: Path) -> dict[str, Any]:
    """What ``build``, whose manifest is ``mine``, has that the one at ``path`` had not."""
    theirs, store = read_other(path)
    return {
        "against": theirs["state"],
        "same": theirs["state"] == mine["state"],
        "tables": list(_tables(mine["tables"], theirs["tables"], build.store, store)),
        "labels": _counts(_by_label(mine), _by_label(theirs), "label"),
        "refused": _counts(_by_reason(mine), _by_reason(theirs), "reason"),
        "versions": [
            {"what": name, "before": theirs["versions"].get(name), "now": now}
            for name, now in sorted(mine["versions"].items())
            if theirs["versions"].get(name) != now
        ],
        "settings_changed": mine["settings"] != theirs["settings"],
        "relabelled": None if store is None else relabelled(build.store, store),
    }


def _tables(
    mine: list[dict[str, Any]], theirs: list[dict[str, Any]], store: Store, other: Store | None
) -> Iterator[dict[str, Any]]:
    """The tables whose rows are not the same; rows added and removed where both are there."""
    before = {row["table"]: row for row in theirs}
    now = {row["table"]: row for row in mine}
    for name in dict.fromkeys([*now, *before]):
        new, old = now.get(name), before.get(name)
        if new and old and new["rows_sha256"] == old["rows_sha256"]:
            continue
        added, removed = (None, None) if other is None else _rows_changed(name, store, other)
        yield {
            "table": name,
            "before": old["rows"] if old else 0,
            "now": new["rows"] if new else 0,
            "added": added,
            "removed": removed,
        }


def _rows_changed(table: str, mine: Store, theirs: Store) -> tuple[int | None, int | None]:
    """How many rows, by all that is in them, are in one build and not in the other."""
    places = sorted({*mine.places(table), *theirs.places(table)})
    added = removed = 0
    try:
        for place in places:
            shards = [store.shard(*place) for store in (mine, theirs)]
            if shards[0] and shards[1] and shards[0].content == shards[1].content:
                continue
            new, old = (_hashed(store, place) for store in (mine, theirs))
            added += new.join(old, on=["row", "again"], how="anti").height
            removed += old.join(new, on=["row", "again"], how="anti").height
    except StoreError:  # of another version of the table: its rows have other columns
        return None, None
    return added, removed


def _hashed(store: Store, place: tuple[str, str, str]) -> pl.DataFrame:
    """Each row as one text, and how often it stood before: repeated rows are rows of their own."""
    if store.shard(*place) is None:
        return pl.DataFrame(schema={"row": pl.String, "again": pl.UInt32})
    rows = pl.DataFrame(store.read(*place))
    texts = rows.select(row=pl.struct(rows.columns).struct.json_encode())
    return texts.with_columns(again=pl.int_range(pl.len(), dtype=pl.UInt32).over("row"))


def relabelled(mine: Store, theirs: Store) -> list[dict[str, Any]]:
    """How many pairs that both builds have went from which label to which."""
    new, old = (_labels(store) for store in (mine, theirs))
    both = old.join(new, on="pair_id", suffix="_now").filter(pl.col("label") != pl.col("label_now"))
    counted = both.group_by("label", "label_now").len("pairs").sort("label", "label_now")
    return [{"before": a, "now": b, "pairs": count} for a, b, count in counted.rows()]


def _labels(store: Store) -> pl.DataFrame:
    columns = ["pair_id", "label"]
    empty = pl.DataFrame(TABLES["labels"].schema.empty_table().select(columns))
    shards = (pl.DataFrame(store.read(*p, columns=columns)) for p in store.places("labels"))
    return pl.concat([empty, *shards])


def _by_label(manifest: dict[str, Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in manifest["labels"]["all"]:
        name = row["label"] or "no label"
        found[name] = found.get(name, 0) + row["rows"]
    return found


def _by_reason(manifest: dict[str, Any]) -> dict[str, int]:
    return {
        f"{row['stage']}: {row['dataset']}: {row['reason']}": row["rows"]
        for row in manifest["refused"]
    }


def _counts(now: dict[str, int], before: dict[str, int], key: str) -> list[dict[str, Any]]:
    """Counts that are not the same."""
    return [
        {key: name, "before": before.get(name, 0), "now": now.get(name, 0)}
        for name in sorted({*now, *before})
        if now.get(name, 0) != before.get(name, 0)
    ]
