"""Hand-made trees separate exactly the pairs that they were made for, and are counted there."""

from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

from db_execution.writer import write_database
from pairset.build import Build
from pairset.scores.report import all_rows, total
from pairset.scores.stage import tree_build
from tests.pairset.scores.small_build import place, scored, separated, shop

SCRIPT = """
CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, price INTEGER, note TEXT);
CREATE TABLE sale(id INTEGER PRIMARY KEY, item_id INTEGER REFERENCES item(id), amount INTEGER);
INSERT INTO item VALUES (1, 'ant', 3, 'x'), (2, 'bee', 7, 'y');
INSERT INTO sale VALUES (1, 1, 10), (2, 2, 20);
"""
JOINED = "SELECT T1.name, T2.amount FROM item AS T1 {} sale AS T2 ON T1.id = T2.item_id"
PAIRS = {
    "boundary": ("SELECT name FROM item WHERE price > 5", "SELECT name FROM item WHERE price >= 5"),
    "duplicate": ("SELECT note FROM item", "SELECT DISTINCT note FROM item"),
    "null": ("SELECT count(note) FROM item", "SELECT count(*) FROM item"),
    "partnerless": (JOINED.format("JOIN"), JOINED.format("LEFT JOIN")),
    "tie": ("SELECT name FROM item ORDER BY price", "SELECT name FROM item ORDER BY price, name"),
}
SOLD = "INSERT INTO sale VALUES (3, 3, 30)"
TREES = {
    "boundary": f"INSERT INTO item VALUES (3, 'cow', 5, 'z'); {SOLD}",
    "duplicate": f"INSERT INTO item VALUES (3, 'cow', 9, 'x'); {SOLD}",
    "null": f"INSERT INTO item VALUES (3, 'cow', 9, NULL); {SOLD}",
    "partnerless": "INSERT INTO item VALUES (3, 'cow', 9, 'z')",
    "tie": f"INSERT INTO item VALUES (3, 'ape', 7, 'z'); {SOLD}",
}
CLASSES = {
    "boundary": "comparison_changed",
    "duplicate": "distinct_changed",
    "null": "aggregate_changed",
    "partnerless": "join_changed",
    "tie": "order_changed",
}
APART = ("SELECT name FROM item", "SELECT note FROM item")


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    folder = tmp_path_factory.mktemp("apart")
    tasks = [("toys", gold, [neighbor]) for gold, neighbor in [*PAIRS.values(), APART]]
    with shop(folder, {"toys": SCRIPT}, tasks) as found:
        yield found


@pytest.fixture(scope="module")
def found(build: Build, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("trees")
    scripts = {"same": SCRIPT, "bare": SCRIPT.partition("INSERT")[0]}
    scripts |= {name: SCRIPT + more for name, more in TREES.items()}
    for name, script in scripts.items():
        write_database(place(folder / name, "toys"), script)
    return scored(build, {name: folder / name for name in scripts})


def test_every_pair_is_tied_on_the_original(build: Build, found: dict[str, Any]) -> None:
    tied = build.store.read("tied_set", "shop", "toys")
    assert found["tied_set"]["pairs"] == tied.num_rows == len(PAIRS)


@pytest.mark.parametrize("name", TREES)
def test_a_tree_separates_the_pair_that_it_was_made_for_and_no_other(
    name: str, build: Build, found: dict[str, Any]
) -> None:
    assert separated(found, name) == {CLASSES[name]: 1}
    scores = all_rows(tree_build(build, name).store, "scores")
    (pair_id,) = scores.filter(original_label="tied", label="separated")["pair_id"]
    pairs = pl.DataFrame(build.store.read("pairs", "shop", "toys")).filter(pair_id=pair_id)
    assert tuple(pairs.select("gold_sql", "neighbor_sql").row(0)) == PAIRS[name]


def test_a_copy_separates_nothing(found: dict[str, Any]) -> None:
    assert separated(found, "same") == {}
    assert total(found, "same")["catch_rate"] == 0.0


def test_as_sets_a_duplicate_and_an_order_are_no_difference(found: dict[str, Any]) -> None:
    by_set = {name: separated(found, name, reading="set") for name in TREES}
    assert [name for name, classes in by_set.items() if not classes] == ["duplicate", "tie"]


def test_what_stands_beside_the_rate_is_counted_and_not_folded_in(found: dict[str, Any]) -> None:
    bare = total(found, "bare")
    # Of five golds four have no row; a count has one. The pair that the original tells apart is lost.
    assert (bare["golds"], bare["golds_empty"], bare["golds_failing"]) == (5, 4, 0)
    assert (bare["originally_separated"], bare["lost"]) == (1, 1)
    assert (bare["pairs"], bare["separated"]) == (5, 0)
    assert total(found, "same")["lost"] == 0


def test_a_reading_without_a_flag_leaves_its_pairs_out_of_both_counts(
    found: dict[str, Any],
) -> None:
    record, without = total(found, "tie"), total(found, "tie", without="gold_order_ties")
    assert (record["pairs"], record["separated"]) == (5, 1)
    assert (without["pairs"], without["separated"]) == (4, 0)
    assert total(found, "bare", without="both_empty")["pairs"] == 1


def test_two_trees_are_held_against_each_other_pair_by_pair(found: dict[str, Any]) -> None:
    [duel] = [
        row
        for row in found["tree_duels"]
        if (row["tree"], row["other"], row["reading"]) == ("boundary", "null", "canonical")
    ]
    assert [duel[k] for k in ("pairs", "won", "lost", "both", "neither")] == [5, 1, 1, 0, 3]
    assert duel["p_value"] == 1.0
