"""tied: the tied set of the original tree, fixed once, before any tree is scored on it."""

import polars as pl

from pairset.build import Build, Rows, Unit
from pairset.stages.common import DatabaseStage, rows

AUDIT = "audit"
OK = "ok"


class TiedStage(DatabaseStage):
    """Every pair that the original ties, with what the audit said of it.

    A pair that no audit speaks of counts as ok: a mutant is its gold's own, by construction.
    """

    name = "tied"
    version = 1
    tables = ("tied_set",)
    reads = ("labels", "pairs")
    asks_executor = False

    def inputs(self, build: Build, unit: Unit) -> dict[str, str]:
        """The labels, the pairs, and the audit where there is one."""
        audit = build.store.shard(AUDIT, *unit.place)
        return {**super().inputs(build, unit), AUDIT: audit.content if audit else "none"}

    def make(self, build: Build, unit: Unit) -> Rows:
        """A row a tied pair."""
        labels = pl.DataFrame(
            build.store.read(
                "labels", *unit.place, columns=["pair_id", "dataset", "db_id", "label"]
            )
        )
        pairs = pl.DataFrame(build.store.read("pairs", *unit.place, columns=["pair_id", "gold_id"]))
        found = (
            labels.filter(pl.col("label") == "tied")
            .join(pairs, on="pair_id", how="left", validate="1:1")
            .join(provenance(build, unit), on="pair_id", how="left", validate="1:1")
            .with_columns(pl.col("provenance_check").fill_null(OK))
        )
        return rows(unit, tied_set=found.to_arrow())


def provenance(build: Build, unit: Unit) -> pl.DataFrame:
    """What the audit says of each pair of a database; empty where there is no audit."""
    if build.store.shard(AUDIT, *unit.place) is None:
        return pl.DataFrame(schema={"pair_id": pl.String, "provenance_check": pl.String})
    columns = ["pair_id", "provenance_check"]
    return pl.DataFrame(build.store.read(AUDIT, *unit.place, columns=columns))
