"""references: what becomes of every entry of every list, and how likely it is another sample's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from pairset import ids
from pairset.build import Build, Rows, Unit
from pairset.frames import to_table
from pairset.neighbors import ENRICHMENT
from pairset.rows import Sample
from pairset.stages.common import DatabaseStage, rows, settings_digest
from pairset.stages.runs import batch_of, engine
from pairset.trees import ORIGINAL, database_digest
from provenance.audit import read_database, standing
from provenance.gates import Offer, extra_tables, is_misaligned
from provenance.references import Answers, Desk, Reader, Reference, Text
from provenance.score.blocks import RECORD
from provenance.score.evidence import UNSCORED, Scored, scores
from provenance.sorting import Fate, sort_references

_RUN = ("sql", "status", "error_class", "list_digest", "multiset_digest")
_PAIR = ("pair_id", "gold_sql", "neighbor_sql", "reference_index", "source_sample_ids")
_VERDICT = (
    "provenance_check", "provenance_note", "owner_sample_id", "closeness_owner", "closeness_gold",
)  # fmt: skip


class ReferencesStage(DatabaseStage):
    """Sorts every reference through the gates; the texts that no pair has are run here."""

    name = "references"
    version = 1
    tables = ("provenance_scores", "reference_audit", "removed_references")
    reads = ("samples", "golds", "schemas", "pairs", "runs")
    asks_executor = True

    def inputs(self, build: Build, unit: Unit) -> dict[str, str]:
        """The tables it reads, the database's bytes, how queries run, and the score's weights."""
        executor = build.config.executor
        terms = (executor.timeout_s, executor.max_vm_steps, executor.clock, executor.seed)
        return {
            **super().inputs(build, unit),
            "database": database_digest(build, *unit.place) or "missing",
            "engine": engine(executor),
            "terms": settings_digest(*terms),
            "weights": settings_digest(*asdict(RECORD).items()),
        }

    def make(self, build: Build, unit: Unit) -> Rows:
        """A row an entry; of those that their own sample does not keep, another."""
        if not _has_references(build, unit):  # most corpora have none: nothing is read or run
            return rows(unit, **{table: to_table(table, ()) for table in self.tables})
        desk, texts = desk_of(build, unit)
        scored = scores(desk, texts)
        fates = sort_references(desk, texts, scored)
        audit = [_audit_row(unit, desk, fate, scored) for fate in fates]
        removed = [_removed_row(unit, fate) for fate in fates if fate.gate is not None]
        return rows(
            unit,
            provenance_scores=to_table("provenance_scores", _score_rows(build, unit, desk, scored)),
            reference_audit=to_table("reference_audit", audit),
            removed_references=to_table("removed_references", removed),
        )


def _has_references(build: Build, unit: Unit) -> bool:
    lists = build.store.read("samples", *unit.place, columns=["references"])["references"]
    return any(lists.to_pylist())


def desk_of(build: Build, unit: Unit) -> tuple[Desk, dict[str, Text]]:
    """All that is known of a database's references, and what is read off its golds that parse."""
    samples, golds, schema = read_database(build, unit)
    reader = Reader(schema)
    listed = tuple(
        reader.reference(sample, index)
        for sample in samples.values()
        for index in range(1, len(sample.references) + 1)
    )
    read = {sql: reader.read(sql) for sql in golds.by_sql}
    texts = {sql: found for sql, found in read.items() if isinstance(found, Text)}
    answers = _answers(build, unit, [*texts, *_texts(listed)])
    return Desk(tuple(samples.values()), golds, listed, answers), texts


def _texts(listed: Iterable[Reference]) -> Iterator[str]:
    return (one.sql for one in listed if one.text is not None and one.sql is not None)


def _answers(build: Build, unit: Unit, wanted: Sequence[str]) -> Answers:
    """The runs of a database, those added that the stage of runs had no pair for."""
    columns = ("gold_sql", "ordered")
    golds = build.store.read("golds", *unit.place, columns=columns).to_pylist()
    ordered = {row["gold_sql"]: bool(row["ordered"]) for row in golds}
    if database_digest(build, *unit.place) is None:
        return Answers((), ordered, missing=True)
    asked = set(wanted)
    known = build.store.read("runs", *unit.place, columns=_RUN)
    runs = [row for batch in known.to_batches() for row in batch.to_pylist() if row["sql"] in asked]
    missing = sorted(asked - {row["sql"] for row in runs})
    return Answers([*runs, *_run(build, unit, missing)], ordered, missing=False)


def _run(build: Build, unit: Unit, queries: list[str]) -> list[dict[str, Any]]:
    if not queries:
        return []
    with build.client() as client:
        answers = list(client.batch(batch_of(build.config.executor, unit, ORIGINAL, queries)))
    return [
        {"sql": sql, **{name: getattr(answer, name) for name in _RUN[1:]}}
        for sql, answer in zip(queries, answers, strict=True)
    ]


def _place(unit: Unit, reference: Reference) -> dict[str, Any]:
    return {
        "dataset": unit.dataset,
        "db_id": unit.db_id,
        "corpus_row": reference.sample.corpus_row,
        "sample_id": reference.sample.sample_id,
        "reference_index": reference.index,
        "sql": reference.sql,
    }


def _audit_row(
    unit: Unit, desk: Desk, fate: Fate, scored: Mapping[tuple[int, int], Scored]
) -> dict[str, Any]:
    reference = fate.reference
    offer = Offer(desk, reference, reference.sample, {})
    return {
        **_place(unit, reference),
        "pair_id": None
        if reference.sql is None
        else _pair_id(unit, reference.sample, reference.sql),
        "gate": fate.gate,
        "reason": fate.reason,
        **_verdict(offer),
        **_score(scored.get(reference.place, UNSCORED)),
        "reads_extra_tables": extra_tables(replace(offer, sample=fate.ends or reference.sample)),
        "ends_corpus_row": fate.ends and fate.ends.corpus_row,
        "ends_sample_id": fate.ends and fate.ends.sample_id,
        "ends_index": fate.at,
    }


def _pair_id(unit: Unit, sample: Sample, sql: str) -> str:
    return ids.pair_id(*unit.place, sample.gold_sql, sql)


def _verdict(offer: Offer) -> dict[str, Any]:
    """The definition of record, on texts alone; null where one of them is no query."""
    verdict = is_misaligned(offer)
    if verdict is None:
        return dict.fromkeys(_VERDICT)
    owner, closest = verdict.owner, verdict.closeness_owner
    told = (
        verdict.check,
        verdict.note,
        owner and owner.sample_id,
        None if closest is None else float(closest),
        float(verdict.closeness_gold),
    )
    return dict(zip(_VERDICT, told, strict=True))


def _score(scored: Scored) -> dict[str, Any]:
    return {
        "provenance_score": scored.chance,
        "score_owner_sample_id": scored.owner and scored.owner.sample_id,
        "score_evidence": scored.evidence,
    }


def _removed_row(unit: Unit, fate: Fate) -> dict[str, Any]:
    offers = ", ".join(f"{gate} {count}" for gate, count in sorted(fate.offers.items()))
    return {
        **_place(unit, fate.reference),
        "gate": fate.gate,
        "reason": fate.reason,
        "offers": offers,
        "ends_sample_id": fate.ends and fate.ends.sample_id,
        "ends_index": fate.at,
    }


def _score_rows(
    build: Build, unit: Unit, desk: Desk, scored: Mapping[tuple[int, int], Scored]
) -> Iterator[dict[str, Any]]:
    """The score of every pair that is a reference, where it stands."""
    samples = {one.sample_id: one for one in desk.samples}
    pairs = build.store.read("pairs", *unit.place, columns=(*_PAIR, "generator"))
    for batch in pairs.to_batches():
        for pair in batch.to_pylist():
            sample = standing(pair, samples) if pair["generator"] == ENRICHMENT else None
            if sample is not None:
                score = scored.get((sample.corpus_row, pair["reference_index"]), UNSCORED)
                place = {"dataset": unit.dataset, "db_id": unit.db_id}
                yield {"pair_id": pair["pair_id"], **place, **_score(score)}
