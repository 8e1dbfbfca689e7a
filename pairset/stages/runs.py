"""runs: every distinct query of a database executed once on the original tree."""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from db_execution.protocol import Answer, Batch
from pairset import ids
from pairset.build import Build, Rows, Unit
from pairset.config import Executor
from pairset.frames import refused_table, to_table
from pairset.rows import Refusal
from pairset.stages.common import DatabaseStage, rows, settings_digest
from pairset.trees import ORIGINAL, database_digest


class RunsStage(DatabaseStage):
    """All SQL goes through the db_execution API; what could not be asked is no row."""

    name = "runs"
    version = 1
    tables = ("runs", "refused_runs")
    reads = ("pairs", "golds")
    asks_executor = True

    def inputs(self, build: Build, unit: Unit) -> dict[str, str]:
        """The queries, the database's bytes, the engine, and the terms on which it runs."""
        executor = build.config.executor
        terms = (executor.timeout_s, executor.max_vm_steps, executor.clock, executor.seed)
        return {
            **super().inputs(build, unit),
            "database": database_digest(build, *unit.place) or "missing",
            "engine": engine(executor),
            "terms": settings_digest(*terms),
        }

    def make(self, build: Build, unit: Unit) -> Rows:
        """A row a query; where the database is missing, a refusal a gold."""
        golds = build.store.read("golds", *unit.place).select(["gold_id", "gold_sql"]).to_pylist()
        if database_digest(build, *unit.place) is None:
            return rows(
                unit,
                runs=to_table("runs", []),
                refused_runs=refused_table("runs", (_missing(unit, gold) for gold in golds)),
            )
        neighbors = build.store.read("pairs", *unit.place).column("neighbor_sql").to_pylist()
        queries = sorted({gold["gold_sql"] for gold in golds} | set(neighbors))
        with build.client() as client:
            answers = client.batch(batch_of(build.config.executor, unit, ORIGINAL, queries))
            found = list(run_rows(unit, ORIGINAL, zip(queries, answers, strict=True)))
        return rows(unit, runs=to_table("runs", found), refused_runs=refused_table("runs", []))


def engine(executor: Executor) -> str:
    """Which engine answers, as far as that is known before it is asked."""
    return f"apsw {version('apsw')}" if executor.endpoints is None else "of the endpoints"


def batch_of(executor: Executor, unit: Unit, tree: str, queries: list[str]) -> Batch:
    """The queries of one database on the terms of the config, answered by digests."""
    return Batch(
        dataset_name=unit.dataset,
        db_id=unit.db_id,
        tree=tree,
        want="digest",
        timeout_ms=int(executor.timeout_s * 1000),
        max_vm_steps=executor.max_vm_steps,
        clock=executor.clock,
        seed=executor.seed,
        queries=tuple(queries),
    )


def run_rows(
    unit: Unit, tree: str, answered: Iterator[tuple[str, Answer]]
) -> Iterator[dict[str, Any]]:
    """The rows of ``answered`` queries; how long each took is no part of a table."""
    for sql, answer in answered:
        yield {
            "query_id": ids.query_id(*unit.place, sql),
            "tree": tree,
            "dataset": unit.dataset,
            "db_id": unit.db_id,
            "sql": sql,
            "status": answer.status,
            "error_class": answer.error_class,
            "error": answer.error,
            "row_count": answer.row_count,
            "column_count": answer.column_count,
            "list_digest": answer.list_digest,
            "multiset_digest": answer.multiset_digest,
            "set_digest": answer.set_digest,
            "close_digest": answer.close_digest,
            "flags": sorted(answer.flags),
            "sqlite_version": answer.sqlite_version,
            "database_sha256": answer.database_sha256,
        }


def _missing(unit: Unit, gold: dict[str, str]) -> Refusal:
    return Refusal(
        stage="runs",
        reason="missing_database",
        dataset=unit.dataset,
        db_id=unit.db_id,
        place=unit.db_id,
        gold_id=gold["gold_id"],
        sql=gold["gold_sql"],
        note="no database to run on; its pairs have no label",
    )
