"""``pairset scores``: which databases tell the tied pairs apart."""

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.options import Working, takes
from flows.cli.outcome import one_line

if TYPE_CHECKING:  # a help text needs none of these
    from flows.engine import Engine
    from flows.progress import Teller
    from pairset.scores.scored import ScoredTree

TREES = typer.Option(
    "--tree",
    metavar="NAME=DIR",
    help="A tree to score, DIR/<dataset>/<db_id>/<db_id>.sqlite; may be given several times, as "
    "NAME:DATASET=DIR where the datasets lie apart. NAME alone is one of the config's endpoints. "
    "Trees of the config are scored in any case.",
)
LOST = typer.Option(
    "--lost/--no-lost",
    help="Also ask the pairs that the original separates, to count those that a tree ties: about "
    "three times as many queries.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring(Working):
    """What scoring takes."""

    tree: Annotated[list[str] | None, TREES] = None
    lost: Annotated[bool, LOST] = True


@takes(Scoring)
def scores(context: typer.Context, options: Scoring) -> None:
    """Score trees of databases on the tied set: how many pairs does each tell apart?

    Writes the tables of each tree below trees/ in the build, and a report for all below report/.
    """
    began = time.monotonic()
    with one_line():
        found = _scored(context, options)
    _print({"command": "scores", **found, "seconds": round(time.monotonic() - began, 2)}, options)


def _scored(context: typer.Context, options: Scoring) -> dict[str, Any]:
    from flows.engine import at_work
    from flows.parts import of_pairset
    from flows.planning import demand
    from flows.progress import Teller
    from flows.request import Request
    from flows.scoring import SCORES, asked_trees, report_trees

    request = Request(options.config, options.data, options.workers)
    build, parts, teller = request.build(), context.obj or of_pairset(), Teller()
    demand(parts.stages, SCORES, build, request)
    trees = asked_trees(build, options.tree or ())
    if not trees:
        raise _no_tree()
    with at_work(request, parts, teller, build) as engine:
        asked = _asked(engine, trees, options, teller)
        if not asked:
            teller.say(f"nothing to ask: every database of these trees is scored in {build.root}")
        found, page = report_trees(engine, trees, lost=options.lost)
    return {**found, "databases_asked": asked, "page": str(page)}


def _asked(engine: "Engine", trees: "list[ScoredTree]", options: Scoring, teller: "Teller") -> int:
    """Score, by Prefect or directly; how many databases were asked."""
    from flows.engine import directly
    from flows.prefect_home import has_server, prefect_at
    from flows.request import logs
    from flows.scoring import is_scored, score_trees

    before = engine.made
    if is_scored(engine.build, trees, lost=options.lost):
        return 0
    if options.direct:
        return score_trees(engine, trees, directly, lost=options.lost)
    if not has_server(os.environ):
        teller.say("starting Prefect, which takes some ten seconds (--direct does without)")
    with prefect_at(logs(engine.build) / "prefect"):
        from flows.stage_flows import FLOWS

        given = tuple(options.tree or ())
        FLOWS["scores"](options.config, options.data, options.workers, given, options.lost)
    return engine.made - before


def _no_tree() -> Exception:
    from db_execution.errors import BadTree

    return BadTree("no tree to score: give --tree NAME=DIR, or name trees in the config")


def _print(found: dict[str, Any], options: Scoring) -> None:
    from flows.cli import report
    from pairset.scores.text import lines

    if options.json:
        report.as_json(_summary(found))
        return
    print("\n".join(lines(found)))
    print(f"\nread on in {found['page']}")


def _summary(found: dict[str, Any]) -> dict[str, Any]:
    """The totals of each tree; all else is in the report's own JSON."""
    from pairset.scores.report import total

    kept = ("command", "build", "tied_set", "databases_asked", "tree_duels", "page", "seconds")
    by_tree = {
        tree["name"]: {
            **tree,
            **{
                reading: {k: v for k, v in total(found, tree["name"], reading=reading).items()}
                for reading in ("canonical", "set")
            },
        }
        for tree in found["trees"]
    }
    return {"trees": by_tree} | {name: found[name] for name in kept}
