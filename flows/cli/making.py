"""The commands that make something: the chain, each stage, the manifest."""

import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.options import Working, takes
from flows.cli.outcome import one_line
from flows.cli.provenance import audit_facts, references_facts, show_audit, show_references

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
    "audit": "Mark the references that answer another question.\n\nCounts them by generator, "
    "database and distance, and draws how far away their owners sit.",
    "runs": "Run every query once on the databases.",
    "labels": "Label every pair: the same answer, or another?",
    "references": "Put every reference through the gates: kept, taken to its owner, or removed.",
    "tied": "Fix the tied set: the pairs that trees are scored on.",
    "manifest": "Write MANIFEST.md: what the build holds.",
}

Facts = Callable[["Build"], dict[str, Any]]
Show = Callable[[dict[str, Any], "Build"], None]
DETAILS: dict[str, tuple[Facts, Show]] = {
    "audit": (audit_facts, show_audit),
    "references": (references_facts, show_references),
}
"""What a command tells beyond the tables that it made: facts for JSON, and how they are shown."""


AGAINST = typer.Option(
    metavar="DIR", help="Also say what changed since another build: its folder or manifest.json."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling(Working):
    """What the manifest takes."""

    against: Annotated[str | None, AGAINST] = None


def add_to(app: typer.Typer) -> None:
    """Add a command for each."""
    for name, text in HELP.items():
        app.command(name, help=text)(_command(name, Telling if name == "manifest" else Working))


def _command(name: str, options_of: type[Working]) -> Callable[..., None]:
    @takes(options_of)
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
    against = getattr(options, "against", None)
    is_new = is_made(name, asked.parts, asked.build, request)
    if is_new and against is None:
        teller.say(f"nothing to do: all that {name} makes is up to date in {asked.build.root}")
    else:
        if not options.direct:
            demand_runner(asked.build.config)
        with at_work(request, asked.parts, teller, asked.build) as engine:
            made = 0 if is_new else _work(asked, engine, teller)
            if against is not None:
                _compare(asked.build, against)
    _report(asked, made, time.monotonic() - began)


def _compare(build: "Build", against: str) -> None:
    """Write the manifest once more, with what changed since another build."""
    from pathlib import Path

    from pairset.manifest import write_manifest

    write_manifest(build, against=Path(against))


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
    details, show = DETAILS.get(name, (lambda _: {}, lambda *_: None))
    more = details(asked.build)
    if asked.options.json:
        facts = {"made": made, "seconds": round(seconds, 2)}
        by_name = {"tables": {one.table: asdict(one) for one in tables}}
        report.as_json(
            {"command": name, "build": store.root.name} | numbers | more | facts | by_name
        )
        return
    report.as_table(tables)
    show(more, asked.build)
    if is_whole:
        report.gap()
        report.as_lines(numbers)
        report.where(store.root / "MANIFEST.md")
