"""``pairset investigation export`` and ``ties``: the families as data, and as a corpus."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.investigation import FAMILIES, SEEDS
from flows.cli.options import JSON, Common, takes
from flows.cli.outcome import one_line

if TYPE_CHECKING:  # a help text needs none of these
    from investigation.ties import Held, Sample, Ties
    from pairset.build import Build

FOLDER = typer.Option(metavar="DIR", help="Where the export goes: a folder of its own.")
SPLITS = typer.Option(
    "--split", metavar="NAME", help="train or test; may be repeated. (default: train)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporting:
    """What is exported, and where to."""

    out: Annotated[Path, FOLDER]
    seeds: Annotated[int, SEEDS] = 1
    split: Annotated[list[str] | None, SPLITS] = None
    family: Annotated[list[str] | None, FAMILIES] = None
    json: Annotated[bool, JSON] = False


@takes(Exporting)
def export(context: typer.Context, options: Exporting) -> None:
    """Write public instances: tasks.jsonl, scripts, databases, and a corpus for `pairset run`.

    The seeds are the first of each split. An earlier export in DIR is replaced.
    """
    with one_line():
        from flows.cli import report
        from flows.progress import Teller
        from investigation import export as exporting
        from investigation.families import FAMILIES as ALL

        splits, names = _each(options.split or ["train"]), _each(options.family or list(ALL))
        wanted = exporting.Wanted(families=names, splits=splits, count=options.seeds).checked()
        total = len(splits) * len(names) * options.seeds
        with Teller().counting("export", total) as advance:
            count = exporting.export(options.out, wanted, after=advance)
        facts = {"families": len(names), "instances": count}
        configs = [str(options.out / f"{split}.toml") for split in splits]
        if options.json:
            report.as_json({"command": "investigation export"} | facts | {"configs": configs})
        else:
            report.as_lines(facts)
            report.gap()
            print("\n".join(f"pairset run --config {config}" for config in configs))


def _each(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


@takes(Common)
def ties(context: typer.Context, options: Common) -> None:
    """Name the traps that a family's public data does not tell from the oracle.

    Read off the labels of a build made from an export's config.
    """
    with one_line():
        found = _ties(context, options)
    _report(found, options)


def _ties(context: typer.Context, options: Common) -> "Ties":
    from flows.parts import of_pairset
    from flows.planning import MANIFEST, demand
    from flows.request import Request
    from investigation.ties import ties as told

    request = Request(options.config, options.data)
    build, parts = request.build(), context.obj or of_pairset()
    samples = _samples(build)
    demand(parts.before(MANIFEST), "investigation ties", build, request)
    labels = {
        row["pair_id"]: row["label"] for row in _rows(build, "labels") if row["tree"] == "original"
    }
    return told(samples, _rows(build, "pairs"), labels)


def _samples(build: "Build") -> "dict[str, Sample]":
    from investigation.errors import BadExport
    from investigation.ties import read_samples
    from pairset.config import TasksCorpus

    files = [one.file for one in build.config.corpora if isinstance(one, TasksCorpus)]
    if not files or len(files) < len(build.config.corpora):
        raise BadExport(
            "ties are told of a build whose corpora are exported families; make one with: "
            "pairset investigation export"
        )
    return {key: row for file in files for key, row in read_samples(file).items()}


def _rows(build: "Build", table: str) -> list[dict[str, Any]]:
    store = build.store
    return [row for place in store.places(table) for row in store.read(*place).to_pylist()]


def _report(found: "Ties", options: Common) -> None:
    from flows.cli import report
    from investigation.ties import KINDS

    held = found.families()
    if options.json:
        report.as_json(
            {
                "command": "investigation ties",
                "families": len(held),
                "instances": sum(one.instances for one in held),
                **{f"tied_{kind}s": found.tied(kind) for kind in KINDS},
                "by_family": {one.family: asdict(one) for one in held},
            }
        )
        return
    heads = ["family", "tasks", "traps tied", "twins tied", "mutants tied", "other"]
    report.as_columns(heads, [_row(one) for one in held])
    report.gap()
    for kind in KINDS:
        named = [f"{name} ({count})" for name, count in found.tied(kind).items()]
        print(f"{kind}s that are tied: {', '.join(named) or 'none'}")


def _row(one: "Held") -> list[object]:
    parts = (
        (one.tied_traps, one.traps),
        (one.tied_twins, one.twins),
        (one.tied_mutants, one.mutants),
    )
    return [one.family, one.instances, *(f"{n} of {every}" for n, every in parts), one.unlabelled]
