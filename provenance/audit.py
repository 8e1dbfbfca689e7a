"""audit: does each neighbour belong to the question of its gold? A row a pair; none is dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pairset.build import Build, Rows, Unit
from pairset.frames import samples_of, to_table
from pairset.neighbors import ENRICHMENT
from pairset.rows import Sample
from pairset.schema import TABLES
from pairset.stages.common import DatabaseStage, rows
from pairset.stages.schemas import schema_of
from provenance.owner import BUILDER_ERROR, OK, Asker, Gold, Golds, Verdict
from sqltext.errors import NotAQuery
from sqltext.footprint import footprint
from sqltext.parse import parse, release
from sqltext.schema import Schema
from sqltext.scope import resolve

_PAIR = ("pair_id", "gold_sql", "neighbor_sql", "reference_index", "source_sample_ids")
_UNOWNED: dict[str, object] = {
    "owner_sample_id": None, "owner_distance": None, "closeness_owner": None,
    "closeness_gold": None,
}  # fmt: skip


class AuditStage(DatabaseStage):
    """Marks the references that answer another question; a mutant is ``ok`` by construction."""

    name = "audit"
    version = 1
    tables = ("audit",)
    reads = ("pairs", "golds", "samples", "schemas")
    asks_executor = False

    def make(self, build: Build, unit: Unit) -> Rows:
        """A row a pair."""
        columns = (*_PAIR, "generator")
        pairs = build.store.read("pairs", *unit.place, columns=columns)
        is_reference = pc.equal(pairs["generator"], ENRICHMENT)
        references = pairs.filter(is_reference).select(_PAIR).to_pylist()
        found = judged(references, *read_database(build, unit))
        marked = to_table("audit", (_row(unit, *one) for one in found))
        return rows(
            unit, audit=pa.concat_tables([marked, _mutants(unit, pairs, pc.invert(is_reference))])
        )


def read_database(build: Build, unit: Unit) -> tuple[dict[str, Sample], Golds, Schema]:
    """The samples of a database by their ids, its golds that parse, and its schema."""
    store = build.store
    samples = {one.sample_id: one for one in samples_of(store.read("samples", *unit.place))}
    columns = ("gold_sql", "parses", "footprint", "source_sample_ids")
    golds = store.read("golds", *unit.place, columns=columns).to_pylist()
    schema = schema_of(store.read("schemas", *unit.place))
    return samples, golds_of(golds, samples), schema


def golds_of(golds: list[dict[str, Any]], samples: Mapping[str, Sample]) -> Golds:
    """The golds that parse, from rows of their table; one that does not owns nothing."""
    return Golds(
        Gold(
            row["gold_sql"],
            frozenset(row["footprint"]),
            tuple(Asker(samples[name].corpus_row, name) for name in row["source_sample_ids"]),
        )
        for row in golds
        if row["parses"]
    )


def read_footprint(sql: str, schema: Schema) -> frozenset[str]:
    """What a query touches; raises `sqltext.errors.NotAQuery`."""
    parsed = parse(sql)
    found = footprint(resolve(parsed, schema))
    release(parsed.nodes)
    return found


Judged = tuple[dict[str, Any], Sample | None, Verdict | None]
"""A pair, the sample where its reference stands, and the verdict on it."""


def judged(
    references: list[dict[str, Any]], samples: Mapping[str, Sample], golds: Golds, schema: Schema
) -> Iterator[Judged]:
    """Every pair judged.

    Without a sample it stands in none that it names, without a verdict one of its queries is none:
    either is the builder's error.
    """
    for pair in references:
        sample = standing(pair, samples)
        if sample is None or pair["gold_sql"] not in golds.by_sql:
            yield pair, sample, None
            continue
        try:
            touched = read_footprint(pair["neighbor_sql"], schema)
        except NotAQuery:
            yield pair, sample, None
            continue
        yield pair, sample, golds.judge(touched, pair["gold_sql"], sample.corpus_row)


def standing(pair: Mapping[str, Any], samples: Mapping[str, Sample]) -> Sample | None:
    """The first sample named that lists the neighbour at the place named beside that gold."""
    at = pair["reference_index"] - 1
    named = (samples[name] for name in pair["source_sample_ids"] if name in samples)
    return next(
        (
            one
            for one in named
            if one.gold_sql == pair["gold_sql"]
            and 0 <= at < len(one.references)
            and one.references[at] == pair["neighbor_sql"]
        ),
        None,
    )


def _row(
    unit: Unit, pair: Mapping[str, Any], sample: Sample | None, verdict: Verdict | None
) -> dict[str, object]:
    row: dict[str, object] = {
        "pair_id": pair["pair_id"],
        "dataset": unit.dataset,
        "db_id": unit.db_id,
        "generator": ENRICHMENT,
        **_UNOWNED,
    }
    if sample is None or verdict is None:
        place = f"groundtruth_sqls[{pair['reference_index']}]"
        nowhere = f"stands at {place} of none of the samples that the pair names"
        note = nowhere if sample is None else "its gold or its neighbour is no query"
        return row | {"provenance_check": BUILDER_ERROR, "provenance_note": note}
    row |= {"provenance_check": verdict.check, "provenance_note": verdict.note}
    row["closeness_gold"] = float(verdict.closeness_gold)
    if verdict.owner is not None and verdict.closeness_owner is not None:
        row["owner_sample_id"] = verdict.owner.sample_id
        row["owner_distance"] = verdict.owner.corpus_row - sample.corpus_row
        row["closeness_owner"] = float(verdict.closeness_owner)
    return row


def _mutants(unit: Unit, pairs: pa.Table, is_mutant: pa.ChunkedArray) -> pa.Table:
    """The rows of all pairs that an operator made."""
    kept = pairs.filter(is_mutant)
    same = {
        "dataset": unit.dataset,
        "db_id": unit.db_id,
        "provenance_check": OK,
        "provenance_note": "",
        **_UNOWNED,
    }
    schema = TABLES["audit"].schema
    columns = [
        kept[field.name]
        if field.name in ("pair_id", "generator")
        else pa.repeat(pa.scalar(same[field.name], field.type), kept.num_rows)
        for field in schema
    ]
    return pa.table(columns, schema=schema)
