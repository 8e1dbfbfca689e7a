"""Groups that are made elsewhere: what crosses, and who may still make something."""

import os
from pathlib import Path

import pytest

from db_execution.errors import Unreachable
from flows.apart import Errand, run_errand
from flows.engine import directly
from flows.jobs import Stopped
from flows.request import Request
from flows.ticket import Ticket
from pairset.build import Build, Unit
from tests.flows.helpers import contents, working
from tests.flows.toy import DATABASES, STAGES

UNITS = [Unit("toy", name, count) for name, count in DATABASES.items()]


def build_in(data: Path) -> Build:
    (data / "sample").mkdir(parents=True)
    return Request(data=str(data)).build()


def errand(build: Build, ticket: Ticket) -> Errand:
    return Errand(STAGES[0], build, UNITS, ticket, patience=2)


def test_an_errand_makes_what_the_run_itself_would(tmp_path: Path) -> None:
    build = build_in(tmp_path / "apart")
    run_errand(errand(build, Ticket.issue(build)).packed(), print)
    with working(tmp_path / "here") as engine:
        engine.make("samples", directly)
    made = contents(tmp_path / "here" / "sample")
    assert len(made) == len(UNITS)
    assert contents(tmp_path / "apart" / "sample") == made


def test_an_errand_means_the_same_folder_wherever_it_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    build = build_in(Path("data"))
    packed = errand(build, Ticket.issue(Build(build.config, build.root.absolute()))).packed()
    os.chdir("elsewhere")
    run_errand(packed, print)
    assert len(list(tmp_path.glob("data/sample/samples/toy/*.parquet"))) == len(UNITS)


def test_a_newer_run_ends_what_an_older_one_left_on_a_cluster(tmp_path: Path) -> None:
    build = build_in(tmp_path)
    older = Ticket.issue(build)
    newer = Ticket.issue(build)
    assert newer.is_valid()
    with pytest.raises(Stopped):
        run_errand(errand(build, older).packed(), print)
    assert not list(tmp_path.glob("sample/samples/toy/*"))


def test_a_ticket_that_is_withdrawn_ends_its_holders(tmp_path: Path) -> None:
    build = build_in(tmp_path)
    ticket = Ticket.issue(build)
    ticket.withdraw()
    ticket.withdraw()  # whoever sees a failure withdraws it
    with pytest.raises(Stopped):
        run_errand(errand(build, ticket).packed(), print)


def test_an_executor_that_is_down_is_asked_again_there_too(tmp_path: Path) -> None:
    build = build_in(tmp_path)
    (tmp_path / "samples.down").touch()
    said: list[str] = []
    with pytest.raises(Unreachable):
        run_errand(errand(build, Ticket.issue(build)).packed(), said.append)
    assert said == ["no executor answers at http://127.0.0.1:1; still asking"]
