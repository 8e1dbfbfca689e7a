"""The laws of `bench.grammar` over the sample's build, and that each of them can fail."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from bench.executed import ELSEWHERE, EMPTY, ONE_ROW, execute, what_never_gives
from bench.laws import Found, Row, check_gold, second_opinion
from bench.rewrites import REWRITES, rewrites
from pairset.build import Build
from pairset.neighbors import GRAMMAR
from pairset.stages.pairs import PairsStage
from pairset.stages.schemas import schema_of
from sqltext.facts import analyse
from sqltext.schema import Schema, TableSchema
from tests.pairset.sample_build import frame


def mutants_of(build: Build, db_id: str) -> tuple[list[list[Row]], Schema]:
    """The mutants of a database of the sample, gold by gold."""
    pairs = pl.DataFrame(build.store.read("pairs", "sample", db_id)).filter(generator=GRAMMAR)
    groups = pairs.partition_by("gold_id", maintain_order=True)
    schema = schema_of(build.store.read("schemas", "sample", db_id))
    return [[*group.to_dicts()] for group in groups], schema


def test_every_law_holds_for_every_mutant_of_the_sample(sample: Build) -> None:
    found, every_id = Found(), set[str]()
    for _, _, db_id in sample.store.places("pairs"):
        groups, schema = mutants_of(sample, db_id)
        for group in groups:
            check_gold(group, schema, found, every_id)
    assert found.broken == []
    assert found.counts["mutants"] == frame(sample, "pairs").filter(generator=GRAMMAR).height


SPOILED: dict[str, Callable[[Row], dict[str, Any]]] = {
    "parses": lambda row: {"neighbor_sql": row["neighbor_sql"] + " WHERE WHERE"},
    "verbatim outside the span": lambda row: {"neighbor_sql": " " + row["neighbor_sql"]},
    "the id is the digest of the row": lambda row: {"pair_id": "0" * 64},
    "its text says what its row says": lambda row: {"mutation_aspects": ["other_changed"]},
    "exact form is neither the gold's nor a sibling's": lambda row: {
        "neighbor_sql": f"{row['gold_sql']} "
    },
}


@pytest.mark.parametrize("law", SPOILED)
def test_a_row_that_breaks_a_law_is_found(sample: Build, law: str) -> None:
    groups, schema = mutants_of(sample, "library")
    spoiled: list[Row] = [{**groups[0][0], **SPOILED[law](groups[0][0])}, *groups[0][1:]]
    found = Found()
    check_gold(spoiled, schema, found, set())
    assert law in {one["law"] for one in found.broken}
    assert found.counts["broken"] >= 1


def test_an_id_that_comes_twice_is_found(sample: Build) -> None:
    groups, schema = mutants_of(sample, "library")
    found = Found()
    check_gold([groups[0][0], groups[0][0]], schema, found, set())
    assert "ids are unique" in {one["law"] for one in found.broken}


def test_another_parser_reads_nearly_every_mutant_and_sees_a_difference(sample: Build) -> None:
    found, kinds = Found(), Counter[str]()
    for group in mutants_of(sample, "library")[0]:
        second_opinion(group, found, kinds)
    assert found.counts["asked_of_sqlglot"] > 500
    assert found.counts["sqlglot_agrees"] > 0.99 * found.counts["asked_of_sqlglot"]


def test_never_empties_an_answer_and_rewrites_change_none(sample: Build) -> None:
    found = Found()
    wanted = frozenset(frame(sample, "golds")["gold_id"])
    with sample.client() as client:
        for unit in PairsStage().units(sample):
            execute(sample, unit, client, wanted, found)
    assert found.broken == []
    assert found.counts["golds"] == len(wanted)
    assert found.counts["empty: separated"] > 20
    assert found.counts["one_row: separated"] > 0
    for name in REWRITES:
        assert found.counts[f"same, {name}: tied"] > 0


@pytest.mark.parametrize(
    ("sql", "fate"),
    [
        ("SELECT a FROM t WHERE a = 1", EMPTY),
        ("SELECT a FROM t WHERE (b = 2 AND (a = 1))", EMPTY),
        ("SELECT count(*) FROM t WHERE a = 1 GROUP BY b", EMPTY),
        ("SELECT b, max(a) FROM t GROUP BY b HAVING a = 1", EMPTY),
        ("SELECT x.b FROM t AS x JOIN t AS y ON a = 1 AND x.b = y.b", EMPTY),
        ("SELECT a, (SELECT count(*) FROM t) FROM t WHERE a = 1", EMPTY),
        ("SELECT count(*) FROM t WHERE a = 1", ONE_ROW),
        ("SELECT 1 FROM t WHERE a = 1 ORDER BY max(b)", ONE_ROW),
        ("SELECT a FROM t WHERE a = 1 OR b = 2", ELSEWHERE),
        ("SELECT a FROM t WHERE NOT a = 1", ELSEWHERE),
        ("SELECT a FROM t WHERE b IN (SELECT b FROM t WHERE a = 1)", ELSEWHERE),
        ("SELECT a FROM t WHERE a = 1 UNION SELECT b FROM t", ELSEWHERE),
        ("SELECT x.b FROM t AS x LEFT JOIN t AS y ON a = 1", ELSEWHERE),
    ],
)
def test_what_is_left_where_a_condition_never_holds(sql: str, fate: str) -> None:
    start = sql.index("a = 1")
    assert what_never_gives(analyse(sql), start, start + len("a = 1")) == fate


def test_a_rewrite_that_is_none_would_be_found(
    sample: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    turned = REWRITES["turned"]
    wrong = lambda parsed, node: (turned(parsed, node) or "").replace(">", "<") or None  # noqa: E731
    monkeypatch.setitem(REWRITES, "turned", wrong)
    found = Found()
    wanted = frozenset(frame(sample, "golds")["gold_id"])
    with sample.client() as client:
        for unit in PairsStage().units(sample)[:2]:
            execute(sample, unit, client, wanted, found)
    assert {one["operator"] for one in found.broken} == {"turned"}
    assert {one["law"] for one in found.broken} == {"a rewrite is tied"}


def test_where_a_collation_is_named_nothing_is_rewritten() -> None:
    sql = "SELECT a FROM t WHERE a = b"
    assert list(rewrites(analyse(sql).scopes))
    assert not list(rewrites(analyse(f"{sql} COLLATE nocase").scopes))
    named = TableSchema(name="t", columns=("a", "b"), collations=("some", "some"))
    assert not list(rewrites(analyse(sql, Schema([named])).scopes))
