"""What a build holds, in a few numbers: for the table that a command prints, and its JSON."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pairset.ids import canonical_json
from pairset.store import Store

LABELS = ("tied", "separated", "gold_error", "neighbor_error", "both_error")


@dataclass(frozen=True, slots=True)
class Held:
    """A table of a build: its rows, its size on disk, and a digest over the rows of every shard."""

    table: str
    rows: int
    bytes: int
    digest: str


def held(store: Store, tables: Iterable[str]) -> list[Held]:
    """What is held of each of ``tables``."""
    return [_held(store, table) for table in tables]


def counts(store: Store) -> dict[str, int]:
    """The counts of record, under the names that they have everywhere."""
    generators, labels = _tally(store, "pairs", "generator"), _tally(store, "labels", "label")
    return {
        "golds": sum(shard.rows for shard in store.shards("golds")),
        "pairs": generators.total(),
        "mutants": generators["mutant_grammar"],
        **{label: labels[label] for label in LABELS},
    }


def _held(store: Store, table: str) -> Held:
    shards = list(store.shards(table))
    rows = [[shard.dataset, shard.db_id, shard.content] for shard in shards]
    return Held(
        table,
        sum(shard.rows for shard in shards),
        sum(store.path(table, shard.dataset, shard.db_id).stat().st_size for shard in shards),
        hashlib.sha256(canonical_json(rows)).hexdigest(),
    )


def _tally(store: Store, table: str, column: str) -> Counter[str | None]:
    tally: Counter[str | None] = Counter()
    for place in store.places(table):
        for entry in store.read(*place, columns=[column])[column].value_counts().to_pylist():
            tally[entry["values"]] += entry["counts"]
    return tally
