"""Laws over answers: what can never be, and rewrites that change nothing, run on real databases.

`(1=0)` in the place of a condition. Where that condition is the whole of the outermost WHERE,
HAVING or inner join's ON, or one side of an AND there, no row passes, so the answer is empty and
differs from every answer that is not. Two things may stand between: an aggregate without GROUP BY
gives one row even so, and an arm of a compound, an inner query, an OR or a NOT says nothing of the
whole.

A rewrite is tied with its gold. Another way of reading the same rows may be chosen for it, so where
an answer hangs on the order in which rows are read, the pair's flags have to say so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from bench.laws import Found, Row
from bench.rewrites import rewrites
from db_execution.client import Client
from pairset.build import Build, Unit
from pairset.frames import to_table
from pairset.labels import UNSTABLE, label_pairs
from pairset.stages.runs import batch_of, run_rows
from pairset.stages.schemas import schema_of
from pairset.trees import ORIGINAL
from sqltext.clauses import From, Having, Join, On, Select, Where
from sqltext.expressions import Logical, Node, Paren
from sqltext.facts import Facts, analyse
from sqltext.parse import Parsed
from sqltext.rows import rows_of

NEVER = "(1=0)"
EMPTY, ONE_ROW, ELSEWHERE = "empty", "one_row", "elsewhere"
_INNER = ("JOIN", "INNER JOIN", "CROSS JOIN", ",")
_MOST = 40  # rewrites of one gold


@dataclass(frozen=True, slots=True)
class Tried:
    """A query beside its gold: ``kind`` is what has to hold of the two, ``name`` who made it."""

    gold_id: str
    gold_sql: str
    sql: str
    kind: str
    name: str


def execute(build: Build, unit: Unit, client: Client, wanted: frozenset[str], found: Found) -> None:
    """Run the golds ``wanted`` of one database, with what is tried beside each, and judge it."""
    schema = schema_of(build.store.read("schemas", *unit.place))
    golds = pl.DataFrame(build.store.read("golds", *unit.place))
    mutants = pl.DataFrame(build.store.read("pairs", *unit.place)).filter(order=1)
    tried: list[Tried] = []
    for gold in golds.filter(pl.col("gold_id").is_in(wanted) & pl.col("parses")).to_dicts():
        facts = analyse(gold["gold_sql"], schema)
        own = mutants.filter(gold_id=gold["gold_id"]).to_dicts()
        tried += _tried(gold["gold_id"], facts, own)
        found.counts["golds"] += 1
    texts = sorted({one.gold_sql for one in tried} | {one.sql for one in tried})
    answers = client.batch(batch_of(build.config.executor, unit, ORIGINAL, texts))
    runs = to_table("runs", run_rows(unit, ORIGINAL, zip(texts, answers, strict=True)))
    labels = _labelled(unit, tried, golds, pl.DataFrame(runs))
    for one, row in zip(tried, labels, strict=True):
        _judge(one, {**row, "dataset": unit.dataset, "db_id": unit.db_id}, found)


def _tried(gold_id: str, facts: Facts, mutants: Sequence[Row]) -> Iterator[Tried]:
    parsed = facts.scopes.parsed
    for row in mutants:
        start, end = row["edit_start"], row["edit_end"]
        written = len(row["neighbor_sql"]) - len(parsed.sql) + end
        if row["neighbor_sql"][start:written].strip() == NEVER:
            kind = what_never_gives(facts, start, end)
            yield Tried(gold_id, parsed.sql, row["neighbor_sql"], kind, row["operator"])
    for name, sql in list(rewrites(facts.scopes))[:_MOST]:
        yield Tried(gold_id, parsed.sql, sql, "same", name)


def _labelled(
    unit: Unit, tried: Sequence[Tried], golds: pl.DataFrame, runs: pl.DataFrame
) -> list[dict[str, Any]]:
    """The label of each, in order, by the one function that decides."""
    pairs = pl.DataFrame(
        [
            (str(at), one.gold_id, *unit.place, one.gold_sql, one.sql, False)
            for at, one in enumerate(tried)
        ],
        schema={
            "pair_id": pl.String, "gold_id": pl.String, "dataset": pl.String, "db_id": pl.String,
            "gold_sql": pl.String, "neighbor_sql": pl.String,
            "neighbor_nondeterministic": pl.Boolean,
        },
        orient="row",
    )  # fmt: skip
    labels = label_pairs(pairs, golds, runs)
    status = runs.select(neighbor_sql="sql", error_class="error_class")
    return (
        labels.join(pairs.select("pair_id", "neighbor_sql"), on="pair_id", maintain_order="left")
        .join(status, on="neighbor_sql", how="left", maintain_order="left")
        .to_dicts()
    )


def _judge(one: Tried, row: dict[str, Any], found: Found) -> None:
    """Count what was seen, and note what may not be."""
    label = row["label"]
    told = row | {"operator": one.name, "gold_sql": one.gold_sql, "neighbor_sql": one.sql}
    if label not in ("tied", "separated"):
        found.counts[f"{one.kind}: no answer ({label})"] += 1
        if label == "neighbor_error" and row["error_class"] not in ("vm_steps", "wall_time"):
            found.fail("what runs still runs", told, str(row["error_class"]))
        return
    broken = _BROKEN[one.kind](row)
    unstable = sorted(set(row["exec_flags"]) & set(UNSTABLE) - {"both_empty"})
    kind = one.kind if one.kind != "same" else f"same, {one.name}"
    if broken and one.kind == "same" and unstable:
        found.counts[f"{kind}: separated under {'+'.join(unstable)}"] += 1
    elif broken:
        found.fail(broken, told, f"{row['gold_row_count']} and {row['neighbor_row_count']} rows")
    else:
        found.counts[f"{kind}: {label}"] += 1


def _empty_broken(row: dict[str, Any]) -> str | None:
    """No row; separated wherever the gold has one."""
    if row["neighbor_row_count"] != 0:
        return "(1=0) leaves no row"
    right = "separated" if row["gold_row_count"] else "tied"
    return None if row["label"] == right else "(1=0) is separated from every answer with rows"


def _one_row_broken(row: dict[str, Any]) -> str | None:
    return "an aggregate over nothing gives one row" if row["neighbor_row_count"] > 1 else None


def _same_broken(row: dict[str, Any]) -> str | None:
    return None if row["label"] == "tied" else "a rewrite is tied"


_BROKEN = {
    EMPTY: _empty_broken,
    ONE_ROW: _one_row_broken,
    ELSEWHERE: lambda row: None,
    "same": _same_broken,
}


def what_never_gives(facts: Facts, start: int, end: int) -> str:
    """What the answer is once a condition at those characters of the text never holds."""
    parsed = facts.scopes.parsed
    core = parsed.query.cores[0]
    if len(parsed.query.cores) > 1 or not isinstance(core, Select):
        return ELSEWHERE
    clause = _clause(parsed, start, end)
    if clause is None or _core_of(clause) is not core:
        return ELSEWHERE
    grouped = core.group is not None or isinstance(clause, Having)
    return EMPTY if grouped or not rows_of(facts.scopes).aggregates.get(core) else ONE_ROW


def _clause(parsed: Parsed, start: int, end: int) -> Node | None:
    """The clause of which the condition there is the whole, or a side of an AND; or None."""
    spans = ((node, parsed.start(node), parsed.end(node)) for node in parsed.nodes)
    node = [node for node, first, last in spans if (first, last) == (start, end)][-1]
    at = node.parent
    while isinstance(at, Paren) or (isinstance(at, Logical) and at.op == "AND"):
        at = at.parent
    if isinstance(at, On):
        joins = at.parent.parent if at.parent is not None else None
        inner = isinstance(joins, From) and all(j.op in _INNER for j in joins.joins)
        return at if inner else None
    return at if isinstance(at, Where | Having) else None


def _core_of(clause: Node) -> Node | None:
    at = clause.parent
    while isinstance(at, Join | From):
        at = at.parent
    return at
