"""A sample of mutants is read from their text again; what differs stops the stage in one line."""

import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from flows.cli.outcome import is_expected
from pairset import reread
from pairset.build import Build
from pairset.manifest import read_manifest
from pairset.neighbors import GRAMMAR
from pairset.reread import EVERY, Misread, is_sampled
from pairset.stages.pairs import PairsStage
from pairset.work import make
from sqltext.facts import Reading, read
from sqltext.patches import Change
from sqltext.patching import Patcher
from sqltext.schema import Schema
from tests.pairset.sample_build import frame

TABLES = ("samples", "schemas", "golds")
Break = Callable[[Reading], Reading]
BREAKS: dict[str, Break] = {
    "exact": lambda found: found._replace(exact=found.exact + " "),
    "structural": lambda found: found._replace(structural=found.structural + "?"),
    "family": lambda found: found._replace(family="having"),
    "nondeterministic": lambda found: found._replace(nondeterministic=not found.nondeterministic),
    "features.limit": lambda found: found._replace(
        features=found.features._replace(limit=("7", "0"))
    ),
    "features.functions": lambda found: found._replace(
        features=found.features._replace(functions=("upper",))
    ),
}


@pytest.fixture
def one_database(sample: Build, tmp_path: Path) -> Build:
    """The tables that the pairs of one database are made from, and none of its pairs."""
    build = Build(sample.config, tmp_path, sample.endpoints)
    for table in TABLES:
        path = build.store.path(table, "sample", "cafe")
        path.parent.mkdir(parents=True)
        shutil.copy(sample.store.path(table, "sample", "cafe"), path)
    return build


def pairs_of(build: Build) -> pl.DataFrame:
    stage = PairsStage()
    make(stage, build, stage.units(build))
    return frame(build, "pairs")


@pytest.mark.parametrize("broken", BREAKS)
def test_a_patched_reading_that_is_wrong_stops_the_piece_and_nothing_is_written(
    one_database: Build, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    honest = Patcher.reading

    def reading(self: Patcher, *patches: Change) -> Reading | None:
        found = honest(self, *patches)
        return None if found is None else BREAKS[broken](found)

    monkeypatch.setattr(Patcher, "reading", reading)
    monkeypatch.setattr(reread, "EVERY", 1)
    with pytest.raises(Misread) as caught:
        pairs_of(one_database)
    said = str(caught.value)
    assert said.startswith("sample/cafe: a mutant of ")
    assert f"its text gives another {broken}" in said
    assert "\n" not in said
    assert list(one_database.store.places("pairs")) == []
    assert is_expected(caught.value)


def test_the_line_names_the_operator_and_both_texts(
    one_database: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fresh(sql: str, schema: Schema) -> Reading:
        found = read(sql, schema)
        return found._replace(family="another") if "CROSS JOIN" in sql else found

    monkeypatch.setattr(reread, "read", fresh)
    monkeypatch.setattr(reread, "EVERY", 1)
    with pytest.raises(Misread) as caught:
        pairs_of(one_database)
    gold, _, mutant = str(caught.value).rpartition("queries: gold ")[2].partition(", mutant ")
    assert "CROSS JOIN" in mutant
    assert "CROSS JOIN" not in gold
    assert "SC.JOI" in str(caught.value)


def test_a_mutant_whose_text_does_not_parse_stops_the_piece(
    one_database: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reread, "EVERY", 1)
    monkeypatch.setattr(reread, "read", lambda _, schema: read("SELECT FROM", schema))
    with pytest.raises(Misread, match=r"its text does not parse \(syntax: "):
        pairs_of(one_database)


def test_every_mutant_of_the_sample_says_what_its_row_says(
    sample: Build, one_database: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reread, "EVERY", 1)
    kept = frame(sample, "pairs").filter(pl.col("db_id") == "cafe")
    assert pairs_of(one_database).equals(kept)


def test_which_mutants_are_read_again_hangs_on_their_ids_alone(sample: Build) -> None:
    pairs = frame(sample, "pairs")
    mutants = pairs.filter(pl.col("generator") == GRAMMAR)["pair_id"]
    drawn = sum(map(is_sampled, mutants))
    assert drawn == reread.count_sampled(pairs) == reread.count_sampled(pairs.reverse())
    assert 0.5 * len(mutants) / EVERY < drawn < 2 * len(mutants) / EVERY
    manifest = read_manifest(sample)
    assert manifest is not None
    assert manifest["reread"] == drawn
