"""Scoring one tree: its databases looked at, the pairs' queries run on it, and each pair judged.

A stage like the others, whose tables lie in the folder of the tree: so it goes on where it stopped,
and a tree with one other database asks that database's queries alone.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from db_execution.client import Client
from pairset.build import Build, Place, Rows, Unit
from pairset.frames import to_table
from pairset.labels import label_pairs
from pairset.scores.constraints import Violations, violations
from pairset.scores.ddl import Unreadable, declared, difference
from pairset.scores.scored import ScoredTree
from pairset.stages.common import content, settings_digest
from pairset.stages.runs import batch_of, engine, run_rows
from pairset.stages.schemas import schema_of
from pairset.store import Store
from pairset.trees import ORIGINAL

OK, MISSING, UNREADABLE, OTHER_SCHEMA = "ok", "missing", "unreadable", "other_schema"
NOT_RUN, UNKNOWN = "not_run", "unknown"
_UNCOUNTED = Violations()
_STATIC = ("nondeterministic", "gold_cut", "gold_order_ties", "gold_bare_column")
_PAIR = (
    "pair_id", "gold_id", "dataset", "db_id", "gold_sql", "neighbor_sql",
    "neighbor_nondeterministic", "generator", "operator", "order", "mutation_class",
)  # fmt: skip


def tree_build(build: Build, tree: str) -> Build:
    """The build whose tables are the tree's: a folder in the build's own."""
    return Build(build.config, build.root / "trees" / tree, build.endpoints)


@dataclass(frozen=True, slots=True)
class ScoresStage:
    """One tree against the tied set of ``base``, the folder of the build.

    With ``lost``, the pairs that the original separates are asked as well, to count those that the
    tree ties. They are several times as many.
    """

    base: Path
    tree: ScoredTree
    lost: bool = True
    name: str = "scores"
    version: int = 1
    tables: tuple[str, ...] = ("tree_databases", "runs", "scores")
    asks_executor: bool = True

    def units(self, build: Build) -> list[Unit]:
        """Every database with labels of the original tree."""
        return [
            Unit(s.dataset, s.db_id, s.rows) for s in Store(self.base).shards("labels") if s.rows
        ]

    def inputs(self, build: Build, unit: Unit) -> dict[str, str]:
        """The pairs, the two databases' bytes, the engine, and the terms on which it runs."""
        base = Build(build.config, self.base)
        executor = build.config.executor
        terms = (executor.timeout_s, executor.max_vm_steps, executor.clock, executor.seed)
        found = self.tree.found(unit.place)
        return {
            **{t: content(base, unit, t) for t in ("pairs", "golds", "labels", "tied_set", "runs")},
            "database": found.sha256 or f"none: {found.note}",
            "engine": engine(executor),
            "terms": settings_digest(*terms),
            "lost": str(self.lost),
        }

    def places(self, build: Build, unit: Unit) -> list[Place]:
        """A shard of each of its tables."""
        return [(table, *unit.place) for table in self.tables]

    def make(self, build: Build, unit: Unit) -> Rows:
        """What the database is, the runs, and a row a pair."""
        pairs = self._pairs(unit)
        with build.client() as client:
            asking = _Asking(self, build, unit, client)
            status, note = asking.status()
            counted = asking.counted(status)
            runs = asking.runs(pairs) if status == OK else to_table("runs", [])
        seen = self._database(unit, (status, note), counted)
        judged = self._judged(unit, pairs, pl.DataFrame(runs), status)
        found = {"tree_databases": seen, "runs": runs, "scores": judged}
        return {(table, *unit.place): rows for table, rows in found.items()}

    def _pairs(self, unit: Unit) -> pl.DataFrame:
        """The pairs to judge, with their label on the original."""
        store = Store(self.base)
        labels, tied, pairs = (
            pl.DataFrame(store.read(table, *unit.place, columns=columns))
            for table, columns in (
                ("labels", ["pair_id", "label", "exec_flags"]),
                ("tied_set", ["pair_id", "provenance_check"]),
                ("pairs", _PAIR),
            )
        )
        wanted = ["tied", "separated"] if self.lost else ["tied"]
        labels = labels.filter(pl.col("label").is_in(wanted)).rename(
            {"label": "original_label", "exec_flags": "original_flags"}
        )
        both = pairs.join(labels, on="pair_id", how="inner", validate="1:1", maintain_order="left")
        return both.join(tied, on="pair_id", how="left", validate="1:1", maintain_order="left")

    def _judged(self, unit: Unit, pairs: pl.DataFrame, runs: pl.DataFrame, status: str) -> pa.Table:
        """A row a pair; where the database could not be asked, every pair is not run."""
        if status != OK:
            static = pl.col("original_flags").list.set_intersection(list(_STATIC)).list.sort()
            found = pairs.with_columns(
                label=pl.lit(NOT_RUN), set_label=pl.lit(NOT_RUN), exec_flags=static,
                gold_row_count=pl.lit(None, pl.Int64), neighbor_row_count=pl.lit(None, pl.Int64),
            )  # fmt: skip
        else:
            golds = pl.DataFrame(Store(self.base).read("golds", *unit.place))
            labels = label_pairs(pairs, golds, runs).drop("dataset", "db_id")
            found = pairs.join(labels, on="pair_id", validate="1:1", maintain_order="left")
            found = found.join(set_labels(pairs, runs), on="pair_id", validate="1:1")
        return found.with_columns(tree=pl.lit(self.tree.name)).select(*_SCORES).to_arrow()

    def _database(
        self, unit: Unit, status: tuple[str, str], counted: tuple[Violations, Violations]
    ) -> pa.Table:
        mine, original = (asdict(one) for one in counted)
        broken = counted[0].worse_than(counted[1])
        row: dict[str, Any] = {
            "tree": self.tree.name,
            "dataset": unit.dataset,
            "db_id": unit.db_id,
            "status": status[0],
            "note": status[1],
            "breaks": list(broken),
            "database_sha256": self.tree.found(unit.place).sha256,
            "original_sha256": _original_sha256(Store(self.base), unit),
            **mine,
            **{f"original_{name}": count for name, count in original.items()},
        }
        return to_table("tree_databases", [row])


_SCORES = (
    "pair_id", "gold_id", "tree", "dataset", "db_id", "generator", "operator", "mutation_class",
    "provenance_check", "original_label", "label", "set_label", "order", "gold_row_count",
    "neighbor_row_count", "exec_flags",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Asking:
    """One database of the tree, and its original, asked over the API."""

    stage: ScoresStage
    build: Build
    unit: Unit
    client: Client

    def status(self) -> tuple[str, str]:
        """Whether its queries can be run, and if not why."""
        tree = self.stage.tree
        found = tree.found(self.unit.place)
        if found.sha256 is None:
            return MISSING, found.note
        terms = [
            batch_of(self.build.config.executor, self.unit, t, []) for t in (ORIGINAL, tree.name)
        ]
        original = declared(self.client, terms[0])
        try:
            other = difference(original, declared(self.client, terms[1]))
        except Unreadable as error:
            return UNREADABLE, str(error)
        return (OTHER_SCHEMA, other) if other else (OK, "")

    def counted(self, status: str) -> tuple[Violations, Violations]:
        """What the database and its original break of what they declare."""
        mine = self._violations(self.stage.tree.name) if status == OK else _UNCOUNTED
        return mine, self._violations(ORIGINAL)

    def runs(self, pairs: pl.DataFrame) -> pa.Table:
        """Each distinct query of the pairs, run once."""
        tree = self.stage.tree.name
        texts: Iterable[str] = pl.concat([pairs["gold_sql"], pairs["neighbor_sql"]]).unique()
        queries = sorted(texts)
        batch = batch_of(self.build.config.executor, self.unit, tree, queries)
        answered = zip(queries, self.client.batch(batch), strict=True)
        return to_table("runs", run_rows(self.unit, tree, answered))

    def _violations(self, tree: str) -> Violations:
        terms = batch_of(self.build.config.executor, self.unit, tree, [])
        schema = schema_of(Store(self.stage.base).read("schemas", *self.unit.place))
        return violations(self.client, terms, schema, declared(self.client, terms))


def set_labels(pairs: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    """The label of each pair when answers are sets of rows and order is no matter: BIRD's rule.

    A pair is unknown where an answer has more distinct rows than a set digest is kept for.
    """
    both = pairs.select("pair_id", "gold_sql", "neighbor_sql")
    for side in ("gold", "neighbor"):
        answers = runs.select(
            pl.col("sql").alias(f"{side}_sql"),
            pl.col("status").alias(f"{side}_status"),
            pl.col("set_digest").alias(f"{side}_set"),
        )
        both = both.join(answers, on=f"{side}_sql", validate="m:1")
    gold_ok, neighbor_ok = pl.col("gold_status") == "ok", pl.col("neighbor_status") == "ok"
    label = (
        pl.when(~gold_ok & ~neighbor_ok).then(pl.lit("both_error"))
        .when(~gold_ok).then(pl.lit("gold_error"))
        .when(~neighbor_ok).then(pl.lit("neighbor_error"))
        .when(pl.col("gold_set").is_null() | pl.col("neighbor_set").is_null())
        .then(pl.lit(UNKNOWN))
        .when(pl.col("gold_set") == pl.col("neighbor_set")).then(pl.lit("tied"))
        .otherwise(pl.lit("separated"))
    )  # fmt: skip
    return both.select("pair_id", set_label=label)


def _original_sha256(store: Store, unit: Unit) -> str | None:
    found = store.read("runs", *unit.place, columns=["database_sha256"]).column(0).unique()
    return next((str(value) for value in found.to_pylist() if value), None)
