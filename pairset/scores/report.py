"""The report of some trees: tables over all databases, and what is said of them in JSON."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import polars as pl
import pyarrow as pa

from pairset.build import Build
from pairset.frames import to_table
from pairset.ids import canonical_json
from pairset.schema import TABLES
from pairset.scores.bootstrap import LEVEL, RESAMPLES, SEED
from pairset.scores.duels import duels
from pairset.scores.rates import TOTAL, rates
from pairset.scores.scored import ScoredTree
from pairset.scores.stage import tree_build
from pairset.scores.tied import tied_set
from pairset.store import Made, Store

FOLDER = "report"
ALL = ("_", "_")
"""The one place of a table that is about all databases."""


def report(build: Build, trees: Sequence[ScoredTree], *, lost: bool) -> dict[str, Any]:
    """All there is to say of the trees, read off their tables; the tables of it are written.

    The trees must be scored. Everything is in the order of the trees that were asked for.
    """
    scores = {tree.name: all_rows(tree_build(build, tree.name).store, "scores") for tree in trees}
    found = [row for name, frame in scores.items() for row in rates(name, frame)]
    fought = list(duels(scores))
    store, made = Store(build.root / FOLDER), _made(build, trees)
    store.write(("catch_rates", *ALL), to_table("catch_rates", found), made)
    store.write(("tree_duels", *ALL), to_table("tree_duels", fought), made)
    return {
        "build": build.root.name,
        "tied_set": asdict(tied_set(build)),
        "lost_asked": lost,
        "bootstrap": {"seed": SEED, "resamples": RESAMPLES, "level": LEVEL, "over": "databases"},
        "trees": [_tree(build, tree) for tree in trees],
        "catch_rates": found,
        "tree_duels": fought,
    }


def all_rows(store: Store, table: str) -> pl.DataFrame:
    """All rows of a table, in the order of their places."""
    empty = pl.DataFrame(TABLES[table].schema.empty_table())
    return pl.concat([empty, *(_frame(store.read(*place)) for place in store.places(table))])


def total(
    found: dict[str, Any], tree: str, *, reading: str = "canonical", without: str = ""
) -> Any:
    """The row of the total of a tree in a reading."""
    return next(
        row
        for row in found["catch_rates"]
        if (row["tree"], row["reading"], row["without"], row["grouping"])
        == (tree, reading, without, TOTAL)
    )


def _tree(build: Build, tree: ScoredTree) -> dict[str, Any]:
    """A tree's digest, what became of its databases, and how well they keep their schema."""
    store = tree_build(build, tree.name).store
    databases = all_rows(store, "tree_databases")
    counts = databases.group_by("status").len("databases").sort("status").to_dicts()
    sums = [name for name in databases.columns if databases.schema[name] == pl.Int64]
    broken = databases.filter(pl.col("breaks").list.len() > 0).sort("dataset", "db_id")
    faulty = databases.filter(pl.col("status") != "ok").sort("dataset", "db_id")
    return {
        "name": tree.name,
        "sha256": tree.sha256,
        "scores_sha256": table_digest(store, "scores"),
        "databases": {row["status"]: row["databases"] for row in counts},
        "not_scored": faulty.select("dataset", "db_id", "status", "note").to_dicts(),
        "not_of_the_build": list(tree.extra),
        "breaks": broken.select("dataset", "db_id", "breaks").to_dicts(),
        "constraints": {name: int(databases[name].sum()) for name in sums},
        "constraints_not_counted": {n: int(databases[n].null_count()) for n in sums},
    }


def table_digest(store: Store, table: str) -> str:
    """A digest over the rows of a table, shard by shard."""
    rows = [[s.dataset, s.db_id, s.content] for s in store.shards(table)]
    return hashlib.sha256(canonical_json(rows)).hexdigest()


def _frame(rows: pa.Table) -> pl.DataFrame:
    return pl.DataFrame(rows)


def _made(build: Build, trees: Sequence[ScoredTree]) -> Made:
    stores = {tree.name: tree_build(build, tree.name).store for tree in trees}
    return Made("report/1", {n: table_digest(store, "scores") for n, store in stores.items()})
