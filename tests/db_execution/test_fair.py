"""Whose turn it is."""

import pytest

from db_execution.service.fair import Full, WaitingRoom
from db_execution.service.jobs import Job


def job(database: str, number: int = 0, *, timeout_ms: int = 1_000) -> Job:
    return Job(
        key=("original", "spider", database),
        work={"sha256": ""},
        queries=(str(number),),
        shape="line",
        mode="read_only",
        timeout_ms=timeout_ms,
    )


def order(room: WaitingRoom) -> str:
    names = []
    while (waiting := room.next()) is not None:
        names.append(waiting.key[2] + waiting.queries[0])
    return " ".join(names)


def test_databases_take_turns_and_their_requests_stay_in_order() -> None:
    room = WaitingRoom(10)
    for name, number in (("a", 1), ("a", 2), ("a", 3), ("b", 1), ("c", 1)):
        room.enter(job(name, number))
    assert order(room) == "a1 b1 c1 a2 a3"


def test_a_job_that_comes_back_is_first_of_its_own_and_last_of_all() -> None:
    room = WaitingRoom(10)
    room.enter(job("b", 1))
    room.enter(job("a", 2))
    room.come_back(job("a", 1))
    assert order(room) == "b1 a1 a2"


def test_the_room_is_bounded_but_nobody_is_sent_away_half_done() -> None:
    room = WaitingRoom(1)
    room.enter(job("a"))
    with pytest.raises(Full):
        room.enter(job("b"))
    room.come_back(job("c"))
    assert len(room) == 2


def test_who_does_not_fit_is_passed_over() -> None:
    room = WaitingRoom(10)
    room.enter(job("slow", timeout_ms=120_000))
    room.enter(job("quick"))
    picked = room.next(lambda waiting: waiting.timeout_ms < 10_000)
    assert picked is not None
    assert picked.key[2] == "quick"
    assert room.next(lambda waiting: waiting.timeout_ms < 10_000) is None


def test_everybody_can_be_sent_home() -> None:
    room = WaitingRoom(10)
    room.enter(job("a"))
    room.enter(job("b"))
    assert len(room.empty()) == 2
    assert (len(room), room.next()) == (0, None)
