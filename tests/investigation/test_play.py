"""A person's game, and the command around it."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator

import pytest

from flows.cli.app import run as app_run
from investigation.environment import Environment
from investigation.families import draw as draw_real
from investigation.play import Game, printable
from investigation.tasks import Wish
from tests.investigation.toy import WORLD, draw

COMMAND = [sys.executable, "-c", "from flows.cli import main; main()", "investigation", "play"]
ORACLE = draw("totals", 3).oracle_sql


class Played:
    """A game of the toy, and what was said in it."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.prompts: list[str] = []
        self.environment = Environment(WORLD)
        self.game = Game(self.environment, self.said.append)
        self.game.begin(Wish(seed=3, family="totals"))
        del self.said[:]

    def lines(self, text: str) -> str:
        """What is said when these lines are typed."""
        self.game.play(text.splitlines(keepends=True), self.prompts.append)
        return "\n".join(self.said)


@pytest.fixture
def played() -> Iterator[Played]:
    ours = Played()
    yield ours
    ours.environment.close()


def test_the_task_is_shown_first() -> None:
    said: list[str] = []
    environment = Environment(WORLD)
    Game(environment, said.append).begin(Wish(seed=3, family="totals"))
    environment.close()
    assert draw("totals", 3).instruction in said[0]
    assert "CREATE TABLE sales" in said[1]
    assert ".submit" in said[2]


def test_a_query_may_take_several_lines(played: Played) -> None:
    said = played.lines("SELECT 1 AS one,\n  NULL AS two;\nSELECT 'x'\n  AS y\n\n.finish\n")
    assert "one  two\n---  ----\n1    NULL" in said
    assert "y\n-\nx" in said
    assert said.endswith("not right: no reward")
    assert played.prompts[:3] == ["sql (12 left)> ", "  ...> ", "sql (11 left)> "]


def test_the_last_query_may_end_with_the_input(played: Played) -> None:
    said = played.lines("SELECT 41 + 1 AS answer")
    assert "answer\n------\n42" in said
    assert said.endswith("left before the end: nothing was graded")


@pytest.mark.parametrize(
    "text", [f".submit {ORACLE};", f".submit {ORACLE}\n\n", f"{ORACLE};\nSELEC;\n.submit\n"]
)
def test_the_right_query_is_said_to_be_right(played: Played, text: str) -> None:
    assert played.lines(text).endswith("right: the whole table")
    assert played.game.over


def test_what_is_wrong_is_said_and_goes_on(played: Played) -> None:
    said = played.lines(".submit\nSELEC;\nDROP TABLE sales;\n.what\n.help\n.schema\n.finish\n")
    for text in (
        "no query yet",
        "syntax: near",
        "refused: not allowed here",
        "no command .what",
        "give up",
        "CREATE TABLE",
    ):
        assert text in said


def test_nothing_that_a_terminal_obeys_is_shown(played: Played) -> None:
    said = played.lines(
        "SELECT char(27) || '[31m' || char(7) || char(10) || char(155) AS \"a\x1b[2J\";\n"
    )
    assert not any(c in said for c in "\x1b\x07\x9b")
    assert "\\x1b[31m\\x07\\n\\x9b" in said
    assert printable("a\x1bb\nc\u202e") == "a\\x1bb\nc\\u202e"


def test_long_results_are_said_to_be_cut(played: Played) -> None:
    said = played.lines("SELECT 1 FROM sales a, sales b, sales c;\nSELECT 1 WHERE 0;\n")
    assert "(only 100 rows or the beginnings of long values are shown)" in said
    assert "(no rows)" in said


def run(words: list[str], text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], input=text, capture_output=True, text=True, timeout=60
    )


def test_the_command_plays_what_is_piped_into_it() -> None:
    oracle = draw_real("signup_cohorts", 5).oracle_sql
    done = run(["--family", "signup_cohorts", "--seed", "5"], f".submit {oracle};\n")
    assert done.returncode == 0, done.stderr
    assert "right: the whole table" in done.stdout
    assert "sql (" not in done.stdout
    last = done.stdout.splitlines()[-1]
    assert last == "correct; the same task again: --family signup_cohorts --seed 5"


def test_the_command_prompts_a_person() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "--seed", "1"], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    seen = b""
    while b"sql (12 left)> " not in seen:
        seen += os.read(ours, 4096)
    os.write(ours, b"SELECT 6 * 7;\n")
    while b"sql (11 left)> " not in seen:
        seen += os.read(ours, 4096)
    os.write(ours, b".finish\n")
    assert process.wait(120) == 0
    os.close(ours)
    assert b"42" in seen


@pytest.mark.parametrize(
    "words", [["--family", "absent"], ["--seed", str(2**63)], ["--seed", "-1"]]
)
def test_what_there_is_not_is_refused_in_a_line(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert app_run(["investigation", "play", *words]) == 2
    heard = capsys.readouterr()
    assert heard.out == ""
    assert len(heard.err.splitlines()) == 1
