"""The golds that the laws are held against: our own, the shared cases, and real ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from mutants.gold import Gold
from mutants.values import NO_VALUES, Values
from sqltext.parse import parse, refusal
from sqltext.schema import Schema
from sqltext.scope import resolve
from tests.mutants.schema import VALUES, ddl_of_tables, gold_schema, schema_of
from tests.shared_data import TEST_DATA

_OWN = Path(__file__).with_name("golds.sql")
_CASES = TEST_DATA / "cases" / "verbatim.jsonl"
_CORPORA = TEST_DATA / "corpora"
_REAL = (
    ("spider/train_spider.json", "query"),
    ("spider/train_others.json", "query"),
    ("bird/train/train.json", "SQL"),
)


def gold_of(sql: str, schema: Schema, values: Values = NO_VALUES) -> Gold:
    """A gold as the operators see it."""
    return Gold(resolve(parse(sql), schema), values)


def own_golds() -> list[Gold]:
    """One a paragraph."""
    own = _OWN.read_text(encoding="utf-8").strip().split("\n\n")
    return [gold_of(sql, gold_schema(), VALUES) for sql in own]


def small_golds() -> list[Gold]:
    """Our own, and those that a printer is known to rewrite, where the shared data is."""
    lines = _CASES.read_text(encoding="utf-8").splitlines() if _CASES.exists() else []
    return own_golds() + [gold_of(json.loads(line)["gold"], Schema()) for line in lines]


def have_real_golds() -> bool:
    """Whether the real corpora are there."""
    return _CORPORA.exists()


def real_golds(step: int, first: int = 0) -> Iterator[Gold]:
    """Every ``step``-th of the different golds of the corpora that parses, with its schema."""
    for corpus, db_id, sql in _different()[first::step]:
        if refusal(sql) is None:
            yield gold_of(sql, real_schema(corpus, db_id))


@lru_cache
def _different() -> list[tuple[str, str, str]]:
    found: dict[tuple[str, str, str], None] = {}
    for name, column in _REAL:
        for row in _read(name):
            found.setdefault((name.split("/")[0], row["db_id"], row[column]))
    return list(found)


@cache
def real_schema(corpus: str, db_id: str) -> Schema:
    """The schema of one real database."""
    return schema_of(real_ddl(corpus)[db_id])


@lru_cache
def real_ddl(corpus: str) -> dict[str, str]:
    """The DDL of a corpus's databases."""
    if corpus == "bird":
        return dict(_read("bird/train/train_ddl.json"))
    return {entry["db_id"]: ddl_of_tables(entry) for entry in _read("spider/tables.json")}


def _read(name: str) -> Any:
    return json.loads((_CORPORA / name).read_text(encoding="utf-8"))
