"""Neighbours of one gold: what is kept, in which order, and why the rest is not."""

from dataclasses import replace

import pytest

from mutants.mutate import Settings
from pairset.neighbors import Means, Neighbors, Serving, all_neighbors
from pairset.rows import Sample
from sqltext.facts import analyse
from sqltext.schema import Schema, TableSchema

SCHEMA = Schema([TableSchema("t", ("a", "b"), ("INTEGER", "TEXT"))])
GOLD = "SELECT a FROM t WHERE b = 'x'"


def sample(*references: str | None, sample_id: str = "s1") -> Sample:
    return Sample(0, sample_id, "d", "db", "?", "", GOLD, references, None, "train")


def found(*samples: Sample, mutants: bool = False) -> Neighbors:
    gold = Serving("0" * 64, samples, analyse(GOLD, SCHEMA))
    means = Means(enrichment=True, settings=Settings() if mutants else None)
    [(_, found)] = all_neighbors([gold], SCHEMA, means)
    return found


def reasons(*samples: Sample) -> list[tuple[str, str]]:
    return [(refusal.place, refusal.reason) for refusal in found(*samples).refused]


def test_references_keep_the_place_they_have_in_the_corpus() -> None:
    kept = found(sample("SELECT b FROM t", "SELECT count(*) FROM t")).kept
    assert [(one.reference_index, one.origin) for one in kept] == [
        (1, "sample s1, groundtruth_sqls[1]"),
        (2, "sample s1, groundtruth_sqls[2]"),
    ]


def test_the_references_of_every_sample_of_a_gold_are_its_neighbours() -> None:
    kept = found(sample("SELECT 1"), sample("SELECT 2", sample_id="s2")).kept
    assert [one.origin[:9] for one in kept] == ["sample s1", "sample s2"]


def test_a_reference_that_is_no_neighbour_says_why() -> None:
    turned_away = sample(
        None, "  ", "SELECT FROM", "select a from t where (b='x')", "SELECT 1", "select 1;"
    )
    assert reasons(turned_away) == [
        ("groundtruth_sqls[1]", "reference_is_no_text"),
        ("groundtruth_sqls[2]", "reference_is_empty"),
        ("groundtruth_sqls[3]", "reference_does_not_parse"),
        ("groundtruth_sqls[4]", "same_query_as_gold"),
        ("groundtruth_sqls[6]", "repeats_a_neighbor"),
    ]


def test_the_parsers_word_is_kept() -> None:
    refused = found(sample("SELECT a FROM t; DROP TABLE t")).refused
    assert refused[0].note == "two_statements: another statement at 17"


def test_a_double_quoted_value_is_the_same_query_as_the_single_quoted() -> None:
    assert reasons(sample('SELECT a FROM t WHERE b = "x"')) == [
        ("groundtruth_sqls[1]", "same_query_as_gold")
    ]


def test_a_mutant_that_a_reference_wrote_already_is_counted_not_kept() -> None:
    made = found(sample("SELECT DISTINCT a FROM t WHERE b = 'x'"), mutants=True)
    assert made.outcomes["mutant_grammar", "SC.SEL", 1, "repeats_a_neighbor"] == 1
    assert [one.generator for one in made.kept][:2] == ["finer_sql_enrichment", "mutant_grammar"]


def test_golds_that_do_not_grow_side_by_side_have_the_same_neighbours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def prepare(queries: list[str]) -> dict[str, str]:
        asked.append(len(queries))
        return {sql: "does_not_prepare: other" for sql in queries if "CROSS" in sql}

    def grown() -> list[tuple[str, list[str]]]:
        asked.clear()
        texts = [GOLD, "SELECT b FROM t WHERE a > 1", "SELECT count(*) FROM t GROUP BY b"]
        golds = [
            Serving(str(at), [replace(sample(), gold_sql=sql)], analyse(sql, SCHEMA))
            for at, sql in enumerate(texts)
        ]
        means = Means(enrichment=True, settings=Settings(cap=30), prepare=prepare)
        found = all_neighbors(golds, SCHEMA, means)
        return [(gold.gold_id, [one.sql for one in its.kept]) for gold, its in found]

    together = grown()
    assert len(asked) == 2
    monkeypatch.setattr("pairset.neighbors._TOGETHER", 1)
    assert grown() == together
    assert len(asked) == 6
