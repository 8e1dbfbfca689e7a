"""The page of the stages: what each reads and writes, as the code declares it."""

import inspect
import re
from collections.abc import Sequence

from docs.markdown import section, table
from docs.repository import text_of
from flows.parts import of_pairset
from pairset.build import Stage

HEAD = """# Stages

A build is made by these stages, in this order; each is a command of its name. A stage is cut into
pieces, one a database. Every file says from which inputs it was made, and by which version of its
stage: a piece whose recorded inputs still hold is left alone, so a second run makes only what
changed, and a run that was killed goes on where it stopped. After the last stage comes the
manifest.
"""


def page() -> str:
    """The page of all stages."""
    stages, made = of_pairset().stages, makes()
    overview = table(
        ["stage", "makes"], [[f"[{one.name}](#{one.name})", made[one.name]] for one in stages]
    )
    return "\n".join([HEAD, overview, *map(_stage, stages)])


def makes() -> dict[str, str]:
    """What README says that each stage makes."""
    rows = section(text_of("README.md"), "Stages")
    return dict(re.findall(r"^\| (\w+) \| (.+) \|$", rows, re.MULTILINE))


def _stage(one: Stage) -> str:
    module = inspect.getmodule(type(one))
    about = (inspect.getdoc(module) or "").split(": ", 1)[-1]
    reads: Sequence[str] = getattr(one, "reads", ())
    rows = [
        ["reads", ", ".join(map(_link, reads)) or "the corpora"],
        ["is made again where these change", _sentence(inspect.getdoc(type(one).inputs) or "")],
        ["writes", ", ".join(map(_link, one.tables))],
        ["runs queries", "yes" if one.asks_executor else "no"],
        ["version", str(one.version)],
        ["command", f"[`pairset {one.name}`](commands.md#pairset-{one.name})"],
    ]
    told = f"{about[:1].upper()}{about[1:]}\n\n{inspect.getdoc(type(one))}"
    return f"## {one.name}\n\n{told.replace('``', '`')}\n\n{table(['', ''], rows)}"


def _link(name: str) -> str:
    return f"[{name}](tables.md#{name})"


def _sentence(text: str) -> str:
    """A docstring's first line, within a table: no capital, no point."""
    line = text.splitlines()[0].rstrip(".")
    return line[:1].lower() + line[1:]
