"""golds: the distinct golds of every database, with what can be read off their text."""

from collections import defaultdict
from collections.abc import Iterable

from pairset import ids
from pairset.build import Build, Rows, Unit
from pairset.frames import refused_table, samples_of, to_table
from pairset.rows import Refusal, Sample
from pairset.stages.common import DatabaseStage, rows
from pairset.stages.schemas import schema_of
from sqltext.errors import NotAQuery
from sqltext.facts import analyse
from sqltext.keys import GOLD_FLAGS, gold_flags
from sqltext.schema import Schema

_UNREAD: dict[str, object] = {
    "parses": False, "ordered": None, "nondeterministic": None, "gold_cut": None,
    "gold_order_ties": None, "gold_bare_column": None, "gold_family": None, "gold_l1": None,
    "footprint": None,
}  # fmt: skip


class GoldsStage(DatabaseStage):
    """A gold is one text of one database, whatever number of samples it answers."""

    name = "golds"
    version = 2
    tables = ("golds", "refused_golds")
    reads = ("samples", "schemas")
    asks_executor = False

    def make(self, build: Build, unit: Unit) -> Rows:
        """A row a gold; those that do not parse are listed as refused, too."""
        schema = schema_of(build.store.read("schemas", *unit.place))
        samples = samples_of(build.store.read("samples", *unit.place))
        found = [gold_row(served, schema) for served in by_gold(samples).values()]
        return rows(
            unit,
            golds=to_table("golds", found),
            refused_golds=refused_table("golds", map(_refusal, _unread(found))),
        )


def by_gold(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    """The samples that each gold answers, in corpus order."""
    served: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        served[sample.gold_sql].append(sample)
    return served


def gold_row(served: list[Sample], schema: Schema) -> dict[str, object]:
    """The row of the gold that all of ``served`` have."""
    first = served[0]
    row: dict[str, object] = {
        "gold_id": ids.gold_id(first.dataset, first.db_id, first.gold_sql),
        "dataset": first.dataset,
        "db_id": first.db_id,
        "gold_sql": first.gold_sql,
        "corpus_row": first.corpus_row,
        "source_sample_ids": [sample.sample_id for sample in served],
        "refusal": "",
    }
    try:
        return row | _facts(first.gold_sql, schema)
    except NotAQuery as error:
        return row | _UNREAD | {"refusal": f"{error.reason}: {error}"}


def _facts(sql: str, schema: Schema) -> dict[str, object]:
    facts = analyse(sql, schema)
    set_flags = gold_flags(facts.scopes)
    return {
        "parses": True,
        "ordered": facts.ordered,
        "nondeterministic": facts.nondeterministic,
        "gold_family": facts.family,
        "gold_l1": facts.structural,
        "footprint": sorted(facts.footprint),
        **{flag: flag in set_flags for flag in GOLD_FLAGS},
    }


def _unread(found: list[dict[str, object]]) -> list[dict[str, object]]:
    return [row for row in found if not row["parses"]]


def _refusal(row: dict[str, object]) -> Refusal:
    samples = row["source_sample_ids"]
    first = samples[0] if isinstance(samples, list) else ""
    return Refusal(
        stage="golds",
        reason="gold_does_not_parse",
        dataset=str(row["dataset"]),
        db_id=str(row["db_id"]),
        place="groundtruth_sqls[0]",
        sample_id=first,
        gold_id=str(row["gold_id"]),
        sql=str(row["gold_sql"]),
        note=str(row["refusal"]),
    )
