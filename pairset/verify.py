"""Two proofs over a finished build: labels are the comparator's, and golds agree with themselves.

Labels are decided by digests. Here the rows themselves are fetched again for a sample of pairs and
compared cell by cell; and every gold is run once more, by another executor on other connections.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from db_execution.client import Client
from db_execution.comparator import same_answer
from db_execution.protocol import Answer
from pairset.build import Build, Unit
from pairset.ids import digest
from pairset.stages.runs import batch_of
from pairset.trees import ORIGINAL

SAMPLE = 2_000
MAX_ROWS = 50_000


@dataclass(slots=True)
class Verification:
    """What was compared. ``too_long`` pairs have more rows than one answer carries."""

    golds: int = 0
    golds_tied_with_themselves: int = 0
    pairs: int = 0
    pairs_agreed: int = 0
    pairs_too_long: int = 0
    disagreements: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether nothing disagreed."""
        return not self.disagreements


def verify_comparator(build: Build, *, sample: int = SAMPLE) -> Verification:
    """Compare every gold with itself, and ``sample`` labelled pairs by their rows."""
    found = Verification()
    chosen = _chosen(build, sample)
    with build.client() as client:
        for place in build.store.places("runs"):
            unit = Unit(*place[1:])
            _verify_golds(found, build, client, unit)
            _verify_pairs(found, build, client, unit, chosen.get(unit.place, []))
    return found


def _chosen(build: Build, sample: int) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The pairs to compare: those whose digests come first, so that any build draws the same."""
    keyed: list[tuple[str, dict[str, Any]]] = []
    for place in build.store.places("labels"):
        labels = build.store.read(*place, columns=["pair_id", "dataset", "db_id", "label"])
        ran = (row for row in labels.to_pylist() if row["label"] in ("tied", "separated"))
        keyed += [(digest(["verify", row["pair_id"]]), row) for row in ran]
        keyed = sorted(keyed, key=lambda k: k[0])[:sample]
    chosen: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for _, row in keyed:
        chosen[row["dataset"], row["db_id"]].append(row)
    return chosen


def _verify_golds(found: Verification, build: Build, client: Client, unit: Unit) -> None:
    golds = pl.DataFrame(build.store.read("golds", *unit.place))
    runs = pl.DataFrame(build.store.read("runs", *unit.place)).filter(pl.col("status") == "ok")
    both = golds.join(runs, left_on="gold_sql", right_on="sql", maintain_order="left")
    rows = both.select("gold_sql", "ordered", "list_digest", "multiset_digest").to_dicts()
    batch = batch_of(build.config.executor, unit, ORIGINAL, [row["gold_sql"] for row in rows])
    for row, again in zip(rows, client.batch(batch) if rows else (), strict=True):
        kind = "list_digest" if row["ordered"] else "multiset_digest"
        found.golds += 1
        if row[kind] == getattr(again, kind):
            found.golds_tied_with_themselves += 1
        else:
            found.disagreements.append(
                f"{unit.dataset}/{unit.db_id}: gold differs from itself: {row['gold_sql']}"
            )


def _verify_pairs(
    found: Verification, build: Build, client: Client, unit: Unit, labels: Iterable[dict[str, Any]]
) -> None:
    wanted = {row["pair_id"]: row["label"] for row in labels}
    if not wanted:
        return
    columns = ["pair_id", "gold_id", "gold_sql", "neighbor_sql"]
    pairs = pl.DataFrame(build.store.read("pairs", *unit.place, columns=columns))
    golds = pl.DataFrame(build.store.read("golds", *unit.place, columns=["gold_id", "ordered"]))
    chosen = (
        pairs.filter(pl.col("pair_id").is_in(list(wanted)))
        .join(golds, on="gold_id")
        .sort("pair_id")
    )
    for row, gold, neighbor in _answered(build, client, unit, chosen.to_dicts()):
        if gold.truncated or neighbor.truncated or gold.rows is None or neighbor.rows is None:
            found.pairs_too_long += 1
            continue
        found.pairs += 1
        same = same_answer(gold.rows, neighbor.rows, ordered=row["ordered"])
        if same == (wanted[row["pair_id"]] == "tied"):
            found.pairs_agreed += 1
        else:
            found.disagreements.append(f"pair {row['pair_id']}: labelled {wanted[row['pair_id']]}")


def _answered(
    build: Build, client: Client, unit: Unit, pairs: list[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], Answer, Answer]]:
    """Each pair with the rows of its two queries."""
    queries = [sql for row in pairs for sql in (row["gold_sql"], row["neighbor_sql"])]
    batch = batch_of(build.config.executor, unit, ORIGINAL, queries)
    answers = client.batch(replace(batch, want="rows", max_rows=MAX_ROWS))
    for row in pairs:
        yield row, next(answers), next(answers)
