"""The page of the commands, from what the command line itself declares."""

from collections.abc import Iterator
from typing import Any

import typer

from docs.markdown import table
from flows.cli.app import app

HEAD = """# Commands

Every command, with what its own `--help` says. A command ends with 0; with 1 where the work found
something wrong; with 2 where it could not be done: one line on standard error says why and what
to do, and nothing is written. A run that is interrupted from the keyboard ends with 130, and goes
on when it is asked again.
"""


def every() -> dict[str, Any]:
    """Every command by the words that call it, in the order of the command line's own help."""
    return dict(_within("pairset", typer.main.get_command(app)))


def _within(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Typer carries its parser along and does not say its types; hence Any."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield name, command
        return
    for word, one in inner.items():
        yield from _within(f"{name} {word}", one)


def page() -> str:
    """The page of all commands."""
    return "\n".join([HEAD, *(_command(name, one) for name, one in every().items())])


def _command(name: str, command: Any) -> str:
    arguments = [one for one in command.params if not one.opts[0].startswith("-")]
    options = [one for one in command.params if one.opts[0].startswith("-")]
    usage = " ".join([name, *("[OPTIONS]" for _ in options[:1]), *map(_argument, arguments)])
    parts = [f"## {name}\n", f"```\n{usage}\n```\n", _paragraphs(command.help)]
    if arguments:
        rows = [[f"`{_argument(one)}`", _safe(one.help or "")] for one in arguments]
        parts.append(table(["argument", "is"], rows))
    if options:
        parts.append(table(["option", "does", "default"], map(_option, options)))
    return "\n".join(parts)


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n")) + "\n"


def _argument(one: Any) -> str:
    words = one.metavar or one.name.upper()
    return words if one.required else f"[{words}]"


def _option(one: Any) -> list[str]:
    spelled = ", ".join([*one.opts, *one.secondary_opts])
    value = "" if one.is_flag else f" {one.metavar or one.name.upper()}"
    return [f"`{spelled}{value}`", _safe(one.help or ""), _default(one)]


def _safe(text: str) -> str:
    """A help text, where <words> in angle brackets are no markup."""
    return text.replace("<", "&lt;").replace(">", "&gt;")


def _default(one: Any) -> str:
    if one.required:
        return "must be given"
    if one.is_flag or one.default in (None, (), ""):
        return ""
    return f"`{one.default}`"
