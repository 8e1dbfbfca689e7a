"""What is told while the work goes on."""

import io
import time

import pytest
from rich.console import Console

from flows.progress import Teller


def teller(*, terminal: bool) -> tuple[Teller, io.StringIO]:
    text = io.StringIO()
    return Teller(Console(file=text, force_terminal=terminal, width=80), patience=0), text


def test_off_a_terminal_a_stage_is_one_line() -> None:
    told, text = teller(terminal=False)
    with told.counting("golds", 2) as advance:
        advance()
        advance()
    assert text.getvalue().startswith("golds: 2 pieces made in ")


def test_on_a_terminal_a_bar_counts_the_pieces() -> None:
    told, text = teller(terminal=True)
    with told.counting("golds", 2) as advance:
        advance()
        while "1/2" not in text.getvalue():
            time.sleep(0.01)
    assert "golds: 2 pieces made in" in text.getvalue()


def test_a_stage_that_fails_tells_nothing() -> None:
    told, text = teller(terminal=False)
    with pytest.raises(ValueError, match="bad"), told.counting("golds", 2):
        raise ValueError("bad")
    assert text.getvalue() == ""


def test_what_is_said_is_said_as_it_is() -> None:
    told, text = teller(terminal=False)
    told.say("no [markup] and no wrapping: " + "x" * 200)
    assert text.getvalue() == "no [markup] and no wrapping: " + "x" * 200 + "\n"


def test_waiting_is_told() -> None:
    told, text = teller(terminal=False)
    with told.waiting("asking"):
        assert text.getvalue() == "asking\n"
