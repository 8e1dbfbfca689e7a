"""The table of pairs, filled column by column: most of a pair's columns say what its gold's say."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from pairset.ids import PairIds
from pairset.neighbors import Neighbor, Neighbors, Serving
from pairset.schema import TABLES
from sqltext.classify import aspects, strategy_family

_SCHEMA = TABLES["pairs"].schema
_OF_GOLD = (
    "gold_id", "gold_sql", "dataset", "db_id", "question", "evidence", "prompt_sha256",
    "source_sample_ids", "gold_family", "gold_l1",
)  # fmt: skip
_OF_PAIR = tuple(name for name in _SCHEMA.names if name not in _OF_GOLD)
# What has few values, each in many pairs.
_REPEATED = frozenset((
    "generator", "neighbor_origin", "operator", "mutation_class", "mutation_aspects",
    "neighbor_family", "strategy_family",
))  # fmt: skip


class PairColumns:
    """The pairs so far. What is a gold's own is kept once, with the number of its pairs."""

    def __init__(self) -> None:
        self._of_gold: dict[str, list[Any]] = {name: [] for name in _OF_GOLD}
        self._of_pair: dict[str, list[Any]] = {name: [] for name in _OF_PAIR}
        self._gold: list[int] = []

    def add(self, gold: Serving, found: Neighbors) -> Iterator[tuple[str, tuple[str, ...]]]:
        """A gold's pairs, in the order of record; the id of each, and what sets it apart.

        The first neighbour of each structural form other than the gold's is ``of_record``.
        """
        self._gold += [len(self._of_gold["gold_id"])] * len(found.kept)
        _append(self._of_gold, _gold_values(gold))
        _extend(self._of_pair, _source_values(found.kept))
        read = _read_values(gold, found.kept)
        _extend(self._of_pair, read)
        return zip(read["pair_id"], read["mutation_aspects"], strict=True)

    def table(self) -> pa.Table:
        """The pairs as the table of that name."""
        places = pa.array(self._gold, pa.int64())
        columns = {name: self._column(name, places) for name in _SCHEMA.names}
        return pa.table(columns, schema=_SCHEMA)

    def _column(self, name: str, places: pa.Array) -> pa.Array:
        kind = _SCHEMA.field(name).type
        if name in self._of_gold:
            return pa.array(self._of_gold[name], kind).take(places)
        values = self._of_pair[name]
        return _repeated(values, kind) if name in _REPEATED else pa.array(values, kind)


def _gold_values(gold: Serving) -> dict[str, Any]:
    first = gold.samples[0]
    return {
        "gold_id": gold.gold_id,
        "gold_sql": first.gold_sql,
        "dataset": first.dataset,
        "db_id": first.db_id,
        "question": first.question,
        "evidence": first.evidence,
        "prompt_sha256": first.prompt_sha256,
        "source_sample_ids": [sample.sample_id for sample in gold.samples],
        "gold_family": gold.facts.family,
        "gold_l1": gold.facts.structural,
    }


def _source_values(kept: Sequence[Neighbor]) -> dict[str, list[Any]]:
    """Where each came from, and what made it.

    What says that is null for a reference; a span is of one edit, so order 2 has none.
    """
    made = [neighbor.mutant for neighbor in kept]
    single = [mutant if mutant is not None and mutant.order == 1 else None for mutant in made]
    return {
        "neighbor_sql": [neighbor.sql for neighbor in kept],
        "generator": [neighbor.generator for neighbor in kept],
        "reference_index": [neighbor.reference_index for neighbor in kept],
        "neighbor_origin": [neighbor.origin for neighbor in kept],
        "operator": [mutant and mutant.operator for mutant in made],
        "parent_sql": [mutant and mutant.parent_sql for mutant in made],
        "order": [mutant and mutant.order for mutant in made],
        "edit_start": [mutant and mutant.start for mutant in single],
        "edit_end": [mutant and mutant.end for mutant in single],
    }


def _read_values(gold: Serving, kept: Sequence[Neighbor]) -> dict[str, list[Any]]:
    """What each is named by, and how it differs from its gold."""
    sample, features = gold.samples[0], gold.facts.features
    ids = PairIds(sample.dataset, sample.db_id, sample.gold_sql)
    differs = [aspects(features, neighbor.facts.features) for neighbor in kept]
    forms = [neighbor.facts.structural for neighbor in kept]
    return {
        "pair_id": [ids.of(neighbor.sql) for neighbor in kept],
        "mutation_class": [found[0] for found in differs],
        "mutation_aspects": differs,
        "neighbor_family": [neighbor.facts.family for neighbor in kept],
        "strategy_family": [strategy_family(features, n.facts.features) for n in kept],
        "neighbor_l1": forms,
        "neighbor_nondeterministic": [neighbor.facts.nondeterministic for neighbor in kept],
        "of_record": _first_ones(forms, {gold.facts.structural}),
    }


def _first_ones(forms: Sequence[str], seen: set[str]) -> list[bool]:
    """Which forms come for the first time; those of ``seen`` have come before."""
    first: list[bool] = []
    for form in forms:
        first.append(form not in seen)
        seen.add(form)
    return first


def _append(columns: dict[str, list[Any]], values: dict[str, Any]) -> None:
    for name, value in values.items():
        columns[name].append(value)


def _extend(columns: dict[str, list[Any]], values: dict[str, list[Any]]) -> None:
    for name, more in values.items():
        columns[name] += more


def _repeated(values: Sequence[Hashable], kind: pa.DataType) -> pa.Array:
    """An array whose distinct values are turned into Arrow's once each."""
    places: dict[Hashable, int] = {}
    codes = [places.setdefault(value, len(places)) for value in values]
    return pa.array(list(places), kind).take(pa.array(codes, pa.int64()))
