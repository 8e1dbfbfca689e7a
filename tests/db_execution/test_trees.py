"""Finding databases on disk, also behind links, and nothing else."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from db_execution.errors import BadTree, NoSuchDatabase
from db_execution.protocol import Mode
from db_execution.sandbox import CannotOpen, Sandbox, open_copy, open_file
from db_execution.trees import Trees, TreeSpec, parse_spec
from db_execution.writer import write_database


def put(root: Path, *parts: str, content: bytes = b"x") -> Path:
    path = root.joinpath(*parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def trees(root: Path, dataset: str | None = None) -> Trees:
    return Trees([TreeSpec("original", root, dataset)])


def test_a_nested_tree_answers_for_its_datasets(tmp_path: Path) -> None:
    path = put(tmp_path, "spider", "world", "world.sqlite")
    assert trees(tmp_path).find("original", "spider", "world").path == path
    with pytest.raises(NoSuchDatabase, match="'world' of dataset 'bird' in tree 'original'"):
        trees(tmp_path).find("original", "bird", "world")


def test_a_flat_tree_answers_for_every_dataset(tmp_path: Path) -> None:
    path = put(tmp_path, "world", "world.sqlite")
    assert {trees(tmp_path).find("original", name, "world").path for name in ("a", "b")} == {path}
    assert list(trees(tmp_path).databases("original")) == [("*", "world")]


def test_a_folder_may_belong_to_one_dataset(tmp_path: Path) -> None:
    put(tmp_path, "world", "world.sqlite")
    assert list(trees(tmp_path, "bird").databases("original")) == [("bird", "world")]
    with pytest.raises(NoSuchDatabase):
        trees(tmp_path, "bird").find("original", "spider", "world")


def test_specs_of_one_name_add_up(tmp_path: Path) -> None:
    put(tmp_path, "one", "a", "a.sqlite")
    put(tmp_path, "two", "b", "b.sqlite")
    both = Trees(
        [TreeSpec("original", tmp_path / "one", "x"), TreeSpec("original", tmp_path / "two", "y")]
    )
    assert list(both.databases("original")) == [("x", "a"), ("y", "b")]


def test_an_unknown_tree_is_told_which_there_are(tmp_path: Path) -> None:
    with pytest.raises(NoSuchDatabase, match=r"no tree 'orginal'; .* has \['original'\]"):
        trees(tmp_path).find("orginal", "spider", "world")


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../out", "a/b", "a\\b", "a\0", "/etc", "x" * 300, "\udc80"]
)
def test_a_name_cannot_leave_its_root(tmp_path: Path, name: str) -> None:
    put(tmp_path, "out", "out.sqlite")
    inside = tmp_path / "tree"
    inside.mkdir()
    for dataset, db_id in ((name, "out"), ("out", name), (name, name)):
        with pytest.raises(NoSuchDatabase):
            trees(inside).find("original", dataset, db_id)


def test_a_link_out_of_the_root_is_no_database(tmp_path: Path) -> None:
    put(tmp_path, "out", "out.sqlite")
    inside = tmp_path / "tree"
    inside.mkdir()
    (inside / "out").symlink_to(tmp_path / "out")
    with pytest.raises(NoSuchDatabase):
        trees(inside).find("original", "spider", "out")


def test_a_link_within_the_root_is_one(tmp_path: Path) -> None:
    put(tmp_path, "world", "world.sqlite")
    (tmp_path / "earth").mkdir()
    (tmp_path / "earth" / "earth.sqlite").symlink_to(tmp_path / "world" / "world.sqlite")
    assert trees(tmp_path).find("original", "spider", "earth").db_id == "earth"


def test_what_is_no_plain_file_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "pipe.sqlite")
    with pytest.raises(NoSuchDatabase):
        trees(tmp_path).find("original", "spider", "pipe")


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
def test_a_log_beside_the_file_is_refused_without_its_path(tmp_path: Path, suffix: str) -> None:
    put(tmp_path, "world", "world.sqlite")
    put(tmp_path, "world", f"world.sqlite{suffix}", content=b"pages")
    with pytest.raises(BadTree, match=f"'world' .* has a {suffix} file beside it") as refused:
        trees(tmp_path).find("original", "spider", "world")
    assert str(tmp_path) not in str(refused.value)


def test_an_empty_log_hides_nothing(tmp_path: Path) -> None:
    put(tmp_path, "world", "world.sqlite")
    put(tmp_path, "world", "world.sqlite-wal", content=b"")
    assert trees(tmp_path).find("original", "spider", "world").stamp[0] == 1


def test_a_changed_byte_is_another_digest(tmp_path: Path) -> None:
    path, ours = put(tmp_path, "world", "world.sqlite"), trees(tmp_path)
    before = ours.sha256(ours.find("original", "spider", "world"))
    path.write_bytes(b"y")
    os.utime(path, ns=(1, 1))
    assert ours.sha256(ours.find("original", "spider", "world")) != before


def test_a_changed_byte_shows_though_the_time_of_modification_is_set_back(tmp_path: Path) -> None:
    path, ours = put(tmp_path, "world", "world.sqlite"), trees(tmp_path)
    before = ours.sha256(ours.find("original", "spider", "world"))
    times = path.stat()
    path.write_bytes(b"y")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert ours.sha256(ours.find("original", "spider", "world")) != before


def test_a_digest_is_remembered(tmp_path: Path) -> None:
    path, ours = put(tmp_path, "world", "world.sqlite"), trees(tmp_path)
    found = ours.find("original", "spider", "world")
    assert ours.known_sha256(found) is None
    digest = ours.sha256(found)
    path.unlink()
    assert ours.sha256(found) == ours.known_sha256(found) == digest


@pytest.mark.parametrize("text", ["original", "=x", "original=", "a/b=.", "original:=.", "a:b/c=."])
def test_a_spec_that_cannot_be_read_says_what_is_expected(text: str) -> None:
    with pytest.raises(BadTree, match="expected NAME=DIR or NAME:DATASET=DIR"):
        parse_spec(text)


def test_a_spec_names_a_folder_that_is_there(tmp_path: Path) -> None:
    assert parse_spec(f"original:bird={tmp_path}") == TreeSpec("original", tmp_path, "bird")
    with pytest.raises(BadTree, match="a folder that is not there"):
        parse_spec(f"original={tmp_path / 'absent'}")


@pytest.mark.parametrize("mode", ["read_only", "sandbox_rollback"])
def test_databases_behind_links_answer_as_without(tmp_path: Path, mode: Mode) -> None:
    write_database(tmp_path / "disk" / "world" / "world.sqlite", "CREATE TABLE t(a)")
    (tmp_path / "disk" / "earth").mkdir()
    (tmp_path / "disk" / "earth" / "earth.sqlite").symlink_to(Path("../world/world.sqlite"))
    (tmp_path / "corpus").symlink_to(tmp_path / "disk")
    for root, db_id in (("corpus", "world"), ("corpus", "earth"), ("disk", "earth")):
        path = trees(tmp_path / root).find("original", "spider", db_id).path
        with closing(opened(path, mode)) as sandbox:
            assert sandbox.run("SELECT count(*) FROM t").rows == ((0,),)


def test_a_file_that_has_become_a_link_since_it_was_found_is_not_opened(tmp_path: Path) -> None:
    write_database(tmp_path / "tree" / "world" / "world.sqlite", "CREATE TABLE t(a)")
    write_database(tmp_path / "secret.sqlite", "CREATE TABLE t(a)")
    path = trees(tmp_path / "tree").find("original", "spider", "world").path
    path.unlink()
    path.symlink_to(tmp_path / "secret.sqlite")
    with pytest.raises(CannotOpen):
        open_file(path)


def test_a_log_beside_the_file_that_a_link_leads_to_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "world", "world.sqlite")
    put(tmp_path, "world", "world.sqlite-wal", content=b"pages")
    (tmp_path / "earth").mkdir()
    (tmp_path / "earth" / "earth.sqlite").symlink_to(tmp_path / "world" / "world.sqlite")
    with pytest.raises(BadTree, match="has a -wal file beside it"):
        trees(tmp_path).find("original", "spider", "earth")


def opened(path: Path, mode: Mode) -> Sandbox:
    return open_file(path) if mode == "read_only" else open_copy(path)
