"""A person at the terminal in the agent's place: the same task, the same limits."""

from collections.abc import Callable, Iterable, Iterator
from textwrap import wrap
from typing import Any

from investigation.actions import Action, Op
from investigation.environment import Environment, Observation
from investigation.tasks import Wish

HELP = """\
Write SQL, over any number of lines; a semicolon at the end of a line, or an empty line, asks it.
.submit SQL   submit it as the answer, which ends the game; alone: the last query that ran
.finish       give up
.schema       the tables again
.help         this text"""
EMPTY = "(no rows)"
WIDE = 60
"""So many characters of a cell go on a line."""

Say = Callable[[str], None]
Prompt = Callable[[str], None]


class Game:
    """One episode, played line by line. ``say`` takes what is shown, a text of whole lines."""

    def __init__(self, environment: Environment, say: Say) -> None:
        self._environment = environment
        self._say = say
        self._schema = ""
        self._last = ""
        self.left = 0
        self.over = False

    def begin(self, wish: Wish) -> None:
        """Draw the task and show it; BadReset where there is no such task."""
        seen = self._environment.reset(wish)
        self._schema, self.left = seen.db_schema, seen.actions_left
        question = "\n".join(wrap(seen.instruction, 100))
        for text in (question, self._schema, HELP):
            self._say(printable(text) + "\n")

    def play(self, lines: Iterable[str], prompt: Prompt) -> None:
        """Take the lines of a person or a pipe until the game is over or they end."""
        for text in self._statements(iter(lines), prompt):
            self._take(text)
            if self.over:
                return
        self._say("left before the end: nothing was graded")

    def _statements(self, lines: Iterator[str], prompt: Prompt) -> Iterator[str]:
        held: list[str] = []
        while True:
            prompt("  ...> " if held else f"sql ({self.left} left)> ")
            line = next(lines, None)
            if line is not None and line.strip():
                held.append(line.rstrip("\r\n"))
                text = line.strip()
                if not text.endswith(";") and not (len(held) == 1 and _is_command(text)):
                    continue
            if held:
                yield "\n".join(held).strip()
                held = []
            if line is None:
                return

    def _take(self, text: str) -> None:
        command, _, rest = text.partition(" ")
        word = command.split("\n")[0].rstrip(";")
        if word == ".help":
            self._say(HELP)
        elif word == ".schema":
            self._say(printable(self._schema))
        elif word == ".finish":
            self._do("finish", "")
        elif word == ".submit":
            self._submit(text[len(".submit") :].strip(" \n;") or self._last)
        elif word.startswith("."):
            self._say(f"no command {printable(word)}; .help has them all")
        else:
            self._do("query", text)

    def _submit(self, sql: str) -> None:
        if sql:
            self._do("submit", sql)
        else:
            self._say("there is no query yet to submit")

    def _do(self, op: Op, sql: str) -> None:
        seen = self._environment.step(Action(op, sql))
        self.left, self.over = seen.actions_left, seen.done
        if seen.error is not None:
            self._say(f"{seen.error_kind}: {printable(seen.error)}")
        elif op == "query":
            self._last = sql
            self._say(table(seen))
        if seen.done:
            self._say("right: the whole table" if seen.reward else "not right: no reward")


def table(seen: Observation) -> str:
    """The rows of a query, in columns."""
    rows = [list(seen.columns), *[[_cell(value) for value in row] for row in seen.rows]]
    rows = [[printable(cell).replace("\n", "\\n")[:WIDE] for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    lines[1:1] = ["  ".join("-" * width for width in widths)]
    if not seen.rows:
        lines.append(EMPTY)
    if seen.truncated:
        lines.append(f"(only {len(seen.rows)} rows or the beginnings of long values are shown)")
    return "\n".join(lines)


def printable(text: str) -> str:
    """``text`` without what a terminal obeys: control characters are written as escapes."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def _cell(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, dict):
        [(kind, body)] = value.items()
        return f"{kind[1:]} {body}"
    return str(value)


def _is_command(text: str) -> bool:
    """Whether a line is a command that needs no second line."""
    return text.startswith(".") and text.split(" ")[0] != ".submit" or text == ".submit"
