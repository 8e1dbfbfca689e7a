"""Shards: sorted, whole or absent, and saying what they were made from."""

from pathlib import Path

import pyarrow as pa
import pytest

from pairset.files import file_digest, write_atomically
from pairset.frames import to_table
from pairset.store import Made, Store, StoreError

PLACE = ("yields", "d", "b")
MADE = Made("pairs/1", {"samples": "0" * 64})


def yields(*operators: str) -> pa.Table:
    row = {
        "dataset": "d",
        "db_id": "b",
        "generator": "g",
        "order": 1,
        "outcome": "kept",
        "count": 1,
    }
    return to_table("yields", ({**row, "operator": operator} for operator in operators))


def test_rows_come_back_sorted_by_the_tables_key(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write(PLACE, yields("b", "a"), MADE)
    assert store.read(*PLACE)["operator"].to_pylist() == ["a", "b"]


def test_the_same_rows_in_any_order_give_the_same_bytes(tmp_path: Path) -> None:
    one, other = Store(tmp_path / "1"), Store(tmp_path / "2")
    one.write(PLACE, yields("b", "a", "c"), MADE)
    other.write(PLACE, pa.concat_tables([yields("c"), yields("a", "b")]), MADE)
    assert file_digest(one.path(*PLACE)) == file_digest(other.path(*PLACE))


def test_a_shard_is_current_for_what_it_was_made_from_and_nothing_else(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write(PLACE, yields("a"), MADE)
    assert store.is_current(*PLACE, MADE)
    assert not store.is_current(*PLACE, Made("pairs/2", MADE.inputs))
    assert not store.is_current(*PLACE, Made("pairs/1", {"samples": "1" * 64}))
    assert not store.is_current("yields", "d", "other", MADE)


def test_half_a_file_is_no_shard(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write(PLACE, yields("a"), MADE)
    path = store.path(*PLACE)
    path.write_bytes(path.read_bytes()[:-20])
    assert store.shard(*PLACE) is None
    assert not store.is_current(*PLACE, MADE)


def test_a_writer_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "page"
    path.write_text("old")

    def fail(partial: Path) -> None:
        partial.write_text("half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, fail)
    assert [one.name for one in tmp_path.iterdir()] == ["page"]
    assert path.read_text() == "old"


def test_a_missing_table_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no table 'pairs' of d/b; make it with: pairset pairs"):
        Store(tmp_path).read("pairs", "d", "b")


def test_leftovers_of_a_killed_writer_go(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write(PLACE, yields("a"), MADE)
    (store.path(*PLACE).parent / ".b.parquet.77.partial").write_bytes(b"half")
    store.clear_leftovers()
    assert [path.name for path in store.path(*PLACE).parent.iterdir()] == ["b.parquet"]


def test_a_row_without_a_declared_column_is_refused() -> None:
    with pytest.raises(KeyError, match="db_id"):
        to_table("yields", [{"dataset": "d"}])
