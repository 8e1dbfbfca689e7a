"""The references of one database as read, and what the database answers to each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pairset.rows import Sample
from provenance.owner import Footprint, Golds
from provenance.score.rarity import words
from sqltext.errors import NotAQuery
from sqltext.footprint import footprint
from sqltext.forms import forms_of
from sqltext.parse import parse, release
from sqltext.schema import Schema
from sqltext.scope import resolve


@dataclass(frozen=True, slots=True)
class Text:
    """What is read off a query that parses: what it mentions, its exact form, its plain words."""

    footprint: Footprint
    exact: str
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a sample's list. Without ``text`` it is no query, and ``refusal`` says why."""

    sample: Sample
    index: int
    sql: str | None
    text: Text | None
    refusal: str = ""

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands: the row of the corpus, and the position in the list."""
        return self.sample.corpus_row, self.index


class Reader:
    """Reads the texts of one database, each once."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._read: dict[str, Text | NotAQuery] = {}

    def reference(self, sample: Sample, index: int) -> Reference:
        """The entry at ``index`` (from 1) of a sample's list."""
        sql = sample.references[index - 1]
        if sql is None:
            return Reference(sample, index, None, None, "reference_is_no_text")
        if not sql.strip():
            return Reference(sample, index, sql, None, "reference_is_empty")
        found = self.read(sql)
        if isinstance(found, NotAQuery):
            return Reference(sample, index, sql, None, f"does_not_parse: {found.reason}")
        return Reference(sample, index, sql, found)

    def read(self, sql: str) -> Text | NotAQuery:
        """What is read off a text, or why it is no query."""
        if sql not in self._read:
            self._read[sql] = self._of(sql)
        return self._read[sql]

    def _of(self, sql: str) -> Text | NotAQuery:
        try:
            parsed = parse(sql)
        except NotAQuery as error:
            return error
        scopes = resolve(parsed, self._schema)
        exact = forms_of(scopes).exact
        found = Text(footprint(scopes), exact, words(exact))
        release(parsed.nodes)
        return found


class Answers:
    """What the database answered to each text; empty where there is no database.

    ``ordered`` says of each gold that parses whether its answers compare as lists.
    """

    def __init__(
        self, runs: Iterable[Mapping[str, Any]], ordered: Mapping[str, bool], *, missing: bool
    ) -> None:
        self._runs = {run["sql"]: run for run in runs}
        self._ordered = ordered
        self.missing = missing

    def failure(self, sql: str) -> str | None:
        """The kind of error of a text that was not answered, or None."""
        run = self._runs.get(sql)
        if run is None:
            return "was_not_run"
        return None if run["status"] == "ok" else str(run["error_class"] or run["status"])

    def same(self, gold_sql: str, sql: str) -> bool:
        """Whether both were answered, and alike: as lists if the gold is ordered."""
        kind = "list_digest" if self._ordered[gold_sql] else "multiset_digest"
        if self.failure(gold_sql) or self.failure(sql):
            return False
        return bool(self._runs[gold_sql][kind] == self._runs[sql][kind])


@dataclass(frozen=True)
class Desk:
    """What is known of one database: its samples in corpus order, golds, references, answers."""

    samples: tuple[Sample, ...]
    golds: Golds
    references: tuple[Reference, ...]
    answers: Answers

    @cached_property
    def lists(self) -> dict[int, list[Reference]]:
        """The references of each sample that has some, by its row."""
        found: dict[int, list[Reference]] = {}
        for one in self.references:
            found.setdefault(one.sample.corpus_row, []).append(one)
        return found

    @cached_property
    def by_gold(self) -> dict[str, list[Sample]]:
        """The samples of each gold."""
        found: dict[str, list[Sample]] = {}
        for one in self.samples:
            found.setdefault(one.gold_sql, []).append(one)
        return found
