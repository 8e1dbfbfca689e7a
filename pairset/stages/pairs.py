"""pairs: every gold with each of its neighbours, classified and named."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa

from db_execution.client import Client
from db_execution.protocol import Batch
from mutants.mutate import Settings
from mutants.weights import NAMED
from pairset import ids
from pairset.build import Build, Rows, Unit
from pairset.frames import refused_table, samples_of, to_table
from pairset.neighbors import (
    Means,
    Outcome,
    Serving,
    all_neighbors,
    refused_with_gold,
)
from pairset.pair_columns import PairColumns
from pairset.reread import EVERY, check_sample
from pairset.rows import Refusal
from pairset.stages.common import DatabaseStage, rows, settings_digest
from pairset.stages.golds import by_gold
from pairset.stages.runs import batch_of, engine
from pairset.stages.schemas import schema_of
from pairset.values import stored_values
from sqltext.errors import NotAQuery
from sqltext.facts import analyse
from sqltext.schema import Schema


class PairsStage(DatabaseStage):
    """The neighbours of every gold that parses, from every generator that the config turns on."""

    name = "pairs"
    version = 2
    tables = ("pairs", "yields", "refused_pairs")
    reads = ("golds", "samples", "schemas")
    asks_executor = True

    def inputs(self, build: Build, unit: Unit) -> dict[str, str]:
        """The tables it reads, the generators' settings, the check, the engine that prepares."""
        return {
            **super().inputs(build, unit),
            "generators": settings_digest(build.config.generators, EVERY),
            "engine": engine(build.config.executor),
        }

    def make(self, build: Build, unit: Unit) -> Rows:
        """A row a pair, the counts of what every generator offered, the references turned away."""
        schemas = build.store.read("schemas", *unit.place)
        schema = schema_of(schemas)
        golds, refused = _golds(build, unit, schema)
        pairs = PairColumns()
        outcomes: Counter[Outcome] = Counter()
        with _means(build, unit, golds, schemas) as means:
            for gold, found in all_neighbors(golds, schema, means):
                made = pairs.add(gold, found)
                check_sample(gold, zip(found.kept, made, strict=True), schema)
                refused += found.refused
                outcomes += found.outcomes
        return rows(
            unit,
            pairs=pairs.table(),
            yields=to_table("yields", _yields(unit, outcomes)),
            refused_pairs=refused_table("pairs", refused),
        )


def _golds(build: Build, unit: Unit, schema: Schema) -> tuple[list[Serving], list[Refusal]]:
    """The golds that parse, and the references of those that do not."""
    golds: list[Serving] = []
    refused: list[Refusal] = []
    for served in by_gold(samples_of(build.store.read("samples", *unit.place))).values():
        sql = served[0].gold_sql
        gold_id = ids.gold_id(*unit.place, sql)
        try:
            golds.append(Serving(gold_id, served, analyse(sql, schema)))
        except NotAQuery:
            refused += refused_with_gold(gold_id, served)
    return golds, refused


@contextmanager
def _means(build: Build, unit: Unit, golds: list[Serving], schemas: pa.Table) -> Iterator[Means]:
    """What makes the neighbours of a database, its engine or its empty stand-in's among it."""
    told = build.config.generators.mutants
    weights = NAMED[told.weights]
    settings = Settings(told.cap, told.second_order, weights) if told.enabled else None
    means = Means(build.config.generators.enrichment, settings)
    if settings is None or not build.endpoints or not schemas.num_rows:
        yield means
        return
    terms = batch_of(build.config.executor, unit, schemas["tree"][0].as_py(), [])
    with build.client() as client:
        values = stored_values(client, terms, (gold.facts for gold in golds))
        prepare = partial(_refused, client, terms)
        yield replace(means, values=values, prepare=prepare)


def _refused(client: Client, terms: Batch, queries: list[str]) -> dict[str, str]:
    """What the engine does not prepare of ``queries``, each with the kind of error."""
    batch = replace(terms, want="prepare", queries=tuple(queries))
    answered = zip(queries, client.batch(batch), strict=True)
    return {
        sql: f"does_not_prepare: {answer.error_class}"
        for sql, answer in answered
        if answer.status != "ok"
    }


def _yields(unit: Unit, outcomes: Counter[Outcome]) -> Iterator[dict[str, Any]]:
    for (generator, operator, order, outcome), count in outcomes.items():
        yield {
            "dataset": unit.dataset,
            "db_id": unit.db_id,
            "generator": generator,
            "operator": operator,
            "order": order,
            "outcome": outcome,
            "count": count,
        }
