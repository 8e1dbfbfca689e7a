"""What a job does when the executor does not answer."""

from pathlib import Path

import pytest

from db_execution.errors import Unreachable
from flows.engine import directly
from flows.jobs import Job, Stopped
from flows.pool import Pool
from flows.request import Request
from pairset.build import Build, Unit
from pairset.store import Shard
from tests.flows.toy import STAGES

UNITS = [[Unit("toy", "books", 5)], [Unit("toy", "clinic", 2)]]


class Answers(Pool):
    """A pool whose executor is down for the first ``down`` pieces that ask it."""

    def __init__(self, down: int) -> None:
        super().__init__(1)
        self.down = down

    def make(self, stage: object, build: Build, unit: Unit) -> list[Shard]:
        self.down -= 1
        if self.down >= 0:
            raise Unreachable("no executor answers")
        return [Shard("samples", unit.dataset, unit.db_id, unit.weight, "content")]


def job(down: int, patience: int) -> tuple[Job, list[str]]:
    lines: list[str] = []
    build = Request().build()
    one = Job(
        stage=STAGES[0],
        build=build,
        groups=UNITS,
        pool=Answers(down),
        advance=lambda: lines.append("made"),
        say=lines.append,
        patience=patience,
    )
    return one, lines


def test_an_executor_that_comes_back_costs_nothing() -> None:
    outage, lines = job(down=4, patience=5)
    directly(outage)
    assert outage.failure is None
    assert lines.count("made") == 2


def test_an_outage_is_told_once() -> None:
    outage, lines = job(down=3, patience=4)
    outage.do(0)
    assert lines == ["no executor answers; still asking", "made"]


def test_an_executor_that_stays_away_is_the_failure() -> None:
    outage, _ = job(down=100, patience=3)
    directly(outage)
    assert isinstance(outage.failure, Unreachable)


def test_the_other_groups_stop_after_a_failure() -> None:
    outage, _ = job(down=1, patience=1)
    with pytest.raises(Unreachable):
        outage.do(0)
    with pytest.raises(Stopped):
        outage.do(1)
    assert isinstance(outage.failure, Unreachable)


def test_a_groups_digest_depends_on_what_was_made() -> None:
    one, _ = job(down=0, patience=1)
    assert one.do(0) == job(down=0, patience=1)[0].do(0)
    assert one.do(0) != one.do(1)


def test_a_real_worker_hands_the_failure_back(tmp_path: Path) -> None:
    (tmp_path / "samples.down").touch()
    pool = Pool(1)
    try:
        with pytest.raises(Unreachable, match="no executor answers"):
            pool.make(STAGES[0], Request(data=str(tmp_path)).build(), UNITS[0][0])
    finally:
        pool.close()
