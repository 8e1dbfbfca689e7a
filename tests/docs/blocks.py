"""What pages ask a reader to type: their fenced blocks, and the words of the commands in them."""

import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from docs import PAGES, ROOT
from docs.repository import copied
from flows.cli.app import app

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
TARGET = re.compile(r"^([a-z]+):", re.MULTILINE)
ELSEWHERE = {
    *("export", "less", "curl", "cd", "pip", "docker", "prefect", "git"),
    *("bash", "cat", "cp", "ls", "mkdir"),
}
"""Programs that are not ours; that they take what is typed is theirs to say."""


def every_page() -> dict[str, str]:
    """Every page that people read, of the site and of the repository, by its file."""
    files = [*sorted(PAGES.rglob("*.md")), *(ROOT / name for name in sorted(copied()))]
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in files}


def blocks(text: str, kind: str) -> list[str]:
    """The fenced blocks of a kind."""
    return [body for found, body in BLOCK.findall(text) if found == kind]


def typed(text: str) -> Iterator[str]:
    """The lines that a page shows as typed: after a dollar, or our commands in a plain block."""
    for kind, body in BLOCK.findall(text):
        for line in body.replace("\\\n", " ").splitlines():
            if kind == "console" and line.startswith("$ "):
                yield line[2:]
            elif kind == "" and re.match(r"(\$ )?(\S*/)?(pairset|python -m \w+) ", line):
                yield line.removeprefix("$ ")


def refusal(line: str) -> str | None:
    """Why a line cannot be typed as it stands; None where it can."""
    reader = shlex.shlex(line, posix=True, punctuation_chars=True)
    reader.wordchars += ":@%,+<>[]{}$"
    commands: list[list[str]] = [[]]
    for word in reader:
        if set(word) <= set("();<>|&"):
            commands.append([])
        else:
            commands[-1].append(word)
    after = [command for command in commands if command and not _is_file(line, command)]
    return next((why for command in after if (why := _refused(command)) is not None), None)


def _is_file(line: str, command: list[str]) -> bool:
    """Whether this is where output goes to, or input comes from."""
    return bool(re.search(rf"[<>]\s*{re.escape(command[0])}", line))


def _refused(words: list[str]) -> str | None:
    if re.match(r"\w+=", words[0]):  # a variable for the command that follows
        return _refused(words[1:]) if words[1:] else None
    program = Path(words[0]).name
    if program == "pairset":
        return _of_pairset(words[1:])
    if program == "make":
        return _of_make(words[1:])
    if program.startswith("python"):
        is_known = words[1] != "-m" or _has_module(words[2])
        return None if is_known else f"no module {words[2]}"
    return None if program in ELSEWHERE else f"not known here: {program}"


def _has_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _of_make(words: list[str]) -> str | None:
    targets = set(TARGET.findall((ROOT / "Makefile").read_text()))
    missing = [word for word in words if "=" not in word and word not in targets]
    return f"no target {missing[0]}" if missing else None


def _of_pairset(words: list[str]) -> str | None:
    command: Any = typer.main.get_command(app)
    name = "pairset"
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        name = words.pop(0)
        if name not in command.commands:
            return f"no command {name}"
        command = command.commands[name]
    if words == ["--help"]:
        return None
    try:
        command.make_context(name, words)
    except typer.TyperException as error:
        return error.format_message()
    return None


def spoken(text: str) -> Iterator[tuple[str, list[str]]]:
    """Our commands in running text: the words of the command, and the options that go with it."""
    outside = BLOCK.sub("", text)
    for span in re.findall(r"`(pairset [^`\n]+)`", outside):
        words = re.split(r"[\s\[\]=,]+", span)
        names = [word for word in words[1:] if re.fullmatch(r"[a-z][a-z-]*", word)]
        yield span, [*names[:2], *(word for word in words if word.startswith("--"))]
