"""A small build whose pairs are written by hand, and trees of databases to score on it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from db_execution.writer import write_database
from pairset.build import Build
from pairset.scores.report import report
from pairset.scores.scored import ScoredTree, find_tree
from pairset.scores.stage import ScoresStage, tree_build
from pairset.work import make, pending
from tests.pairset.sample_build import built

DATASET = "shop"

Task = tuple[str, str, list[str]]
"""A database, a gold, and its neighbours."""


@contextmanager
def shop(folder: Path, scripts: Mapping[str, str], tasks: Sequence[Task]) -> Iterator[Build]:
    """A finished build over databases made from ``scripts``; neighbours are what is written."""
    for db_id, script in scripts.items():
        write_database(folder / "databases" / db_id / f"{db_id}.sqlite", script)
    rows = [
        {"q": "?", "db": db_id, "gold": gold, "references": references}
        for db_id, gold, references in tasks
    ]
    (folder / "tasks.json").write_text(json.dumps(rows))
    config = folder / "config.toml"
    config.write_text(
        f'[[corpora]]\nname = "{DATASET}"\nlayout = "tasks"\nfile = "tasks.json"\n'
        'split = "train"\nquestion_key = "q"\ndb_key = "db"\ngold_key = "gold"\n'
        'references_key = "references"\ndatabases = "databases"\n'
        "[generators.mutants]\nenabled = false\n"
    )
    with built(folder / "out" / "shop", config) as build:
        yield build


def place(folder: Path, db_id: str) -> Path:
    """Where a tree in ``folder`` has that database."""
    return folder / DATASET / db_id / f"{db_id}.sqlite"


def looked_at(build: Build, trees: Mapping[str, Path]) -> list[ScoredTree]:
    """The trees in those folders."""
    shards = list(build.store.shards("labels"))
    places = [(shard.dataset, shard.db_id) for shard in shards if shard.rows]
    return [find_tree(build, name, [f"{name}={where}"], places) for name, where in trees.items()]


def scored(build: Build, trees: Mapping[str, Path], *, lost: bool = True) -> dict[str, Any]:
    """The report of the trees in those folders, asked where they have to be."""
    found = looked_at(build, trees)
    specs = [spec for tree in found for spec in tree.specs]
    with Embedded(specs, workers=1, log=build.root / "trees.log") as service:
        more = tuple(Endpoint(service.url, name) for name in trees)
        asking = replace(build, endpoints=(*build.endpoints, *more))
        for tree in found:
            stage, own = ScoresStage(build.root, tree, lost), tree_build(asking, tree.name)
            make(stage, own, pending(stage, own))
    return report(build, found, lost=lost)


def separated(found: dict[str, Any], tree: str, **wanted: str) -> dict[str, int]:
    """How many pairs a tree separates, by member of a grouping; members with none are left out."""
    key = {
        "tree": tree,
        "reading": "canonical",
        "without": "",
        "grouping": "mutation_class",
    } | wanted
    rows = [row for row in found["catch_rates"] if all(row[name] == key[name] for name in key)]
    return {row["member"]: row["separated"] for row in rows if row["separated"]}
