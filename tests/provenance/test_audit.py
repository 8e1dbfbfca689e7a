"""The audit marks pairs and drops none."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import polars as pl
import pyarrow as pa
import pytest

from flows.cli import app
from pairset.build import Build
from pairset.manifest import write_manifest
from pairset.manifest.audit import AUDIT_COLUMNS, audit_counts, bands
from pairset.store import Made
from pairset.work import make
from provenance.audit import AuditStage
from provenance.picture import draw_distances
from tests.pairset.sample_build import frame
from tests.provenance.conftest import data_of


def joined(build: Build) -> pl.DataFrame:
    """Pairs with their verdicts."""
    pairs = frame(build, "pairs").select("pair_id", "neighbor_origin", "reference_index")
    return pairs.join(frame(build, "audit"), on="pair_id", how="left", validate="1:1")


def test_every_pair_has_one_verdict(harbour: Build) -> None:
    pairs, audit = frame(harbour, "pairs"), frame(harbour, "audit")
    assert audit["pair_id"].sort().to_list() == pairs["pair_id"].sort().to_list()
    assert set(audit["provenance_check"]) == {"ok", "misaligned_in_corpus"}


def test_mutants_are_ok_and_own_nothing(harbour: Build) -> None:
    mutants = frame(harbour, "audit").filter(pl.col("generator") == "mutant_grammar")
    assert mutants.height > 10
    assert mutants["provenance_check"].unique().to_list() == ["ok"]
    assert mutants["closeness_gold"].null_count() == mutants.height


def test_the_shifted_block_is_marked_and_nothing_else_is(harbour: Build) -> None:
    marked = joined(harbour).filter(pl.col("provenance_check") != "ok").sort("reference_index")
    assert marked["neighbor_origin"].to_list() == [
        "sample 5849, groundtruth_sqls[1]",
        "sample 5849, groundtruth_sqls[2]",
    ]
    assert marked["owner_sample_id"].to_list() == ["5854", "5854"]
    assert marked["owner_distance"].to_list() == [3, 3]  # rows, where ids are five apart
    assert marked["closeness_gold"].to_list()[0] == 0.2


def test_what_stands_nowhere_is_the_builder_s_error(harbour: Build, tmp_path: Path) -> None:
    copytree(harbour.root, tmp_path / "copy")
    build = replace(harbour, root=tmp_path / "copy")
    (place,) = build.store.places("pairs")
    pairs = build.store.read(*place)
    at = pairs.schema.get_field_index("reference_index")
    moved = pairs.set_column(at, "reference_index", pa.array([9] * len(pairs)))
    build.store.write(place, moved, Made("pairs/1", {}))
    stage = AuditStage()
    make(stage, build, stage.units(build))
    audit = frame(build, "audit").filter(pl.col("generator") == "finer_sql_enrichment")
    assert audit["provenance_check"].unique().to_list() == ["builder_error"]
    assert "groundtruth_sqls[9]" in audit["provenance_note"][0]


def test_counts_add_up_and_the_worst_database_comes_first(harbour: Build) -> None:
    counted = audit_counts(frame(harbour, "audit").select(AUDIT_COLUMNS))
    for row in counted["by_generator"]:
        assert row["pairs"] == row["ok"] + row["misaligned_in_corpus"] + row["builder_error"]
    assert sum(row["pairs"] for row in counted["by_generator"]) == frame(harbour, "pairs").height
    assert counted["by_distance"] == [{"owner_distance": 3, "rows": 2}]
    worst = pl.concat([frame(harbour, "audit"), frame(harbour, "audit").with_columns(db_id=pl.lit("a"), provenance_check=pl.lit("ok"))])  # fmt: skip
    ordered = audit_counts(worst.select(AUDIT_COLUMNS))["by_database"]
    assert [row["db_id"] for row in ordered] == ["port", "a"]


def test_no_distance_is_left_out_of_the_bands() -> None:
    counts = [{"owner_distance": at, "rows": 1} for at in (-500, -21, -20, -1, *range(1, 31), 9999)]
    assert sum(rows for _, rows in bands(counts)) == len(counts)


def test_the_same_counts_draw_the_same_picture(tmp_path: Path) -> None:
    counts = [{"owner_distance": at, "rows": 3 + at % 5} for at in (-44, -7, 1, 2, 5, 10, 90)]
    assert draw_distances(counts, tmp_path / "a.png")
    assert draw_distances(list(reversed(counts)), tmp_path / "b.png")
    drawn = (tmp_path / "a.png").read_bytes()
    assert drawn == (tmp_path / "b.png").read_bytes()
    assert drawn.startswith(b"\x89PNG")
    assert b"tIME" not in drawn
    assert not draw_distances([], tmp_path / "a.png")
    assert not (tmp_path / "a.png").exists()


def test_the_command_counts_and_draws(
    harbour: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copytree(harbour.root, tmp_path / "main")
    config = str(data_of(harbour).parent / "config.toml")
    words = ["audit", "--direct", "--config", config, "--data", str(tmp_path)]
    assert app.run([*words, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["references"], facts["misaligned_in_corpus"], facts["builder_error"]) == (7, 2, 0)
    assert facts["audit"]["by_distance"] == [{"owner_distance": 3, "rows": 2}]
    assert (tmp_path / "main" / "audit.png").exists()
    assert app.run(words) == 0
    shown = capsys.readouterr().out
    assert "finer_sql_enrichment" in shown
    assert "3 after" in shown
    assert shown.strip().endswith("audit.png")


def test_the_manifest_has_the_audit(harbour: Build, tmp_path: Path) -> None:
    copytree(harbour.root, tmp_path / "copy")
    manifest = write_manifest(replace(harbour, root=tmp_path / "copy"))
    assert manifest["audit"]["by_database"][0]["misaligned_in_corpus"] == 2
    page = (tmp_path / "copy" / "MANIFEST.md").read_text()
    assert "| harbour | finer_sql_enrichment | 7 | 5 | 2 | 0 | 28.6 % |" in page
    assert "| 3 after | 2 |" in page
