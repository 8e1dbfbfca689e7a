"""Consolidation: every row goes out once, in order, in few files whose bytes hang on rows alone."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import load_dataset

from pairset.build import Build
from pairset.content import content_digest
from pairset.manifest import write_manifest
from pairset.publish import Preparing, PublishError, prepare_build
from pairset.publish.bundle import publishable
from pairset.publish.rows import SCHEMAS
from pairset.publish.shards import Series, cut, write_shard
from pairset.table import STRING
from tests.flows.helpers import contents
from tests.pairset.publish.builds import DATABASES, MADE, table, word, write

HELD = 60_000


def prepared_rows(folder: Path, name: str) -> pa.Table:
    files = sorted((folder / name).glob("*.parquet"))
    return pa.concat_tables([pq.read_table(path) for path in files])


def databases(sizes: dict[str, int]) -> list[tuple[str, pa.Table]]:
    return [
        (name, pa.table({"a": [word(name, at) for at in range(size)]}))
        for name, size in sizes.items()
    ]


def test_every_pair_goes_out_once_with_its_label_beside_it(build: Build, tmp_path: Path) -> None:
    prepare_build(build, Preparing(tmp_path / "out", HELD))
    rows = prepared_rows(tmp_path / "out", "pairs").to_pylist()
    places = build.store.places("pairs")
    assert [r["pair_id"] for r in rows] == [
        one for place in places for one in build.store.read(*place)["pair_id"].to_pylist()
    ]
    labels = {
        r["pair_id"]: r for p in places for r in build.store.read("labels", *p[1:]).to_pylist()
    }
    names = ("label", "gold_row_count", "neighbor_row_count", "exec_flags")
    assert [[r[n] for n in names] for r in rows] == [
        [labels.get(r["pair_id"], {}).get(n) for n in names] for r in rows
    ]
    assert sum(r["label"] is None for r in rows) == len(rows) // 10
    assert {r["provenance_check"] for r in rows} == {None}


def test_an_audit_is_joined_by_pair(build: Build, tmp_path: Path) -> None:
    path = build.store.path("audit", "one", "db_03")
    path.parent.mkdir(parents=True)
    ids = build.store.read("pairs", "one", "db_03", columns=["pair_id"])["pair_id"][::-1]
    notes = pa.array([f"of {one}" for one in ids.to_pylist()])
    checks = pa.array(["ok"] * len(ids))
    names = ["pair_id", "provenance_check", "provenance_note"]
    pq.write_table(pa.table([ids, checks, notes], names=names), path)
    prepare_build(build, Preparing(tmp_path / "out"))
    rows = prepared_rows(tmp_path / "out", "pairs").to_pylist()
    audited = [r for r in rows if r["db_id"] == "db_03"]
    assert {r["provenance_note"] == f"of {r['pair_id']}" for r in audited} == {True}
    assert {r["provenance_check"] for r in rows if r["db_id"] != "db_03"} == {None}
    assert "not audited" not in (tmp_path / "out" / "README.md").read_text()


def test_runs_of_other_trees_stay_at_home(build: Build, tmp_path: Path) -> None:
    prepare_build(build, Preparing(tmp_path / "out"))
    assert set(prepared_rows(tmp_path / "out", "runs")["tree"].to_pylist()) == {"original"}
    assert any(
        "schema" in build.store.read(*place)["tree"].to_pylist()
        for place in build.store.places("runs")
    )


def test_a_second_preparation_gives_the_same_bytes_and_an_unchanged_one_writes_nothing(
    build: Build, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        prepare_build(build, Preparing(tmp_path / name, HELD))
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "a").rglob("*")}
    prepare_build(build, Preparing(tmp_path / "a", HELD))
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "a").rglob("*")}


def test_a_prepared_file_that_was_changed_is_made_again(build: Build, tmp_path: Path) -> None:
    prepare_build(build, Preparing(tmp_path / "out", HELD))
    whole = contents(tmp_path / "out")
    (tmp_path / "out" / "MANIFEST.md").write_text("something else")
    prepare_build(build, Preparing(tmp_path / "out", HELD))
    assert contents(tmp_path / "out") == whole


def test_a_shard_is_one_row_group_and_the_rows_of_a_database_lie_together(
    build: Build, tmp_path: Path
) -> None:
    bundle = prepare_build(build, Preparing(tmp_path / "out", HELD))
    shards = [f.source for f in bundle.files if f.path.startswith("pairs/")]
    assert 2 < len(shards) < len(DATABASES)
    assert {pq.read_metadata(path).num_row_groups for path in shards} == {1}
    seen = [r for path in sorted(shards) for r in pq.read_table(path)["db_id"].to_pylist()]
    assert seen == sorted(seen)
    assert shards[0].name == f"one-00000-of-{len(shards):05}.parquet"


def test_a_shard_holds_no_more_than_it_may_and_a_large_database_is_cut() -> None:
    found = list(cut(databases({"a": 10, "large": 500, "b": 10}), 10_000))
    assert max(rows.nbytes for rows in found) <= 10_000
    assert sum(rows.num_rows for rows in found) == 520


def test_a_database_that_grew_moves_no_boundary_far_behind_it(tmp_path: Path) -> None:
    sizes = dict.fromkeys([f"db{at}" for at in range(200)], 20)
    before = {content_digest(rows) for rows in cut(databases(sizes), 20_000)}
    after = {content_digest(rows) for rows in cut(databases(sizes | {"db3": 35}), 20_000)}
    assert len(before) > 15
    assert len(after - before) <= 3


def test_bytes_hang_on_rows_and_not_on_how_they_are_chunked(tmp_path: Path) -> None:
    whole = [("a", pa.table({"a": [word(at) for at in range(300)]}))]
    parts = [("a", pa.concat_tables([whole[0][1].slice(at, 7) for at in range(0, 300, 7)]))]
    one = Series(tmp_path / "one", "pairs", "x").write(whole)
    two = Series(tmp_path / "two", "pairs", "x").write(parts)
    assert one == two


def test_a_file_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pairset.publish.shards.MOST_BYTES", 100)
    with pytest.raises(PublishError, match="and a file may have 100"):
        Series(tmp_path, "pairs", "x").write(databases({"a": 10}))


def test_an_empty_table_has_no_shard(tmp_path: Path) -> None:
    empty = pa.table({"a": pa.array([], STRING)})
    assert Series(tmp_path, "pairs", "x").write([("a", empty)]) == []


def test_only_the_pages_of_what_changed_are_other(tmp_path: Path) -> None:
    rows = [word(at) for at in range(60_000)]
    for name, texts in (("a", rows), ("b", rows[:100] + ["new"] * 50 + rows[100:])):
        write_shard(pa.table({"a": texts}), tmp_path / name)
    a, b = ((tmp_path / name).read_bytes() for name in "ab")
    half = len(a) // 2
    assert a[half : half + 100_000] in b


def test_a_pair_with_two_labels_stops_the_work(build: Build, tmp_path: Path) -> None:
    rows = build.store.read("labels", "one", "db_00").to_pylist()
    build.store.write(("labels", "one", "db_00"), table("labels", rows + rows[:1]), MADE)
    with pytest.raises(AssertionError, match="two rows"):
        prepare_build(build, Preparing(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["a b", "*", "[x]", ".x", "", "a/b", "naïve: x"])
def test_a_name_that_a_card_cannot_carry_is_refused(name: str) -> None:
    with pytest.raises(PublishError, match="cannot name files on the Hub"):
        publishable(name, "the dataset")


def test_a_dataset_with_such_a_name_is_refused_before_anything_is_written(
    build: Build, tmp_path: Path
) -> None:
    write(build.store, "a*", "x", 3)
    with pytest.raises(PublishError, match="the dataset 'a\\*'"):
        prepare_build(build, Preparing(tmp_path / "out"))
    assert list(tmp_path.iterdir()) == [tmp_path / "main"]


def test_the_digest_of_a_shards_rows_is_that_of_the_rows_as_a_reader_has_them(
    build: Build, tmp_path: Path
) -> None:
    bundle = prepare_build(build, Preparing(tmp_path / "out", HELD))
    told = json.loads(bundle.summary.source.read_text())["shards"]
    for path, one in told.items():
        schema = SCHEMAS[path.split("/")[0]]
        plain = json.loads(json.dumps(pq.read_table(tmp_path / "out" / path).to_pylist()))
        assert content_digest(pa.Table.from_pylist(plain, schema=schema)) == one["rows_sha256"]


def test_a_manifest_that_counts_other_pairs_stops_the_work(build: Build, tmp_path: Path) -> None:
    write(build.store, "one", "db_00", 61)
    with pytest.raises(PublishError, match="counts 1440 pairs and the tables hold 1441"):
        prepare_build(build, Preparing(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_the_parts_that_the_card_names_can_be_loaded_and_hold_their_dataset_alone(
    build: Build, tmp_path: Path
) -> None:
    write(build.store, "one-two", "x", 7)
    sample = {"corpus_row": 1, "sample_id": "s", "dataset": "one-two", "db_id": "x"}
    rows = [sample | {"gold_sql": "SELECT 1", "references": []}]
    build.store.write(("samples", "one-two", "x"), table("samples", rows), MADE)
    write_manifest(build)
    prepare_build(build, Preparing(tmp_path / "out", HELD))
    counts = {
        part: sum(
            1 for _ in load_dataset(str(tmp_path / "out"), part, split="train", streaming=True)
        )
        for part in ("pairs", "pairs-one", "pairs-one-two", "labels")
    }
    labels = sum(shard.rows for shard in build.store.shards("labels"))
    assert counts == {"pairs": 1447, "pairs-one": 1440, "pairs-one-two": 7, "labels": labels}
