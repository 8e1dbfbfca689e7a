"""The clock stands still and the dice fall alike when a request says so."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from db_execution.sandbox import Ask, Sandbox, open_bytes, open_script

NOON = "2024-02-29T12:00:00"
CLOCKS = (
    "date('now') date() time('now') datetime('now') CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP"
)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    opened = open_script("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3)")
    yield opened
    opened.close()


def value(sandbox: Sandbox, expression: str, **ask: object) -> object:
    rows = sandbox.run(f"SELECT {expression}", Ask(**ask)).rows  # type: ignore[arg-type]
    return rows[0][0] if rows else None


@pytest.mark.parametrize("expression", CLOCKS.split())
def test_the_present_is_what_the_request_says(sandbox: Sandbox, expression: str) -> None:
    assert str(value(sandbox, expression, clock=NOON)) in "2024-02-29 12:00:00"


def test_the_julian_day_and_the_epoch_follow_too(sandbox: Sandbox) -> None:
    assert value(sandbox, "julianday('now')", clock=NOON) == 2460370.0
    assert value(sandbox, "unixepoch()", clock=NOON) == 1709208000
    assert value(sandbox, "strftime('%Y', 'now', '+1 year')", clock=NOON) == "2025"


def test_a_zone_in_the_clock_is_heeded(sandbox: Sandbox) -> None:
    assert value(sandbox, "time('now')", clock="2024-02-29T12:00:00+02:00") == "10:00:00"


def test_without_a_clock_it_is_now(sandbox: Sandbox) -> None:
    value(sandbox, "1", clock=NOON)
    assert value(sandbox, "date('now')") in (
        str(datetime.now(UTC).date()),
        value(sandbox, "date()"),
    )


def test_a_private_copy_has_the_same_clock() -> None:
    import apsw

    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE t(a)")
    copy = open_bytes(connection.serialize("main"), mode="sandbox_rollback")
    connection.close()
    assert value(copy, "date('now')", clock=NOON) == "2024-02-29"
    copy.close()


def test_a_seed_gives_the_same_numbers_whatever_ran_before(sandbox: Sandbox) -> None:
    first = sandbox.run("SELECT random(), a FROM t", Ask(seed=7)).rows
    sandbox.run("SELECT random() FROM t", Ask(seed=8))
    assert sandbox.run("SELECT random(), a FROM t", Ask(seed=7)).rows == first
    assert len({row[0] for row in first or ()}) == 3


def test_another_seed_gives_other_numbers(sandbox: Sandbox) -> None:
    assert value(sandbox, "random()", seed=1) != value(sandbox, "random()", seed=2)


def test_without_a_seed_nobody_knows(sandbox: Sandbox) -> None:
    assert value(sandbox, "random()") != value(sandbox, "random()")


def test_random_blobs_follow_the_seed_and_have_their_size(sandbox: Sandbox) -> None:
    one, other = (value(sandbox, "randomblob(8)", seed=1) for _ in range(2))
    assert one == other
    assert value(sandbox, "length(randomblob(0))") == 1
    assert value(sandbox, "length(randomblob('5'))") == 5


def test_a_shuffle_is_the_same_in_both_of_its_passes(sandbox: Sandbox) -> None:
    shuffled = "SELECT a FROM t ORDER BY random()"
    digests = {sandbox.run(shuffled, Ask(want="digest", seed=3)).list_digest for _ in range(3)}
    assert len(digests) == 1
