"""Counting a build: nothing but its tables, its config and the versions of what made it."""

import hashlib
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

import polars as pl

from db_execution import cells, comparator, digest, rowbytes
from pairset import __version__, labels
from pairset.build import Build
from pairset.files import file_digest
from pairset.ids import canonical_json
from pairset.labels import FLAGS, UNSTABLE
from pairset.manifest.audit import AUDIT_COLUMNS, audit_counts
from pairset.neighbors import GRAMMAR
from pairset.reread import count_sampled
from pairset.schema import TABLES
from pairset.scores.tied import tied_set
from pairset.verdicts import count_verdicts, read_verdicts, verdicts_path

VERSION = 3
Counts = list[dict[str, Any]]


def collect(build: Build) -> dict[str, Any]:
    """All that the manifest says."""
    tables = {name: read_columns(build, name, columns) for name, columns in _READ.items()}
    pairs = tables["pairs"].join(
        tables["labels"].select("pair_id", "label", "exec_flags"),
        on="pair_id", how="left", validate="1:1", maintain_order="left",
    )  # fmt: skip
    return {
        "manifest_version": VERSION,
        "state": state(build),
        "evaluation_data": any(c.allow_evaluation_data for c in build.config.corpora),
        "versions": _versions(tables["runs"]),
        "settings": _settings(build),
        "corpora": _corpora(tables["samples"], tables["golds"]),
        "tied_set": asdict(tied_set(build)),
        "pairs": _pairs(pairs),
        "audit": audit_counts(tables["audit"]),
        "labels": _labels(pairs),
        "flags": _flags(pairs),
        "golds": _golds(tables["golds"], tables["runs"]),
        "runs": counts(tables["runs"], "dataset", "status", "error_class"),
        "stopped_by_wall_time": _wall_time(tables["runs"]),
        "set_digest_unknown": _no_set_digest(tables["runs"]),
        "yields": _yields(tables["yields"]),
        "operators": _by_operator(tables["yields"]),
        "reread": count_sampled(tables["pairs"]),
        "refused": _refused(build),
        "tables": _tables(build),
        **_verdicts(build, tables["pairs"]),
    }


_STATIC = ("gold_cut", "gold_order_ties", "gold_bare_column")
_READ: dict[str, tuple[str, ...]] = {
    "samples": ("dataset", "db_id", "gold_sql", "references"),
    "golds": ("dataset", "db_id", "gold_id", "parses", *_STATIC),
    "pairs": (
        "pair_id", "dataset", "generator", "operator", "order", "mutation_class", "of_record",
    ),
    "audit": AUDIT_COLUMNS,
    "labels": ("pair_id", "label", "exec_flags"),
    "runs": (
        "query_id", "dataset", "status", "error_class", "set_digest", "flags", "sqlite_version",
    ),
    "yields": ("dataset", "generator", "operator", "order", "outcome", "count"),
}  # fmt: skip


def state(build: Build) -> str:
    """A digest of all the manifest is made from: it changes when the manifest would."""
    shards = [
        [shard.table, shard.dataset, shard.db_id, shard.content]
        for table in TABLES
        for shard in build.store.shards(table)
    ]
    made = [VERSION, shards, _settings(build), __version__, comparator_digest()]
    if verdicts_path(build.root).exists():
        made.append(file_digest(verdicts_path(build.root)))
    return hashlib.sha256(canonical_json(made)).hexdigest()


def comparator_digest() -> str:
    """The sha256 over the code that decides what is tied: comparator, digests and labels."""
    state = hashlib.sha256()
    for module in (cells, comparator, digest, rowbytes, labels):
        with open(str(module.__file__), "rb") as code:
            state.update(code.read())
    return state.hexdigest()


def read_columns(build: Build, table: str, columns: tuple[str, ...]) -> pl.DataFrame:
    """Some columns of all shards of a table, in the order of their places."""
    schema = TABLES[table].schema
    frames = [
        pl.DataFrame(build.store.read(*place, columns=columns))
        for place in build.store.places(table)
    ]
    empty = pl.DataFrame(schema.empty_table().select(list(columns)))
    return pl.concat([empty, *frames])


def counts(frame: pl.DataFrame, *by: str) -> Counts:
    """How many rows there are of each combination, in the order of the combinations."""
    return frame.group_by(*by).len("rows").sort(*by, nulls_last=False).to_dicts()


def _versions(runs: pl.DataFrame) -> dict[str, Any]:
    return {
        "pairset": __version__,
        "sqlite": sorted(runs.get_column("sqlite_version").unique().to_list()),
        "pyarrow": version("pyarrow"),
        "polars": version("polars"),
        "comparator_sha256": comparator_digest(),
    }


def _settings(build: Build) -> dict[str, Any]:
    """What of the config changes the tables; no worker count, no folder."""
    config = build.config
    executor = config.executor
    return {
        "corpora": [
            {"name": c.name, "layout": c.layout, "on_missing": c.on_missing} for c in config.corpora
        ],
        "generators": config.generators.model_dump(mode="json"),
        "executor": {
            "clock": str(executor.clock),
            "seed": executor.seed,
            "max_vm_steps": executor.max_vm_steps,
            "timeout_s": executor.timeout_s,
        },
    }


def _corpora(samples: pl.DataFrame, golds: pl.DataFrame) -> Counts:
    parsed = golds.group_by("dataset").agg(
        golds=pl.len(), golds_parsed=pl.col("parses").sum(),
        **{flag: pl.col(flag).sum() for flag in _STATIC},
    )  # fmt: skip
    found = samples.group_by("dataset").agg(
        samples=pl.len(),
        databases=pl.col("db_id").n_unique(),
        references=pl.col("references").list.len().sum(),
    )
    return found.join(parsed, on="dataset", how="left").sort("dataset").to_dicts()


def _golds(golds: pl.DataFrame, runs: pl.DataFrame) -> Counts:
    """What became of the golds themselves; without a status, their database is missing."""
    ran = runs.select("query_id", "status", "error_class")
    both = golds.join(ran, left_on="gold_id", right_on="query_id", how="left", validate="1:1")
    return counts(both, "dataset", "status", "error_class")


def _pairs(pairs: pl.DataFrame) -> dict[str, Counts]:
    return {
        "by_generator": counts(pairs, "dataset", "generator", "order"),
        "by_operator": counts(pairs.filter(pl.col("order") == 1), "operator", "label"),
        "by_class": counts(pairs, "mutation_class", "dataset", "label"),
        "of_record": counts(pairs.filter("of_record"), "dataset", "generator", "label"),
    }


def _labels(pairs: pl.DataFrame) -> dict[str, Counts]:
    """The record, and beside it the record without the pairs of each flag, and of all together."""
    found = {"all": counts(pairs, "dataset", "generator", "label")}
    for flag in UNSTABLE:
        flagged = pl.col("exec_flags").list.contains(flag)
        kept = pairs.filter(~flagged.fill_null(False))
        found[f"without_{flag}"] = counts(kept, "dataset", "label")
    unstable = pl.col("exec_flags").list.set_intersection(list(UNSTABLE)).list.len() > 0
    stable = pairs.filter(~unstable.fill_null(False))
    found["without_all_of_these"] = counts(stable, "dataset", "label")
    return found


def _flags(pairs: pl.DataFrame) -> Counts:
    flagged = pairs.explode("exec_flags").filter(pl.col("exec_flags").is_not_null())
    found = counts(flagged.rename({"exec_flags": "flag"}), "flag", "label")
    return sorted(found, key=lambda row: (FLAGS.index(row["flag"]), row["label"]))


def _wall_time(runs: pl.DataFrame) -> int:
    return runs.filter(pl.col("flags").list.contains("wall_time")).height


def _no_set_digest(runs: pl.DataFrame) -> int:
    """Runs with more distinct rows than a set digest is kept for."""
    return runs.filter((pl.col("status") == "ok") & pl.col("set_digest").is_null()).height


def _yields(yields: pl.DataFrame) -> Counts:
    first = yields.filter(pl.col("order") < 2)
    both = yields.filter(pl.col("order") == 2).with_columns(operator=pl.lit("second order"))
    by = ("generator", "operator", "outcome")
    return (
        pl.concat([first, both]).group_by(*by).agg(rows=pl.col("count").sum()).sort(*by).to_dicts()
    )


def _by_operator(yields: pl.DataFrame) -> Counts:
    """The mutants that were kept, by class and dataset: of one edit, and with it as one of two."""
    kept = yields.filter((pl.col("generator") == GRAMMAR) & (pl.col("outcome") == "kept"))
    each = kept.with_columns(operator=pl.col("operator").str.split("+")).explode("operator")
    one = pl.col("count").filter(pl.col("order") == 1).sum()
    two = pl.col("count").filter(pl.col("order") == 2).sum()
    found = each.group_by("operator", "dataset").agg(alone=one, in_two=two)
    return found.sort("operator", "dataset").to_dicts()


def _refused(build: Build) -> Counts:
    names = [name for name in TABLES if name.startswith("refused_")]
    frames = [read_columns(build, name, ("stage", "reason", "dataset")) for name in names]
    return counts(pl.concat(frames), "stage", "dataset", "reason")


def _verdicts(build: Build, pairs: pl.DataFrame) -> dict[str, Any]:
    """What people said of pairs; nothing where nobody said anything."""
    found = read_verdicts(build.root)
    counted = count_verdicts(found)
    if counted is None:
        return {}
    said = sorted({verdict.pair_id for verdict in found.last.values()})
    there = pairs.filter(pl.col("pair_id").is_in(said)).height
    return {"verdicts": {**counted, "pairs_not_in_build": len(said) - there}}


def _tables(build: Build) -> Counts:
    return list(filter(None, (_table(build, name) for name in TABLES)))


def _table(build: Build, name: str) -> dict[str, Any] | None:
    """A table's size and its two digests: over its files, and over the rows in them."""
    shards = list(build.store.shards(name))
    if not shards:
        return None
    paths = [build.store.path(s.table, s.dataset, s.db_id) for s in shards]
    files = [[s.dataset, s.db_id, file_digest(p)] for s, p in zip(shards, paths, strict=True)]
    rows = [[s.dataset, s.db_id, s.content] for s in shards]
    return {
        "table": name,
        "version": TABLES[name].version,
        "files": len(shards),
        "rows": sum(shard.rows for shard in shards),
        "bytes": sum(path.stat().st_size for path in paths),
        "files_sha256": hashlib.sha256(canonical_json(files)).hexdigest(),
        "rows_sha256": hashlib.sha256(canonical_json(rows)).hexdigest(),
    }
