"""``pairset review``: the page for checking pairs by hand."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.options import Common, takes
from flows.cli.outcome import one_line

if TYPE_CHECKING:
    from db_execution.client import Client
    from pairset.build import Build

WHAT = "reading the pairs"

PORT = typer.Option(min=0, max=65535, metavar="N", help="0 takes a free one.")
HOST = typer.Option(metavar="ADDRESS", help="Where to listen.")
REMOTE = typer.Option(
    "--allow-remote", help="Listen beyond this machine; needs a token in PAIRSET_REVIEW_TOKEN."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewing(Common):
    """What the page takes."""

    port: Annotated[int, PORT] = 0
    host: Annotated[str, HOST] = "127.0.0.1"
    allow_remote: Annotated[bool, REMOTE] = False


@takes(Reviewing)
def review(context: typer.Context, options: Reviewing) -> None:
    """Check pairs by hand, in a browser.

    Shows the pairs of a finished build, runs both queries of one on any of its trees, and keeps
    what people say of it in DIR/<build>/review/verdicts.jsonl. Says its address, then serves until
    stopped.
    """
    with one_line():
        import os

        from flows.progress import Teller
        from flows.request import Request
        from review.access import TOKEN_VARIABLE
        from review.serving import Address, desk_of, serve

        token = os.environ.get(TOKEN_VARIABLE) or None
        address = Address(
            host=options.host, port=options.port, allow_remote=options.allow_remote, token=token
        )
        address.check()
        build = Request(options.config, options.data).build()
        with Teller().waiting(WHAT):
            desk = desk_of(build, opener(build), trees(build), token)
        serve(desk, address, _announce(options.json, desk.index.rows))


def trees(build: "Build") -> list[str]:
    """The trees that answers can be asked on: the build's own, and those that its config names."""
    from pairset.trees import ORIGINAL, SCHEMA

    return [ORIGINAL, SCHEMA, *sorted(build.config.trees)]


def opener(build: "Build") -> Callable[[ExitStack], "Client"]:
    """What starts an executor of all those trees, beside the endpoints of the config."""

    def opened(stack: ExitStack) -> "Client":
        from db_execution.embed import Embedded
        from db_execution.endpoints import Endpoint, load_endpoints
        from flows.request import logs
        from pairset.build import client_of
        from pairset.trees import tree_specs

        specs = tree_specs(build.config, build.root)
        specs += [f"{name}={folder}" for name, folder in sorted(build.config.trees.items())]
        log = logs(build) / "review-executor.log"
        embedded = stack.enter_context(Embedded(specs, workers=2, log=log))
        named = build.config.executor.endpoints
        served = sorted({spec.partition("=")[0].partition(":")[0] for spec in specs})
        endpoints = (
            *(load_endpoints(named) if named is not None else ()),
            *(Endpoint(embedded.url, tree) for tree in served),
        )
        return stack.enter_context(client_of(endpoints, retry_for=10.0))

    return opened


def _announce(as_json: bool, pairs: int) -> Callable[[str], None]:
    """Say where the page is: to a person, or to a program on one line of standard output."""

    def announce(url: str) -> None:
        import sys

        from flows.cli import report

        if as_json:
            report.as_json({"command": "review", "url": url, "pairs": pairs})
        else:
            print(f"{pairs:,} pairs at {url} (Ctrl-C ends it)")
        sys.stdout.flush()

    return announce
