"""Every reference pair is found again in the corpus, at the place it names, under its digest.

Nothing is shared with the builder but the declared schema: tables and corpus files are opened here,
and digests are written out here, after DESIGN section 3.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from pairset.config import CorpusConfig
from pairset.schema import TABLES
from provenance.errors import ProvenanceError
from provenance.extraction.corpus_files import Listed, listed

_ORIGIN = re.compile(r"sample (?P<sample>.*), groundtruth_sqls\[(?P<at>[0-9]+)\]", re.DOTALL)
_PLACE = re.compile(r"groundtruth_sqls\[(?P<at>[0-9]+)\]")
_PAIR = (
    "pair_id", "gold_id", "dataset", "db_id", "gold_sql", "neighbor_sql", "source_sample_ids",
    "generator", "reference_index", "neighbor_origin",
)  # fmt: skip

Place = tuple[str, str, str]
"""dataset, db_id, sample_id."""


@dataclass(frozen=True, slots=True)
class BuilderError:
    """One pair, or one reference without a pair, that is not what the corpus says."""

    reason: str
    dataset: str
    db_id: str
    pair_id: str
    note: str


@dataclass(slots=True)
class Proof:
    """What was looked at, and what was wrong with it.

    ``pairs`` counts all pairs, whose digests are checked; ``references`` those that are held
    against the corpus; ``listed`` the references of the corpus that had to be found again.
    """

    pairs: int = 0
    references: int = 0
    listed: int = 0
    errors: list[BuilderError] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether nothing was wrong."""
        return not self.errors

    @property
    def builder_error(self) -> int:
        """How many pairs, or references without one, are wrong."""
        return len({(e.pair_id, e.note if not e.pair_id else "") for e in self.errors})


def verify_extraction(
    root: Path, corpora: Iterable[CorpusConfig], *, enrichment: bool = True
) -> Proof:
    """Hold the pairs of the build in ``root`` against the files of its corpora.

    Without ``enrichment`` the corpus's references were not asked for, so none has to be there.
    """
    proof = Proof()
    corpus = _by_place(corpora)
    for path in sorted((root / "pairs").glob("*/*.parquet")):
        place = (path.parent.name, path.stem)
        claimed = _verify_shard(proof, path, corpus)
        claimed |= _refused(root / "refused_pairs" / path.relative_to(root / "pairs"))
        if enrichment:
            _verify_none_is_lost(proof, root, place, corpus, claimed)
    return proof


def _by_place(corpora: Iterable[CorpusConfig]) -> dict[Place, list[Listed]]:
    """The rows of all corpora; where an id comes twice, its pairs may stand in either row."""
    found: dict[Place, list[Listed]] = defaultdict(list)
    for corpus in corpora:
        for row in listed(corpus):
            found[row.dataset, row.db_id, row.sample_id].append(row)
    return found


def _verify_shard(
    proof: Proof, path: Path, corpus: dict[Place, list[Listed]]
) -> Counter[tuple[str, int]]:
    """Check every pair of one file; the references that its pairs are, by sample and index."""
    claimed: Counter[tuple[str, int]] = Counter()
    for pair in _rows(path, "pairs", _PAIR):
        proof.pairs += 1
        faults = list(_digest_faults(pair))
        if pair["generator"] == "finer_sql_enrichment":
            proof.references += 1
            faults += _place_faults(pair, corpus)
            origin = _ORIGIN.fullmatch(pair["neighbor_origin"])
            if origin is not None:
                claimed[origin["sample"], int(origin["at"])] += 1
        for reason, note in faults:
            place = (pair["dataset"], pair["db_id"])
            proof.errors.append(BuilderError(reason, *place, pair["pair_id"], note))
    return claimed


def _rows(path: Path, table: str, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    declared = TABLES[table].schema
    with pq.ParquetFile(path) as file:
        missing = [name for name in declared.names if name not in file.schema_arrow.names]
        if missing:
            raise ProvenanceError(
                f"table '{table}' of {path.parent.name}/{path.stem} has no column {missing[0]!r}; "
                f"make it again with: pairset {table}"
            )
        for batch in file.iter_batches(columns=list(columns)):
            yield from batch.to_pylist()


def _digest(*parts: str) -> str:
    """The sha256 of canonical JSON of a list of texts, as DESIGN section 3 says it."""
    text = json.dumps(list(parts), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _digest_faults(pair: dict[str, Any]) -> Iterator[tuple[str, str]]:
    place = pair["dataset"], pair["db_id"], pair["gold_sql"]
    if pair["pair_id"] != (due := _digest(*place, pair["neighbor_sql"])):
        yield "pair_id_is_no_digest", f"its fields give {due}"
    if pair["gold_id"] != (due := _digest(*place)):
        yield "gold_id_is_no_digest", f"its fields give {due}"


def _place_faults(
    pair: dict[str, Any], corpus: dict[Place, list[Listed]]
) -> Iterator[tuple[str, str]]:
    """What the corpus does not confirm of where a pair says that it stands."""
    origin = _ORIGIN.fullmatch(pair["neighbor_origin"])
    if origin is None or int(origin["at"]) != pair["reference_index"]:
        yield "origin_is_unclear", f"{pair['neighbor_origin']!r}, index {pair['reference_index']}"
        return
    sources = pair["source_sample_ids"]
    if origin["sample"] not in sources:
        yield "origin_is_no_source", f"sample {origin['sample']} is not of source_sample_ids"
    yield from _standing_faults(pair, origin["sample"], corpus)
    for sample in sources:
        rows = corpus.get((pair["dataset"], pair["db_id"], sample), [])
        if not any(row.gold == pair["gold_sql"] for row in rows):
            yield "source_has_another_gold", f"sample {sample}"


def _standing_faults(
    pair: dict[str, Any], sample: str, corpus: dict[Place, list[Listed]]
) -> Iterator[tuple[str, str]]:
    rows = corpus.get((pair["dataset"], pair["db_id"], sample), [])
    at = pair["reference_index"] - 1
    if not rows:
        yield "sample_is_not_in_the_corpus", f"sample {sample}"
    elif not any(
        row.gold == pair["gold_sql"] and row.references[at : at + 1] == (pair["neighbor_sql"],)
        for row in rows
        if at >= 0
    ):
        yield "reference_differs", f"sample {sample}, groundtruth_sqls[{at + 1}] is another text"


def _refused(path: Path) -> Counter[tuple[str, int]]:
    """The references that the builder lists as refused, by sample and index."""
    found: Counter[tuple[str, int]] = Counter()
    if path.exists():
        for row in _rows(path, "refused_pairs", ("sample_id", "place")):
            if place := _PLACE.fullmatch(row["place"]):
                found[row["sample_id"], int(place["at"])] += 1
    return found


def _verify_none_is_lost(
    proof: Proof,
    root: Path,
    place: tuple[str, str],
    corpus: dict[Place, list[Listed]],
    claimed: Counter[tuple[str, int]],
) -> None:
    """Every reference of every sample is one pair, or refused by name, and not both."""
    samples = root / "samples" / place[0] / f"{place[1]}.parquet"
    for row in _rows(samples, "samples", ("sample_id",)):
        listed_there = corpus.get((*place, row["sample_id"]), [])
        longest = max((len(one.references) for one in listed_there), default=0)
        for at in range(1, longest + 1):
            proof.listed += 1
            times = claimed[row["sample_id"], at]
            if times != 1:
                reason = "reference_is_lost" if not times else "reference_is_taken_twice"
                note = f"sample {row['sample_id']}, groundtruth_sqls[{at}]"
                proof.errors.append(BuilderError(reason, *place, "", note))
