"""Trees that lack something: named, counted as not separated, and no hindrance to the rest."""

import shutil
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from db_execution.errors import BadTree
from db_execution.writer import write_database
from pairset import schema
from pairset.build import Build, Unit
from pairset.scores.report import all_rows, total
from pairset.scores.scored import find_tree, tree_names
from pairset.scores.stage import ScoresStage, tree_build
from pairset.scores.tied import digest_of, tied_set
from pairset.scores.views import head
from pairset.stages.tied import TiedStage
from pairset.store import Made
from pairset.table import STRING, Table
from pairset.work import is_current, make, pending
from tests.pairset.scores.small_build import looked_at, place, scored, separated, shop

SCRIPT = "CREATE TABLE t(a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (9, 'y');"
MORE = SCRIPT + "INSERT INTO t VALUES (5, 'z');"
NAMES = ("absent", "altered", "corrupt", "sound")
GOLD, NEIGHBOR = "SELECT b FROM t WHERE a > 5", "SELECT b FROM t WHERE a >= 5"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    folder = tmp_path_factory.mktemp("faulty")
    tasks = [(name, GOLD, [NEIGHBOR]) for name in NAMES]
    with shop(folder, dict.fromkeys(NAMES, SCRIPT), tasks) as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("tree")
    write_database(place(found, "altered"), MORE.replace("b TEXT", "b  TEXT"))
    write_database(place(found, "sound"), MORE)
    place(found, "corrupt").parent.mkdir(parents=True)
    place(found, "corrupt").write_bytes(b"no database " * 1000)
    write_database(place(found, "odd"), MORE)
    return found


@pytest.fixture(scope="module")
def found(build: Build, folder: Path) -> dict[str, Any]:
    return scored(build, {"faulty": folder})


def test_each_fault_has_its_name_and_its_reason(found: dict[str, Any]) -> None:
    [tree] = found["trees"]
    faults = {one["db_id"]: (one["status"], one["note"]) for one in tree["not_scored"]}
    assert faults == {
        "absent": ("missing", "no such database in the tree"),
        "altered": ("other_schema", "table t is declared otherwise"),
        "corrupt": (
            "unreadable",
            "the database cannot be opened: it is not a database, or it is damaged",
        ),
    }
    assert tree["databases"] == {"missing": 1, "ok": 1, "other_schema": 1, "unreadable": 1}
    assert tree["not_of_the_build"] == ["shop/odd"]


def test_their_pairs_stay_in_the_denominator_and_the_rest_is_scored(found: dict[str, Any]) -> None:
    row = total(found, "faulty")
    assert (row["pairs"], row["separated"], row["not_run"]) == (4, 1, 3)
    assert row["catch_rate"] == 0.25
    assert row["macro_catch_rate"] == 0.25
    assert separated(found, "faulty") == {"comparison_changed": 1}


def test_one_other_database_asks_that_databases_queries_alone(
    build: Build, folder: Path, found: dict[str, Any], tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(folder, tree)
    [before] = looked_at(build, {"faulty": tree})
    own = tree_build(build, "faulty")
    assert pending(ScoresStage(build.root, before), own) == []
    write_database(place(tree, "sound"), SCRIPT)
    [after] = looked_at(build, {"faulty": tree})
    assert pending(ScoresStage(build.root, after), own) == [Unit("shop", "sound")]
    assert after.sha256 != before.sha256


def test_queries_that_fail_on_a_tree_are_no_separation(build: Build, tmp_path: Path) -> None:
    tight = replace(
        build,
        config=build.config.model_copy(
            update={"executor": build.config.executor.model_copy(update={"max_vm_steps": 1000})}
        ),
    )
    rows = ", ".join(f"({n}, 'x')" for n in range(2000))
    write_database(place(tmp_path, "sound"), SCRIPT + f"INSERT INTO t VALUES {rows}")
    row = total(scored(tight, {"endless": tmp_path}), "endless")
    assert (row["pairs"], row["separated"], row["not_run"]) == (4, 0, 3)
    assert (row["golds_failing"], row["neighbors_failing"]) == (1, 1)


def test_runs_are_kept_a_row_a_query(build: Build, found: dict[str, Any]) -> None:
    runs = all_rows(tree_build(build, "faulty").store, "runs")
    assert runs.select("tree", "db_id").unique().rows() == [("faulty", "sound")]
    assert sorted(runs["sql"]) == sorted([GOLD, NEIGHBOR])


@pytest.mark.parametrize("text", ["original=.", "schema=."])
def test_a_name_of_the_builds_own_trees_is_refused(text: str, build: Build) -> None:
    with pytest.raises(BadTree, match="choose another name"):
        tree_names([text], build)


def test_a_name_without_a_folder_is_one_of_the_endpoints(build: Build) -> None:
    assert tree_names(["theirs"], build) == {"theirs": []}
    with pytest.raises(BadTree, match="no folder is given for the tree 'theirs'"):
        find_tree(build, "theirs", [], [])


def test_pairs_that_the_audit_turned_away_do_not_count(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = Table(
        "audit", 1, ("pair_id",), pa.schema({"pair_id": STRING, "provenance_check": STRING}.items())
    )
    monkeypatch.setitem(schema.TABLES, "audit", audit)
    shutil.copytree(build.root, tmp_path / "shop")
    own, unit = replace(build, root=tmp_path / "shop"), Unit("shop", "sound")
    (pair_id,) = own.store.read("tied_set", *unit.place)["pair_id"].to_pylist()
    rows = pa.table({"pair_id": [pair_id], "provenance_check": ["misaligned_in_corpus"]})
    own.store.write(("audit", *unit.place), rows, Made("audit/1", {}))
    assert not is_current(TiedStage(), own, unit)
    make(TiedStage(), own, [unit])
    found = tied_set(own)
    assert (found.pairs, found.left_out) == (3, {"misaligned_in_corpus": 1})
    assert found.audited
    assert found.sha256 != tied_set(build).sha256
    assert pl.DataFrame(own.store.read("tied_set", *unit.place)).height == 1
    said = head({"tied_set": asdict(found)})
    assert said.endswith("Left out by the audit: 1 misaligned_in_corpus.")


def test_the_digest_of_the_tied_set_is_of_its_pairs_alone() -> None:
    assert digest_of(["b", "a"]) == digest_of(["a", "b"])
    assert digest_of(["a"]) != digest_of(["a", "b"])
