"""The commands that make something: the chain, each stage, the manifest."""

import time
from collections.abc import Callable
from dataclasses import asdict
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


def _make(name: str, context: typer.Context, options: Working) -> None:
    from flows.engine import at_work
    from flows.parts import of_pairset
    from flows.planning import is_made
    from flows.progress import Teller
    from flows.request import Request

    began = time.monotonic()
    request = Request(options.config, options.data, options.workers)
    build, parts, teller = request.build(), context.obj or of_pairset(), Teller()
    made = 0
    if is_made(name, parts, build, request):
        teller.say(f"nothing to do: all that {name} makes is up to date in {build.root}")
    else:
        with at_work(request, parts, teller, build) as engine:
            made = _work(name, engine, teller, options)
    _report(name, parts, build, options, {"made": made, "seconds": _since(began)})


def _work(name: str, engine: "Engine", teller: "Teller", options: Working) -> int:
    from flows.engine import directly
    from flows.prefect_home import prefect_at
    from flows.request import logs

    if options.direct:
        return engine.make(name, directly)
    teller.say("starting Prefect, which takes some ten seconds (--direct does without)")
    with prefect_at(logs(engine.build) / "prefect"):
        from flows.stage_flows import FLOWS

        return int(FLOWS[name](options.config, options.data, options.workers))


def _report(
    name: str, parts: "Parts", build: "Build", options: Working, facts: dict[str, float]
) -> None:
    from flows.cli import report
    from flows.summary import counts, held

    stages = [stage for stage in parts.stages if name in (stage.name, "run", "manifest")]
    tables = held(build.store, [table for stage in stages for table in stage.tables])
    numbers = counts(build.store)
    if options.json:
        by_name = {one.table: asdict(one) for one in tables}
        report.as_json(
            {"command": name, "build": build.root.name, **numbers, **facts, "tables": by_name}
        )
        return
    report.as_table(tables)
    if name in ("run", "manifest"):
        report.as_lines(numbers)
        report.where(build.root / "MANIFEST.md")


def _since(began: float) -> float:
    return round(time.monotonic() - began, 2)
