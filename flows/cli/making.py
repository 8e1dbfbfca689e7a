"""The commands that make something: the chain, each stage, the manifest."""

import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import typer

from flows.cli.options import Working, takes
from flows.cli.outcome import one_line

if TYPE_CHECKING:  # a help text needs none of these
    from flows.engine import Engine
    from flows.parts import Parts
    from flows.progress import Teller
    from pairset.build import Build

HELP = {
    "run": "Make all that is not made yet.\n\nEach stage in order, then the manifest. A run that "
    "was interrupted goes on where it stopped; one that has nothing to do says so and ends.",
    "samples": "Read the corpora into samples.",
    "schemas": "Read what tables and keys every database has.",
    "golds": "Parse every gold, and note what is true of it.",
    "pairs": "Put near misses beside every gold.\n\nIts references, and its mutants.",
    "runs": "Run every query once on the databases.",
    "labels": "Label every pair: the same answer, or another?",
    "manifest": "Write MANIFEST.md: what the build holds.",
}


def add_to(app: typer.Typer) -> None:
    """Add a command for each."""
    for name, text in HELP.items():
        app.command(name, help=text)(_command(name))


def _command(name: str) -> Callable[..., None]:
    @takes(Working)
    def command(context: typer.Context, options: Working) -> None:
        with one_line():
            _make(name, context, options)

    return command


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be made, of which build, and how."""

    name: str
    options: Working
    build: "Build"
    parts: "Parts"


def _make(name: str, context: typer.Context, options: Working) -> None:
    from flows.engine import at_work
    from flows.parts import of_pairset
    from flows.planning import is_made
    from flows.progress import Teller
    from flows.request import Request
    from flows.runners import demand_runner

    began, made = time.monotonic(), 0
    request = Request(options.config, options.data, options.workers)
    asked = _Asked(name, options, request.build(), context.obj or of_pairset())
    teller = Teller()
    if is_made(name, asked.parts, asked.build, request):
        teller.say(f"nothing to do: all that {name} makes is up to date in {asked.build.root}")
    else:
        if not options.direct:
            demand_runner(asked.build.config)
        with at_work(request, asked.parts, teller, asked.build) as engine:
            made = _work(asked, engine, teller)
    _report(asked, made, time.monotonic() - began)


def _work(asked: _Asked, engine: "Engine", teller: "Teller") -> int:
    from flows.engine import directly
    from flows.prefect_home import has_server, prefect_at
    from flows.request import logs

    options = asked.options
    if options.direct:
        return engine.make(asked.name, directly)
    if not has_server(os.environ):
        teller.say("starting Prefect, which takes some ten seconds (--direct does without)")
    with prefect_at(logs(engine.build) / "prefect"):
        from flows.stage_flows import FLOWS

        return int(FLOWS[asked.name](options.config, options.data, options.workers))


def _report(asked: _Asked, made: int, seconds: float) -> None:
    from flows.cli import report
    from flows.summary import counts, held

    name, store = asked.name, asked.build.store
    is_whole = name in ("run", "manifest")
    stages = [stage for stage in asked.parts.stages if is_whole or stage.name == name]
    tables = held(store, [table for stage in stages for table in stage.tables])
    numbers = counts(store)
    if asked.options.json:
        facts = {"made": made, "seconds": round(seconds, 2)}
        by_name = {"tables": {one.table: asdict(one) for one in tables}}
        report.as_json({"command": name, "build": store.root.name} | numbers | facts | by_name)
        return
    report.as_table(tables)
    if is_whole:
        report.gap()
        report.as_lines(numbers)
        report.where(store.root / "MANIFEST.md")
