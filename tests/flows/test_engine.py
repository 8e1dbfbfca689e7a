"""The engine, over toy stages that read and write real tables."""

from pathlib import Path

import pytest

from flows.engine import at_work, directly
from flows.errors import BadFolder, Busy, NotYet, WorkerDied
from flows.request import Request
from pairset.files import write_atomically
from tests.flows.helpers import contents, working
from tests.flows.toy import DATABASES, PARTS, tell


def make(data: Path, name: str = "run", workers: int = 1) -> int:
    with working(data, workers) as engine:
        return engine.make(name, directly)


def test_a_run_makes_every_piece_once(tmp_path: Path) -> None:
    assert make(tmp_path) == 3 * len(DATABASES)
    assert make(tmp_path) == 0


def test_one_worker_gives_the_bytes_of_two(tmp_path: Path) -> None:
    make(tmp_path / "one", workers=1)
    make(tmp_path / "two", workers=2)
    assert contents(tmp_path / "one" / "sample") == contents(tmp_path / "two" / "sample")


def test_stages_by_hand_give_the_bytes_of_a_run(tmp_path: Path) -> None:
    make(tmp_path / "run")
    for name in ("samples", "golds", "labels", "manifest"):
        make(tmp_path / "by hand", name)
    assert contents(tmp_path / "run" / "sample") == contents(tmp_path / "by hand" / "sample")


def test_only_what_changed_is_made_again(tmp_path: Path) -> None:
    make(tmp_path)
    tell(tmp_path, databases=DATABASES | {"clinic": 3})
    assert make(tmp_path) == 3
    tell(tmp_path, databases=DATABASES | {"clinic": 4})  # one more sample, but no other golds
    assert make(tmp_path) == 2


def test_files_of_databases_that_are_gone_are_swept(tmp_path: Path) -> None:
    make(tmp_path)
    tell(tmp_path, databases={"books": 5})
    assert make(tmp_path) == 0
    assert {Path(name).stem for name in contents(tmp_path / "sample")} == {"books", "MANIFEST"}


def test_a_stage_by_hand_says_what_to_make_first(tmp_path: Path) -> None:
    make(tmp_path, "samples")
    with pytest.raises(NotYet, match=r"make it with: pairset golds --data "):
        make(tmp_path, "labels")
    with pytest.raises(NotYet, match=r"^manifest is made from golds"):
        make(tmp_path, "manifest")


def test_nothing_is_made_from_a_stage_that_is_out_of_date(tmp_path: Path) -> None:
    make(tmp_path)
    tell(tmp_path, databases=DATABASES | {"books": 1})
    with pytest.raises(NotYet, match="labels is made from samples"):
        make(tmp_path, "labels")


def test_two_cannot_work_in_one_build(tmp_path: Path) -> None:
    with working(tmp_path), pytest.raises(Busy, match="is at work in"), working(tmp_path, 2):
        pass
    with working(tmp_path):  # and the lock is let go of
        pass


def test_the_engine_at_work_is_the_one_that_flows_get(tmp_path: Path) -> None:
    request = Request(data=str(tmp_path))
    with at_work(request, PARTS) as engine, at_work(request) as again:
        assert again is engine


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadFolder, match="go in a folder, and .*file is none"):
        make(tmp_path / "file")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "logs").touch()
    with pytest.raises(BadFolder, match=f"cannot write in {tmp_path}: "):
        make(tmp_path)


def test_what_a_killed_writer_left_is_taken_away(tmp_path: Path) -> None:
    make(tmp_path)
    whole = contents(tmp_path / "sample")
    left = tmp_path / "sample" / "golds" / "toy" / ".books.parquet.1.partial"
    write_atomically(left, lambda path: path.touch())
    make(tmp_path)
    assert contents(tmp_path / "sample") == whole


def test_a_killed_worker_ends_the_run_in_one_line(tmp_path: Path) -> None:
    tell(tmp_path, kills="golds/films")
    with pytest.raises(WorkerDied, match="killed while it made golds"):
        make(tmp_path)
    tell(tmp_path)
    make(tmp_path / "whole")
    make(tmp_path)
    assert contents(tmp_path / "sample") == contents(tmp_path / "whole" / "sample")
