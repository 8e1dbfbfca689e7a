"""``pairset publish``: a build, a corpus or a folder as a gated dataset on the Hugging Face Hub."""

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.options import Common, takes
from flows.cli.outcome import one_line

if TYPE_CHECKING:  # a help text needs none of these
    from flows.progress import Teller
    from pairset.build import Build
    from pairset.config import Publication
    from pairset.publish import Bundle
    from pairset.publish.hub import Hub
    from pairset.publish.send import Todo

REPO = typer.Option(metavar="OWNER/NAME", help="Where to. (default: publication.repo)")
FOLDER = typer.Option(
    metavar="DIR",
    help="Publish this folder instead of a build: a corrected corpus, an export of tasks, or any "
    "that has a README.md.",
)
DRY = typer.Option("--dry-run", help="Show what would go, and change nothing on the Hub.")
TAG = typer.Option(metavar="NAME", help="Name this version. (default: publication.tag)")
PREPARING, SENDING = "prepare", "publish"


@dataclass(frozen=True, slots=True, kw_only=True)
class Publishing(Common):
    """What is published, where to, and whether at all."""

    repo: Annotated[str | None, REPO] = None
    corpus: Annotated[Path | None, FOLDER] = None
    tag: Annotated[str | None, TAG] = None
    dry_run: Annotated[bool, DRY] = False


@takes(Publishing)
def publish(context: typer.Context, options: Publishing) -> None:
    """Publish a build on the Hugging Face Hub, gated: a person decides who may read it.

    The token is that of HF_TOKEN, or the one that `hf auth login` saved. A publication that broke
    goes on, and what is there already is not sent again.
    """
    began = time.monotonic()
    with one_line():
        from flows.progress import Teller
        from flows.request import Request

        teller = Teller()
        request = Request(options.config, options.data)
        build = request.build()
        terms = _terms(build, options)
        hub = _hub(terms, teller)
        bundle = _prepared(context, options, build, teller)
        if options.dry_run:
            _show(bundle, hub, options)
        else:
            _send(bundle, hub, terms, (options, teller, began))


def _terms(build: "Build", options: Publishing) -> "Publication":
    from pydantic import ValidationError

    from pairset.config import Publication
    from pairset.config.errors import one_line as said

    given = {"repo": options.repo, "tag": options.tag}
    over = {name: value for name, value in given.items() if value is not None}
    try:
        return Publication.model_validate(build.config.publication.model_dump() | over)
    except ValidationError as error:
        from pairset.publish import PublishError

        raise PublishError(said(error)[1]) from None


def _hub(terms: "Publication", teller: "Teller") -> "Hub":
    from pairset.publish import PublishError
    from pairset.publish.hub import Hub

    if terms.repo is None:
        raise PublishError("where to? say --repo OWNER/NAME, or publication.repo in the config")
    return Hub(terms.repo, say=teller.say)


def _prepared(
    context: typer.Context, options: Publishing, build: "Build", teller: "Teller"
) -> "Bundle":
    """The files, made ready beside the builds, where no digest of a build covers them."""
    from flows.lock import locked
    from pairset.publish import prepare_folder

    place = build.root.parent / "published"
    if options.corpus is not None:
        with teller.waiting(f"making {options.corpus} ready"):
            out = place / f"{options.corpus.resolve().name}-folder"
            return prepare_folder(options.corpus, out, build.config.publication)
    with locked(build):  # no table may change while it is read
        return _of_build(context, options, build, (teller, place / build.root.name))


def _of_build(
    context: typer.Context, options: Publishing, build: "Build", how: "tuple[Teller, Path]"
) -> "Bundle":
    from flows.parts import of_pairset
    from flows.planning import MANIFEST, demand, is_made
    from flows.request import Request
    from pairset.publish import Preparing, PublishError, prepare_build
    from pairset.publish.of_build import series_of

    teller, folder = how
    request, parts = Request(options.config, options.data), context.obj or of_pairset()
    demand(parts.before(MANIFEST), SENDING, build, request)
    if not is_made(MANIFEST, parts, build, request):
        raise PublishError(
            f"the manifest of {build.root} is not made or out of date; make it with: "
            f"{request.command(MANIFEST)}"
        )
    with teller.counting(PREPARING, len(series_of(build))) as advance:
        return prepare_build(build, Preparing(folder, after=advance))


def _send(
    bundle: "Bundle",
    hub: "Hub",
    terms: "Publication",
    how: "tuple[Publishing, Teller, float]",
) -> None:
    from flows.cli import report
    from pairset.publish.send import publish as send

    options, teller, began = how
    with teller.counting(SENDING, len(bundle.files) + 1) as advance:
        done = send(bundle, hub, terms, after=lambda size: advance())
    facts = asdict(done)
    if options.json:
        seconds = round(time.monotonic() - began, 2)
        report.as_json({"command": "publish", "kind": bundle.kind, **facts, "seconds": seconds})
        return
    names = ("files", "sent", "sent_bytes", "removed")
    report.as_lines({name.replace("_", " "): facts[name] for name in names})
    report.gap()
    who = "anyone may ask for access" if done.public else "private"
    print(f"{done.repo} at {done.commit}, tag {done.tag}: complete, gated, {who}")


def _show(bundle: "Bundle", hub: "Hub", options: Publishing) -> None:
    from flows.cli import report
    from pairset.publish.send import todo

    there = hub.look_if_there()
    would = todo(bundle, there)
    if options.json:
        files = [
            {"path": path, "bytes": size, "sha256": sha, "there": state}
            for path, size, sha, state in _rows(would)
        ]
        facts = {"repo": hub.repo, "exists": there is not None, "removed": list(would.gone)}
        report.as_json({"command": "publish", "dry_run": True, **facts, "files": files})
        return
    heads = ["file", "bytes", "sha256", "on the Hub"]
    report.as_columns(heads, [[p, size, sha[:16], state] for p, size, sha, state in _rows(would)])
    report.gap()
    report.as_lines(
        {
            "files to send": len(would.send),
            "bytes to send": sum(file.bytes for file in would.send),
            "files to remove": len(would.gone),
        }
    )


def _rows(would: "Todo") -> list[tuple[str, int, str, str]]:
    parts = (("no", would.new), ("other", would.other), ("same", would.same))
    rows = [(f.path, f.bytes, f.sha256, state) for state, files in parts for f in files]
    return sorted(rows)
