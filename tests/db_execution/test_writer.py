"""Databases from scripts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from db_execution.sandbox import open_file
from db_execution.writer import Rows, copy_database, statements, write_database, write_rows
from tests.db_execution.conftest import HOSTILE
from tests.shared_data import shared

SINGERS = """
CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT UNIQUE, note TEXT DEFAULT 'a;b');
INSERT INTO singer(name) VALUES ('Zoë'), ('semi;colon');
CREATE TRIGGER late AFTER INSERT ON singer BEGIN SELECT 1; SELECT 2; END;
INSERT INTO concert VALUES (1);
INSERT INTO singer(name) VALUES ('last')
"""


def test_a_script_makes_a_database(tmp_path: Path) -> None:
    write_database(tmp_path / "a" / "a.sqlite", SINGERS)
    sandbox = open_file(tmp_path / "a" / "a.sqlite")
    rows = sandbox.run("SELECT name, note FROM singer").rows
    sandbox.close()
    assert rows == (("Zoë", "a;b"), ("semi;colon", "a;b"), ("last", "a;b"))


def test_statements_that_fail_are_returned_with_the_reason(tmp_path: Path) -> None:
    [failed] = write_database(tmp_path / "a.sqlite", SINGERS)
    assert failed.statement == "INSERT INTO concert VALUES (1);"
    assert failed.reason == "no such table: concert"


def test_the_same_script_makes_the_same_bytes(tmp_path: Path) -> None:
    write_database(tmp_path / "one.sqlite", HOSTILE)
    code = "import sys, pathlib\nfrom db_execution.writer import write_database\n"
    code += "write_database(pathlib.Path(sys.argv[1]), sys.argv[2])"
    other = tmp_path / "other.sqlite"
    subprocess.run([sys.executable, "-c", code, str(other), HOSTILE], check=True)
    assert other.read_bytes() == (tmp_path / "one.sqlite").read_bytes()


def test_a_database_replaces_the_one_before_and_leaves_nothing_else(tmp_path: Path) -> None:
    for script in ("CREATE TABLE a(x)", "CREATE TABLE b(x)"):
        assert write_database(tmp_path / "a.sqlite", script) == []
    assert [path.name for path in tmp_path.iterdir()] == ["a.sqlite"]


def test_a_database_is_there_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_database(tmp_path / "a.sqlite", "CREATE TABLE a(x)")
    before = (tmp_path / "a.sqlite").read_bytes()
    monkeypatch.setattr("db_execution.writer._synced", lambda path: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_database(tmp_path / "a.sqlite", "CREATE TABLE b(x)")
    assert (tmp_path / "a.sqlite").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_foreign_keys_are_not_enforced_while_writing(tmp_path: Path) -> None:
    script = "CREATE TABLE b(a REFERENCES a(id)); INSERT INTO b VALUES (7); CREATE TABLE a(id PRIMARY KEY)"
    assert write_database(tmp_path / "b.sqlite", script) == []


def test_transactions_of_the_script_are_ours(tmp_path: Path) -> None:
    script = "BEGIN; CREATE TABLE a(x); COMMIT; INSERT INTO a VALUES (1);"
    assert write_database(tmp_path / "a.sqlite", script) == []


def test_a_semicolon_in_quotes_ends_no_statement() -> None:
    script = "SELECT ';'; -- ;\nSELECT \"a;\""
    assert list(statements(script)) == ["SELECT ';';", '-- ;\nSELECT "a;";']


def test_the_ddl_of_a_whole_corpus_becomes_databases(tmp_path: Path) -> None:
    ddl = json.loads(shared("corpora", "bird", "train", "train_ddl.json").read_text())
    reasons = {
        failed.reason
        for name, script in ddl.items()
        for failed in write_database(tmp_path / f"{name}.sqlite", script)
    }
    assert reasons == {"object name reserved for internal use: sqlite_sequence"}


TABLE = [
    "CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
    "CREATE TRIGGER late AFTER INSERT ON singer BEGIN DELETE FROM singer; END",
    "CREATE VIEW broken AS SELECT (",
]


def test_rows_go_in_and_those_turned_away_are_returned_with_their_place(tmp_path: Path) -> None:
    rows = Rows("singer", ["id", "name"], [(1, "a"), (2, "a"), (3, None), (1, "b")])
    failed = write_rows(tmp_path / "a.sqlite", TABLE, [rows])
    sandbox = open_file(tmp_path / "a.sqlite")
    assert sandbox.run("SELECT id, name FROM singer").rows == ((1, "a"), (3, None))
    sandbox.close()
    assert [(one.table, one.row) for one in failed] == [("", -1), ("singer", 1), ("singer", 3)]
    assert failed[1].reason == "UNIQUE constraint failed: singer.name"


def test_the_same_rows_make_the_same_bytes(tmp_path: Path) -> None:
    rows = [(at, f"name {at}") for at in range(500)]
    for name in ("one", "two"):
        write_rows(tmp_path / name, TABLE[:1], [Rows("singer", ["id", "name"], rows)])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_copy_has_the_bytes_and_no_half_copy_is_left(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.sqlite", TABLE[:1], ())
    copy_database(tmp_path / "a.sqlite", tmp_path / "b" / "b.sqlite")
    assert (tmp_path / "b" / "b.sqlite").read_bytes() == (tmp_path / "a.sqlite").read_bytes()
    with pytest.raises(FileNotFoundError):
        copy_database(tmp_path / "gone.sqlite", tmp_path / "c" / "c.sqlite")
    assert list((tmp_path / "c").iterdir()) == []
