"""``pairset investigation``: the families by hand, and all their laws."""

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.options import JSON, WORKERS, takes
from flows.cli.outcome import WRONG, one_line

if TYPE_CHECKING:  # a help text needs none of these
    from investigation.instance import Instance
    from investigation.verify import Held, Verification

SHOWN = 20

FAMILY = typer.Option(metavar="NAME", help="The family.")
FAMILIES = typer.Option("--family", metavar="NAME", help="Only this family; may be repeated.")
SEED = typer.Option(metavar="N", help="The seed, from 0 to 2**63 - 1.")
SEEDS = typer.Option(min=1, metavar="N", help="How many seeds of each family.")
ANSWER = typer.Option("--answer", help="Print the right answer and the oracle SQL as well.")
SCRIPT = typer.Option(metavar="FILE", help="Write the script that makes the database to FILE.")
investigation = typer.Typer(
    help="Ten families of SQL tasks, drawn from seeds.", rich_markup_mode=None
)


@investigation.callback()
def group() -> None:
    """Ten families of SQL tasks, drawn from seeds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generating:
    """Which instance, and what of it."""

    family: Annotated[str, FAMILY]
    seed: Annotated[int, SEED]
    answer: Annotated[bool, ANSWER] = False
    out: Annotated[Path | None, SCRIPT] = None
    json: Annotated[bool, JSON] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifying:
    """How many seeds, of which families, by how many processes."""

    seeds: Annotated[int, SEEDS] = 100
    family: Annotated[list[str] | None, FAMILIES] = None
    workers: Annotated[int | None, WORKERS] = None
    json: Annotated[bool, JSON] = False


@investigation.command("generate")
@takes(Generating)
def generate(context: typer.Context, options: Generating) -> None:
    """Draw one instance: its instruction and its schema.

    The database itself is written as a script with --out, which `sqlite3` and others can run.
    """
    with one_line():
        from flows.cli import report
        from investigation.families import draw
        from investigation.scripts import script
        from pairset.files import write_text

        instance = draw(options.family, options.seed)
        if options.out is not None:
            write_text(options.out, script(instance.tables))
        facts = _facts(instance, with_answer=options.answer)
        if options.json:
            report.as_json({"command": "investigation generate"} | facts)
        else:
            _print_instance(facts)


def _facts(instance: "Instance", *, with_answer: bool) -> dict[str, Any]:
    from investigation import showing

    facts: dict[str, Any] = {
        "family": instance.family,
        "seed": instance.seed,
        "instruction": instance.instruction,
        "schema": showing.schema(instance.tables),
    }
    if with_answer:
        facts |= {
            "columns": instance.columns,
            "expected": instance.expected,
            "oracle_sql": instance.oracle_sql,
        }
    return facts


def _print_instance(facts: dict[str, Any]) -> None:
    import json
    import textwrap

    print("\n".join(textwrap.wrap(facts["instruction"], 100)))
    print(f"\n{facts['schema']}")
    if "expected" in facts:
        print(f"\n{facts['oracle_sql']}\n\n{', '.join(facts['columns'])}")
        for row in facts["expected"]:
            print(json.dumps(row, ensure_ascii=False))


@investigation.command("verify")
@takes(Verifying)
def verify(context: typer.Context, options: Verifying) -> None:
    """Hold every law of the families against a range of seeds.

    Python and SQL agree, every trap differs, the instruction says all, no instance is slow, none
    comes twice. Ends with 1 if a law is broken.
    """
    with one_line():
        found = _verified(options)
    _report_laws(found, options)
    if found.failed:
        raise typer.Exit(WRONG)


def _verified(options: Verifying) -> "Verification":
    from flows.pool import in_workers
    from flows.progress import Teller
    from investigation.families import FAMILIES, family_of
    from investigation.verify import Judged, gathered, judge_all, pieces
    from pairset.config import cores

    names = dict.fromkeys(family_of(name).name for name in options.family or FAMILIES)
    work, judged = pieces(list(names), options.seeds), list[list[Judged]]()
    with Teller().counting("verify", len(work)) as advance:
        for found in in_workers(judge_all, work, options.workers or cores()):
            judged.append(found)
            advance()
    return gathered(judged)


def _report_laws(found: "Verification", options: Verifying) -> None:
    from flows.cli import report

    held = [found.of(name) for name in found.families]
    if options.json:
        total, failed = len(found.judged), len(found.failed)
        report.as_json(
            {
                "command": "investigation verify",
                "families": len(held),
                "instances": total,
                "passed": total - failed,
                "failed": failed,
                "max_ms": max(one.max_ms for one in held),
                "broken": dict(found.broken),
                "by_family": {one.family: asdict(one) for one in held},
            }
        )
    else:
        heads = ["family", "instances", "failed", "traps", "drawn again", "median ms", "max ms"]
        report.as_columns(heads, [_row(one) for one in held])
        _print_untold(held)
    for judged in found.failed[:SHOWN]:
        print(
            f"{judged.family}, seed {judged.seed}: not {', '.join(judged.broken)}", file=sys.stderr
        )
    if len(found.failed) > SHOWN:
        print(f"... and {len(found.failed) - SHOWN} more", file=sys.stderr)


def _row(one: "Held") -> list[object]:
    again = sum(one.drawn_again.values())
    return [one.family, one.instances, one.failed, one.traps, again, one.median_ms, one.max_ms]


def _print_untold(held: "list[Held]") -> None:
    """The wrong queries that no data tells from the oracle for sure, how often, and why."""
    from investigation.families import FAMILIES

    for one in held:
        for name, why in FAMILIES[one.family].untold:
            tied = one.tied_twins.get(name, 0)
            print(f"\n{one.family}: {name} ties on {tied} of {one.instances}: {why}")
