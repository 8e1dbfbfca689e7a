"""``pairset tree``: folders of databases checked, digested and made."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from flows.cli.options import JSON, Common, takes
from flows.cli.outcome import WRONG, one_line

if TYPE_CHECKING:  # a help text needs none of these
    from flows.engine import Engine
    from pairset.baselines import Making
    from pairset.build import Build
    from pairset.scores.check import Checked

FOLDERS = typer.Argument(
    metavar="DIR...",
    help="A tree, DIR/<dataset>/<db_id>/<db_id>.sqlite or without <dataset>; DATASET=DIR several "
    "times where the datasets lie apart.",
)
OUT = typer.Option(metavar="DIR", help="Where the tree goes: a folder that is new or empty.")
SEED = typer.Option(min=0, metavar="N", help="The same seed gives the same bytes.")
ROWS = typer.Option(
    min=1,
    max=100_000,
    metavar="N",
    help="Rows of a table; twice as many if it refers to others.",
)
NULLS = typer.Option(min=0, max=1, metavar="RATE", help="NULLs in columns that may be NULL.")
ORIGINALS = typer.Option(
    min=0, max=1000, metavar="N", help="Values of each column to take over from the original."
)
MISSING = typer.Option("--missing", help="Also make the databases that the original lacks.")
TREE = "tree"
T = TypeVar("T")
_COUNTS = ("foreign_keys_broken", "null_in_keys", "wrong_types")

tree = typer.Typer(help="Trees of databases: check, digest, make.", rich_markup_mode=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checking(Common):
    """What a check takes."""

    folders: Annotated[list[str], FOLDERS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Digesting:
    """What a digest takes."""

    folders: Annotated[list[str], FOLDERS]
    json: Annotated[bool, JSON] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Out(Common):
    """What making a tree takes."""

    out: Annotated[str, OUT]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fuzzing(Out):
    """What making a random tree takes."""

    seed: Annotated[int, SEED]
    rows: Annotated[int, ROWS] = 24
    nulls: Annotated[float, NULLS] = 0.05
    originals: Annotated[int, ORIGINALS] = 8
    missing: Annotated[bool, MISSING] = False


@tree.callback()
def group() -> None:
    """Trees of databases: check, digest, make."""


@tree.command("check")
@takes(Checking)
def check(context: typer.Context, options: Checking) -> None:
    """Hold a tree against the original: the same schema to the byte, its constraints kept?

    Ends with 1 where a database is missing, cannot be read, has another schema, is none of the
    build's, or breaks more of what it declares than the original does.
    """
    with one_line():
        facts, listed = _checked(context, options)
    _print_check(facts, listed, options)
    if facts["failed"] or facts["not_of_the_build"]:
        raise typer.Exit(WRONG)


@tree.command("digest")
@takes(Digesting)
def digest(context: typer.Context, options: Digesting) -> None:
    """Print the digest of a tree: over the names and bytes of its databases."""
    with one_line():
        from db_execution.errors import BadTree
        from flows.cli import report
        from pairset.scores.scored import databases_digest, listing

        found = listing(_specs(options.folders))
        if bad := [one for one in found.values() if one.sha256 is None]:
            raise BadTree(bad[0].note)
        facts = {"databases": len(found), "sha256": databases_digest(found)}
        if options.json:
            report.as_json({"command": "tree digest", **facts})
        else:
            print(facts["sha256"])


@tree.command("copy")
@takes(Out)
def copy(context: typer.Context, options: Out) -> None:
    """Make a tree that is the original, byte for byte: it catches nothing."""
    _make("copy", context, options, lambda build, out: _baselines().copy_tree(build, out))


@tree.command("empty")
@takes(Out)
def empty(context: typer.Context, options: Out) -> None:
    """Make a tree of the original's schemas with no row in them."""
    _make("empty", context, options, lambda build, out: _baselines().empty_tree(build, out))


@tree.command("fuzz")
@takes(Fuzzing)
def fuzz(context: typer.Context, options: Fuzzing) -> None:
    """Make a tree of random databases that keep their schema.

    Values respect types, keys, foreign keys and NOT NULL, and what the golds compare columns with
    is among them. The same seed gives the same bytes.
    """

    def make(build: "Build", out: Path) -> "Making":
        from pairset.fuzz.tree import FuzzSettings, fuzz_tree

        settings = FuzzSettings(
            options.seed, options.rows, options.nulls, options.originals, options.missing
        )
        return fuzz_tree(build, out, settings)

    _make("fuzz", context, options, make)


def _baselines() -> Any:
    from pairset import baselines

    return baselines


def _specs(folders: Sequence[str]) -> list[str]:
    """The specs of one tree from what is typed: DIR, or DATASET=DIR."""
    cut = [text.rpartition("=") for text in folders]
    return [f"{TREE}:{head}={folder}" if head else f"{TREE}={folder}" for head, _, folder in cut]


def _at_work(
    context: typer.Context, options: Common, work: "Callable[[Engine], T]", what: str
) -> T:
    """Do something with a build that has its schemas, and tell that it may take a while."""
    from flows.engine import at_work
    from flows.parts import of_pairset
    from flows.planning import demand
    from flows.progress import Teller
    from flows.request import Request

    request = Request(options.config, options.data)
    build, parts, teller = request.build(), context.obj or of_pairset(), Teller()
    demand(parts.before("golds"), what, build, request)
    with at_work(request, parts, teller, build) as engine, teller.waiting(f"{what} ..."):
        return work(engine)


def _checked(context: typer.Context, options: Checking) -> "tuple[dict[str, Any], list[Checked]]":
    from flows.executor import executors
    from pairset.baselines import original_units
    from pairset.scores.check import check_tree
    from pairset.scores.scored import find_tree

    specs = _specs(options.folders)

    def work(engine: "Engine") -> "tuple[dict[str, Any], list[Checked]]":
        from dataclasses import replace

        build = engine.build
        units = original_units(build)
        found = find_tree(build, TREE, specs, [unit.place for unit in units])
        with executors(build, specs) as endpoints:
            listed = list(check_tree(replace(build, endpoints=endpoints), found, units))
        return _facts(listed, found.sha256, list(found.extra)), listed

    return _at_work(context, options, work, "tree check")


def _facts(listed: "Sequence[Checked]", sha256: str, extra: list[str]) -> dict[str, Any]:
    failed = [one for one in listed if not one.is_fit]
    return {
        "sha256": sha256,
        "total": len(listed),
        "passed": len(listed) - len(failed),
        "failed": len(failed),
        "not_of_the_build": extra,
    }


def _print_check(facts: dict[str, Any], listed: "Sequence[Checked]", options: Checking) -> None:
    from flows.cli import report

    differing = [one for one in listed if not one.is_fit]
    if options.json:
        found = [one.as_json() for one in differing]
        report.as_json({"command": "tree check", **facts, "differing": found})
        return
    for one in differing:
        print(f"{one.dataset}/{one.db_id}: {one.status.replace('_', ' ')}: {one.fault}")
    report.as_lines({"databases": facts["total"], "as they should be": facts["passed"]})
    report.as_columns(["", "tree", "original"], [_counted(listed, name) for name in _COUNTS])
    if extra := facts["not_of_the_build"]:
        print(f"{len(extra)} of the tree's are none of the build's: {', '.join(extra[:20])}")
    print(f"digest {facts['sha256']}")


def _counted(listed: "Sequence[Checked]", name: str) -> list[object]:
    """How many rows, keys or cells are amiss in the tree, and in the original."""
    sides = ([one.violations for one in listed], [one.original for one in listed])
    counts = (sum((getattr(one, name) or 0) for one in side if one) for side in sides)
    return [name.replace("_", " "), *counts]


def _make(
    name: str, context: typer.Context, options: Out, make: "Callable[[Build, Path], Making]"
) -> None:
    """Make a tree, and say what is in it and what was refused."""
    out, what = Path(options.out), f"tree {name}"
    with one_line():
        made = _at_work(context, options, lambda engine: make(engine.asking(), out), what)
    _print_made(name, made, options)


def _print_made(name: str, made: "Making", options: Out) -> None:
    from dataclasses import asdict

    from flows.cli import report
    from pairset.scores.scored import databases_digest, listing

    sha256 = databases_digest(listing([f"{TREE}={options.out}"]))
    if options.json:
        report.as_json({"command": f"tree {name}", **asdict(made), "sha256": sha256})
        return
    rows = {} if made.rows is None else {"rows": made.rows}
    report.as_lines({"databases": made.databases, **rows, "refused": len(made.refused)})
    for line in made.refused[:20]:
        print(line)
    print(f"digest {sha256}")
