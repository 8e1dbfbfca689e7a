"""The embedded sample corpus: its databases hold together, and its questions are what they say."""

import json
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Any

import apsw
import pytest

from pairset.config import load_config
from pairset.corpus import known_databases, read_corpora, sample_scripts
from tests.pairset.corpus.made import spec

QUESTIONS: list[dict[str, Any]] = json.loads(
    (files("pairset.corpus.sample") / "questions.json").read_bytes()
)["questions"]
BY_ID = {one["sample_id"]: one for one in QUESTIONS}
CLAUSES = (
    "WHERE", " AND ", " OR ", "BETWEEN", " IN ('", " IN (SELECT", "NOT IN", "NOT EXISTS", "LIKE",
    "IS NULL", "IS NOT NULL", " JOIN ", "LEFT JOIN", "GROUP BY", "HAVING", "COUNT(*)",
    "COUNT(DISTINCT", "SUM(", "AVG(", "MIN(", "MAX(", "ORDER BY", " DESC", "LIMIT", "OFFSET",
    "SELECT DISTINCT", " UNION ", "INTERSECT", "EXCEPT", "CASE WHEN", "CAST(", " * ", " / ", " - ",
    "strftime(", "date(", "julianday(", " OVER (", "PARTITION BY", "WITH ", "WITH RECURSIVE",
    "FROM (SELECT", "> (SELECT", "COALESCE(", "IIF(", "length(", "substr(", "||", "COLLATE",
    '"Lyon"', "film AS f, screening AS s", "employee AS e JOIN employee AS m", "<>", "<=", "ROUND(",
)  # fmt: skip
Rows = list[tuple[Any, ...]]


@cache
def database(db_id: str) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(sample_scripts()[db_id])
    return connection


@cache
def answer(db_id: str, sql: str) -> tuple[tuple[Any, ...], ...]:
    return tuple(database(db_id).execute(sql))


def ordered(sql: str) -> bool:
    """Whether the outermost query has an ORDER BY: one that stands in no parentheses."""
    depths = accumulate((char == "(") - (char == ")") for char in sql)
    return "ORDER BY" in "".join(char for char, depth in zip(sql, depths, strict=True) if not depth)


def same(sample: dict[str, Any], sql: str) -> bool:
    gold, other = answer(sample["db_id"], sample["gold"]), answer(sample["db_id"], sql)
    return gold == other if ordered(sample["gold"]) else Counter(gold) == Counter(other)


def references(*kinds: str) -> list[tuple[dict[str, Any], str]]:
    return [
        (sample, one["sql"])
        for sample in QUESTIONS
        for one in sample["references"]
        if one["kind"] in kinds
    ]


@pytest.mark.parametrize("db_id", sample_scripts())
def test_a_database_is_made_and_its_keys_hold(db_id: str) -> None:
    assert not list(database(db_id).execute("PRAGMA foreign_key_check"))
    assert list(database(db_id).execute("PRAGMA integrity_check")) == [("ok",)]
    tables = list(database(db_id).execute("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    rows = [answer(db_id, f'SELECT count(*) FROM "{name}"')[0][0] for (name,) in tables]
    assert min(rows) >= 5
    assert 30 <= sum(rows) <= 100


@pytest.mark.parametrize("db_id", sample_scripts())
def test_a_database_declares_every_kind_of_key(db_id: str) -> None:
    script = sample_scripts()[db_id]
    assert all(word in script for word in ("PRIMARY KEY", "NOT NULL UNIQUE", "REFERENCES"))
    assert "NULL," in script.replace("NOT NULL,", "")


def test_there_are_questions_enough_on_every_database() -> None:
    counts = Counter(one["db_id"] for one in QUESTIONS)
    assert counts.keys() == sample_scripts().keys()
    assert len(QUESTIONS) >= 60
    assert min(counts.values()) >= 12


def test_a_question_reads_like_one() -> None:
    assert len({one["question"] for one in QUESTIONS}) == len(QUESTIONS)
    for one in QUESTIONS:
        assert one["question"][0].isupper(), one["question"]
        assert one["question"][-1] in ".?", one["question"]


@pytest.mark.parametrize("clause", CLAUSES)
def test_the_golds_have_every_clause(clause: str) -> None:
    assert any(clause in one["gold"] for one in QUESTIONS)


def test_every_gold_gives_an_answer() -> None:
    assert all(answer(one["db_id"], one["gold"]) for one in QUESTIONS)


def test_few_answers_are_trivial() -> None:
    trivial = [
        one for one in QUESTIONS if answer(one["db_id"], one["gold"]) in (((0,),), ((None,),))
    ]
    assert len(trivial) <= 0.15 * len(QUESTIONS)


def test_a_gold_gives_the_same_answer_twice() -> None:
    for one in QUESTIONS:
        again = tuple(database(one["db_id"]).execute(one["gold"]))
        assert again == answer(one["db_id"], one["gold"])


def test_a_rewrite_gives_the_golds_answer() -> None:
    assert not [sql for sample, sql in references("rewrite") if not same(sample, sql)]


def test_most_near_misses_are_told_apart_but_not_all() -> None:
    tied = [same(sample, sql) for sample, sql in references("near_miss")]
    assert 0.1 <= sum(tied) / len(tied) <= 0.3


def test_a_broken_reference_does_not_compile() -> None:
    for sample, sql in references("broken"):
        with pytest.raises(apsw.SQLError):
            answer(sample["db_id"], sql)


def test_a_duplicate_repeats_an_earlier_text() -> None:
    for sample, sql in references("duplicate"):
        texts = [sample["gold"]] + [one["sql"] for one in sample["references"]]
        assert texts.count(sql) == 2


def test_every_sample_has_references() -> None:
    kinds = Counter(one["kind"] for sample in QUESTIONS for one in sample["references"])
    assert all(len(one["references"]) >= 2 for one in QUESTIONS)
    assert min(kinds[kind] for kind in ("rewrite", "near_miss", "broken", "duplicate", "null")) >= 1


def test_one_block_is_shifted_to_an_earlier_sample() -> None:
    here, home = BY_ID["festival-05"], BY_ID["festival-09"]
    kinds = [one["kind"] for one in here["references"]]
    assert kinds[:6] == ["shifted"] * 6
    assert references("shifted") == [(here, one["sql"]) for one in here["references"][:6]]
    answers = [same(home, one["sql"]) for one in here["references"][:6]]
    assert sum(answers) >= 4
    assert not any(same(here, one["sql"]) for one in here["references"][:6])


def test_the_sample_is_read_as_any_corpus() -> None:
    [corpus] = read_corpora(load_config(None, {}))
    assert [one.sample_id for one in corpus.samples] == list(BY_ID)
    assert corpus.samples[0].dataset == "sample"
    assert corpus.samples[0].references == tuple(one["sql"] for one in QUESTIONS[0]["references"])
    assert sum(one.references.count(None) for one in corpus.samples) == 1
    assert not corpus.refused


def test_the_scripts_are_the_databases_of_the_sample() -> None:
    assert known_databases(spec("sample")) == sample_scripts().keys()
