"""labels: tied, separated or an error, for every pair whose database is there."""

import polars as pl

from pairset.build import Build, Rows, Unit
from pairset.labels import label_pairs
from pairset.stages.common import DatabaseStage, rows
from pairset.trees import ORIGINAL


class LabelsStage(DatabaseStage):
    """Joins pairs with runs; asks nobody."""

    name = "labels"
    version = 1
    tables = ("labels",)
    reads = ("pairs", "golds", "runs")
    asks_executor = False

    def make(self, build: Build, unit: Unit) -> Rows:
        """A row a pair that was run."""
        pairs, golds, runs = (
            pl.DataFrame(build.store.read(table, *unit.place)) for table in self.reads
        )
        labels = label_pairs(pairs, golds, runs).with_columns(tree=pl.lit(ORIGINAL))
        return rows(unit, labels=labels.to_arrow())
