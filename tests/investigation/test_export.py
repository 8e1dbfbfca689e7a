"""The families as files: what is written rebuilds, pairset reads it, and ties are told from it."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from db_execution.sandbox import open_file
from db_execution.writer import write_database
from investigation import export as exporting
from investigation.errors import BadDraw, BadExport
from investigation.export import Wanted, export, instance_id
from investigation.families import FAMILIES, draw
from investigation.instance import Instance, Table
from investigation.scripts import script
from investigation.splits import SPLITS, seeds_of, split_of
from investigation.ties import Ties, read_samples, ties
from pairset.config import TasksCorpus, load_config
from pairset.corpus import CorpusError
from pairset.corpus.read import read_corpora
from tests.flows.helpers import contents
from tests.pairset.sample_build import built

KEYS = [
    *("task_id", "split", "seed", "instruction", "schema"),
    *("expected_rows_json", "oracle_sql"),
]  # fmt: skip
BOTH = Wanted(families=("inventory_shortages", "signup_cohorts"), splits=("train", "test"), count=2)
BUILT = ("signup_cohorts", "currency_conversion")


def rows_of(table: Table, path: Path) -> list[object]:
    """The rows that a database of SQLite has in a table, in the order of insertion."""
    with closing(open_file(path)) as database:
        answer = database.run(f"SELECT {', '.join(table.columns)} FROM {table.name} ORDER BY rowid")
        assert answer.rows is not None
        assert answer.columns == table.columns
        return list(answer.rows)


def holds(instance: Instance, path: Path) -> bool:
    """Whether a database has just the rows of an instance."""
    found = [sorted(rows_of(table, path), key=repr) for table in instance.tables]
    return found == [sorted(table.rows, key=repr) for table in instance.tables]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of two families, of both splits."""
    out = tmp_path_factory.mktemp("export") / "out"
    assert export(out, BOTH) == 8
    return out


@pytest.mark.parametrize("family", FAMILIES)
def test_a_script_rebuilds_the_instance(family: str, tmp_path: Path) -> None:
    for seed in (0, 2**63 - 1):
        instance, path = draw(family, seed), tmp_path / f"{seed}.sqlite"
        assert write_database(path, script(instance.tables)) == []
        assert holds(instance, path)


def test_texts_that_look_like_sql_are_rebuilt(tmp_path: Path) -> None:
    rows = ((1, "it's; -- x"), (2, None), (3, "a\nb"), (-4, ""), (2**62, "é"))
    table = Table("t", "CREATE TABLE t(a INTEGER, b TEXT)", ("a", "b"), rows)
    empty = Table("u", "CREATE TABLE u(a)", ("a",), ())
    assert write_database(tmp_path / "t.sqlite", script((table, empty))) == []
    assert rows_of(table, tmp_path / "t.sqlite") == list(rows)
    assert rows_of(empty, tmp_path / "t.sqlite") == []


def test_a_task_has_the_published_keys_and_the_right_answer(folder: Path) -> None:
    tasks = [json.loads(line) for line in (folder / "tasks.jsonl").read_text().splitlines()]
    assert len(tasks) == 8
    for task in tasks:
        instance = draw(task["task_id"], task["seed"])
        assert list(task) == KEYS
        assert json.loads(task["expected_rows_json"]) == [list(row) for row in instance.expected]
        assert (task["instruction"], task["oracle_sql"]) == (
            instance.instruction, instance.oracle_sql,
        )  # fmt: skip
        assert task["split"] == split_of(task["seed"])
        for table in instance.tables:
            assert f"{table.ddl};" in task["schema"]
            assert f"-- {table.name}: {len(table.rows)} rows" in task["schema"]


def test_every_task_has_its_script_and_its_database(folder: Path) -> None:
    for instance in BOTH.instances():
        name = instance_id(instance)
        text = (folder / "data" / f"{name}.sql").read_text(encoding="utf-8")
        assert text == script(instance.tables)
        assert holds(instance, folder / "databases" / name / f"{name}.sqlite")


def test_an_export_is_the_same_bytes_again_and_replaces_the_earlier_one(tmp_path: Path) -> None:
    small = Wanted(families=("service_failure_rates",), count=1)
    export(tmp_path / "a", small)
    export(tmp_path / "b", Wanted(families=("signup_cohorts",), count=2))
    export(tmp_path / "b", small)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_what_is_no_export_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    (tmp_path / "file").write_text("x")
    for name in ("mine", "file"):
        with pytest.raises(BadExport, match=name):
            export(tmp_path / name, BOTH)
    assert contents(tmp_path).keys() == {"mine/thesis.txt", "file"}


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    export(tmp_path / "out", Wanted(families=("signup_cohorts",)))
    assert (tmp_path / "out" / "tasks.jsonl").is_file()


def test_an_export_that_breaks_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(tmp_path / "out", Wanted(families=("signup_cohorts",)))
    before = contents(tmp_path)

    def broken(*_: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(exporting, "_write_lines", broken)
    for name in ("out", "new"):
        with pytest.raises(OSError, match="no space"):
            export(tmp_path / name, BOTH)
    assert contents(tmp_path) == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(families=("nothing",)), "no family 'nothing'"),
        (Wanted(splits=("dev",)), "no split 'dev'"),
        (Wanted(count=0), "found 0 seeds"),
        (Wanted(count=2**32 + 1), "found 4294967297 seeds"),
    ],
)
def test_what_there_is_not_is_refused_before_anything_is_written(
    wanted: Wanted, said: str, tmp_path: Path
) -> None:
    with pytest.raises(BadDraw, match=said):
        export(tmp_path / "out", wanted)
    assert list(tmp_path.iterdir()) == []


def test_splits_are_disjoint_and_hold_every_seed() -> None:
    train, test = SPLITS["train"], SPLITS["test"]
    assert (train.start, train.stop, test.stop) == (0, test.start, 2**63)
    assert {split_of(seed) for seed in seeds_of("train", 5)} == {"train"}
    assert {split_of(seed) for seed in seeds_of("test", 5)} == {"test"}


def test_pairset_reads_the_training_split_and_refuses_the_other(folder: Path) -> None:
    (corpus,) = read_corpora(load_config(folder / "train.toml", {}))
    assert (len(corpus.samples), corpus.refused) == (4, ())
    for sample, instance in zip(corpus.samples, BOTH.instances(), strict=False):
        assert sample.sample_id == sample.db_id == instance_id(instance)
        assert sample.gold_sql == instance.oracle_sql
        assert list(sample.references) == [q.sql for q in (*instance.traps, *instance.twins)]
    with pytest.raises(CorpusError, match="'test' is evaluation data"):
        read_corpora(load_config(folder / "test.toml", {}))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ties, list[str]]]:
    """The ties of a build over an instance of some families, without mutants."""
    root = tmp_path_factory.mktemp("corpus")
    export(root / "out", Wanted(families=BUILT))
    config = root / "out" / "train.toml"
    config.write_text(config.read_text() + "\n[generators.mutants]\nenabled = false\n")
    with built(root / "build", config) as build:
        store, (spec,) = build.store, build.config.corpora
        assert isinstance(spec, TasksCorpus)
        pairs, labels = (
            [row for place in store.places(table) for row in store.read(*place).to_pylist()]
            for table in ("pairs", "labels")
        )
        of_pair = {row["pair_id"]: row["label"] for row in labels}
        yield ties(read_samples(spec.file), pairs, of_pair), [row["label"] for row in labels]


def test_a_build_over_an_export_labels_every_trap(told: tuple[Ties, list[str]]) -> None:
    found, labels = told
    traps = sum(len(draw(family, 0).traps) for family in BUILT)
    twins = sum(len(draw(family, 0).twins) for family in BUILT)
    assert len(labels) == traps + twins
    assert set(labels) == {"tied", "separated"}
    assert sum(one.traps for one in found.families()) == traps
    assert [one.family for one in found.families()] == list(BUILT)
    assert {one.unlabelled for one in found.families()} == {0}


def test_the_ties_are_named(told: tuple[Ties, list[str]]) -> None:
    found, labels = told
    assert found.tied("trap") == {}
    assert found.tied("twin").keys() <= {
        f"{family.name}.{name}" for family in FAMILIES.values() for name, _ in family.untold
    }
    assert found.tied("twin")["signup_cohorts.rows_counted"] == 1
    assert sum(found.tied("twin").values()) == labels.count("tied")


def test_each_reference_keeps_its_own_name(folder: Path) -> None:
    samples = read_samples(folder / "corpus" / "train.jsonl")
    pairs, labels = [], {}
    for key, sample in samples.items():
        for index, wrong in enumerate(sample.wrong, 1):
            if wrong.name == "through_day_30":
                pair = f"{key}/{index}"
                pairs.append(
                    {"pair_id": pair, "source_sample_ids": [key], "reference_index": index}
                )
                labels[pair] = "tied"
        pairs.append({"pair_id": f"{key}/m", "source_sample_ids": [key], "reference_index": -1})
    found = ties(samples, pairs, labels)
    assert found.tied("trap") == {"signup_cohorts.through_day_30": 2}
    first, second = found.families()
    assert (first.tied_traps, second.tied_traps, second.mutants, second.instances) == (0, 2, 2, 2)
    assert second.unlabelled == second.traps + second.twins + second.mutants - 2
    assert second.named["in_the_month_of_signup"] == {"no_pair": 2}


@pytest.mark.parametrize(
    "text",
    [
        "not json",
        "{}",
        "[1]",
        '{"id": "a", "family": "x", "references": [], "reference_kinds": [], "reference_names": []}',
    ],
)
def test_what_is_no_corpus_of_families_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text(text + "\n")
    with pytest.raises(BadExport, match=re.escape("c.jsonl is no corpus of families")):
        read_samples(tmp_path / "c.jsonl")


def test_a_name_that_would_move_the_cursor_is_refused(folder: Path, tmp_path: Path) -> None:
    line = (folder / "corpus" / "train.jsonl").read_text().splitlines()[0]
    row = json.loads(line)
    row["reference_names"][0] = "\x1b[2J"
    (tmp_path / "c.jsonl").write_text(json.dumps(row))
    with pytest.raises(BadExport):
        read_samples(tmp_path / "c.jsonl")
