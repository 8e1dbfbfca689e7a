"""Random trees keep what their schema declares, hold the golds' constants, and follow their seed."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from db_execution.client import Client
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from db_execution.protocol import Query
from pairset.baselines import copy_tree, empty_tree, original_units
from pairset.build import Build
from pairset.fuzz.tree import FuzzSettings, fuzz_tree
from pairset.scores.check import check_tree
from pairset.scores.report import total
from pairset.scores.scored import databases_digest, find_tree, listing
from pairset.store import StoreError
from tests.pairset.scores.small_build import looked_at, place, scored, shop
from tests.shared_data import ROOT

SCRIPT = """
CREATE TABLE city(name TEXT PRIMARY KEY NOT NULL, mayor INTEGER REFERENCES person(id));
CREATE TABLE person(
  id INTEGER PRIMARY KEY, home TEXT NOT NULL REFERENCES city, boss INTEGER REFERENCES person(id),
  born DATE, email TEXT UNIQUE, size REAL, mood TEXT CHECK (mood IN ('glad', 'sad')),
  age INT CHECK (age >= 0 AND age < 130)
);
CREATE TABLE visit(
  person INTEGER NOT NULL REFERENCES person, city VARCHAR(20) REFERENCES city(name), day INT,
  PRIMARY KEY (person, day)
);
CREATE TABLE code(id VARCHAR(9) PRIMARY KEY NOT NULL, flag bool);
CREATE TABLE coded(code INTEGER REFERENCES code(id), n INT);
CREATE VIEW adults AS SELECT id FROM person WHERE age > 17;
CREATE INDEX by_age ON person(age);
CREATE TRIGGER late AFTER INSERT ON city BEGIN DELETE FROM visit; END;
INSERT INTO city VALUES ('Ulm', 1), ('Bonn', 2);
INSERT INTO person VALUES (1, 'Ulm', NULL, '1970-02-28', 'a', 1.5, 'glad', 44);
INSERT INTO person VALUES (2, 'Bonn', 1, '1980-05-01', 'b', 1.75, 'sad', 17);
INSERT INTO visit VALUES (1, 'Bonn', 3), (2, 'Ulm', 3);
INSERT INTO code VALUES ('1', 'T'), ('2', 'F');
INSERT INTO coded VALUES (1, 5), (2, 6);
"""
GOLDS = {
    "SELECT email FROM person WHERE age > 77": ["SELECT email FROM person WHERE age >= 77"],
    "SELECT id FROM person WHERE home = 'Xanten'": ["SELECT id FROM person WHERE home LIKE 'Xanten'"],
    "SELECT T1.name FROM city AS T1 JOIN visit AS T2 ON T1.name = T2.city WHERE T2.day = 4711": [
        "SELECT DISTINCT T1.name FROM city AS T1 JOIN visit AS T2 ON T1.name = T2.city "
        "WHERE T2.day = 4711"
    ],
    "SELECT id FROM person WHERE born > '1999-12-31'": ["SELECT id FROM person WHERE born >= '1999-12-31'"],
    "SELECT n FROM coded JOIN code ON coded.code = code.id WHERE flag = 'T'": ["SELECT n FROM coded"],
}  # fmt: skip
SEED = FuzzSettings(seed=7, rows=60)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    folder = tmp_path_factory.mktemp("fuzz")
    tasks = [("land", gold, neighbors) for gold, neighbors in GOLDS.items()]
    with shop(folder, {"land": SCRIPT}, tasks) as found:
        yield found


@pytest.fixture(scope="module")
def trees(build: Build, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("trees")
    copy_tree(build, folder / "copy")
    empty_tree(build, folder / "empty")
    made = fuzz_tree(build, folder / "fuzz", SEED)
    assert made.databases == 1
    assert made.rows == sum(
        ask(folder / "fuzz", f"SELECT count(*) FROM {name}")[0][0]
        for name in ("city", "person", "visit", "code", "coded")
    )
    return {name: folder / name for name in ("copy", "empty", "fuzz")}


def ask(folder: Path, *queries: str) -> list[tuple[Any, ...]]:
    """The rows of some queries on a tree, one after the other."""
    with Embedded([f"tree={folder}"], workers=1) as service:  # noqa: SIM117
        with Client((Endpoint(service.url, "tree"),)) as client:
            asked = (
                Query(dataset_name="shop", db_id="land", tree="tree", sql=sql) for sql in queries
            )
            return [row for query in asked for row in client.execute(query).rows or ()]


def checked(build: Build, folder: Path) -> Any:
    from dataclasses import replace

    [tree] = looked_at(build, {"checked": folder})
    with Embedded([f"checked={folder}"], workers=1) as service:
        more = (*build.endpoints, Endpoint(service.url, "checked"))
        [one] = check_tree(replace(build, endpoints=more), tree, original_units(build))
    return one


@pytest.mark.parametrize("name", ["copy", "empty", "fuzz"])
def test_a_baseline_has_the_originals_schema_and_keeps_it(
    name: str, build: Build, trees: dict[str, Path]
) -> None:
    one = checked(build, trees[name])
    assert one.is_fit, one.fault
    assert (one.violations.foreign_keys_broken, one.violations.null_in_keys) == (0, 0)
    assert (one.violations.rows > 0) == (name != "empty")


def test_a_copy_has_the_originals_bytes(build: Build, trees: dict[str, Path]) -> None:
    original = build.root.parent.parent / "databases" / "land" / "land.sqlite"
    assert place(trees["copy"], "land").read_bytes() == original.read_bytes()


def test_a_copy_catches_nothing_and_a_random_tree_something(
    build: Build, trees: dict[str, Path]
) -> None:
    found = scored(build, trees)
    rates = {name: total(found, name)["separated"] for name in trees}
    assert rates["copy"] == 0
    assert rates["fuzz"] > 0


def test_the_golds_constants_and_what_lies_beside_them_are_in_their_columns(
    trees: dict[str, Path],
) -> None:
    (ages,), (days,), (homes,), (born,) = ask(
        trees["fuzz"],
        "SELECT count(*) FROM person WHERE age IN (76, 77, 78)",
        "SELECT count(*) FROM visit WHERE day IN (4710, 4711, 4712)",
        "SELECT count(*) FROM city WHERE name LIKE '%Xanten%'",
        "SELECT count(*) FROM person WHERE born IN ('1999-12-30', '1999-12-31', '2000-01-01')",
    )
    assert min(ages, days, homes, born) > 0


def test_values_fit_the_types_that_are_declared_or_those_that_the_original_has(
    trees: dict[str, Path],
) -> None:
    found = ask(
        trees["fuzz"],
        "SELECT DISTINCT typeof(age) FROM person WHERE age IS NOT NULL",
        "SELECT DISTINCT typeof(size) FROM person WHERE size IS NOT NULL",
        "SELECT DISTINCT typeof(flag) FROM code WHERE flag IS NOT NULL",
        "SELECT count(*) FROM code WHERE id GLOB '*[^0-9]*'",
        "SELECT count(*) FROM person WHERE date(born) IS NOT born",
    )
    assert found == [("integer",), ("real",), ("text",), (0,), (0,)]


def test_some_rows_are_twins_and_some_have_no_partner(trees: dict[str, Path]) -> None:
    (twins,), (alone,) = ask(
        trees["fuzz"],
        "SELECT count(*) - count(DISTINCT home || ifnull(age, '') || ifnull(mood, '')) FROM person",
        "SELECT count(*) FROM person WHERE id NOT IN (SELECT person FROM visit)",
    )
    assert min(twins, alone) > 0


def test_a_seed_gives_the_same_bytes_whatever_the_hash_seed(
    build: Build, trees: dict[str, Path], tmp_path: Path
) -> None:
    code = (
        "import sys\nfrom dataclasses import replace\nfrom pathlib import Path\n"
        "from db_execution.endpoints import Endpoint\nfrom pairset.build import Build\n"
        "from pairset.config import load_config\n"
        "from pairset.fuzz.tree import FuzzSettings, fuzz_tree\n"
        "config, root, url, out = sys.argv[1:]\n"
        "build = Build(load_config(Path(config), {}), Path(root), (Endpoint(url, 'original'),))\n"
        "fuzz_tree(build, Path(out), FuzzSettings(seed=7, rows=60))\n"
    )
    config = build.root.parent.parent / "config.toml"
    words = [str(config), str(build.root), build.endpoints[0].url, str(tmp_path / "again")]
    subprocess.run(
        [sys.executable, "-c", code, *words],
        check=True,
        cwd=ROOT,
        env={"PYTHONHASHSEED": "4", "PYTHONPATH": str(ROOT)},
    )
    again, before = (listing([f"t={where}"]) for where in (tmp_path / "again", trees["fuzz"]))
    assert databases_digest(again) == databases_digest(before)
    fuzz_tree(build, tmp_path / "other", FuzzSettings(seed=8, rows=60))
    assert databases_digest(listing([f"t={tmp_path / 'other'}"])) != databases_digest(before)


def test_without_the_original_a_tree_is_made_from_its_schema_alone(
    build: Build, tmp_path: Path
) -> None:
    fuzz_tree(build, tmp_path / "bare", FuzzSettings(seed=7, originals=0, rows=5, null_rate=0.0))
    (people,), (nulls,) = ask(
        tmp_path / "bare",
        "SELECT count(*) FROM person",
        "SELECT count(*) FROM person WHERE age IS NULL OR born IS NULL OR mood IS NULL",
    )
    assert 0 < people <= 10
    assert nulls == 0


def test_a_tree_goes_into_a_folder_that_is_new_or_not_at_all(build: Build, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("keep")
    with pytest.raises(StoreError, match="is there already"):
        copy_tree(build, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_worse_tree_is_found_out(build: Build, trees: dict[str, Path], tmp_path: Path) -> None:
    from db_execution.writer import write_database

    more = "INSERT INTO coded VALUES ('x', 1); INSERT INTO visit VALUES (NULL, 'Ulm', 1);"
    relaxed = SCRIPT.replace("person INTEGER NOT NULL", "person INTEGER")
    write_database(place(tmp_path / "broken", "land"), SCRIPT + more)
    one = checked(build, tmp_path / "broken")
    assert one.worse == ("foreign key coded(code)", "type of coded.code")
    write_database(place(tmp_path / "other", "land"), relaxed)
    assert checked(build, tmp_path / "other").fault == "table visit is declared otherwise"
    places = [unit.place for unit in original_units(build)]
    absent = find_tree(build, "t", [f"t={tmp_path}"], places)
    assert absent.found(places[0]).sha256 is None
