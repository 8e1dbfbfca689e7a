"""``pairset db serve``: the service that runs queries, by itself."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import takes
from flows.cli.outcome import one_line

TOKEN_VARIABLE = "PAIRSET_DB_TOKEN"

TREE = typer.Option(
    metavar="NAME=DIR",
    help="A tree to serve: DIR/<dataset>/<db_id>/<db_id>.sqlite, or without <dataset>. May be "
    "given several times; NAME:DATASET=DIR where the datasets lie apart.",
)
PORT = typer.Option(min=0, max=65535, metavar="N", help="0 takes a free one.")
HOST = typer.Option(metavar="ADDRESS", help="Where to listen.")
REMOTE = typer.Option(
    "--allow-remote", help=f"Listen beyond this machine; needs a token in {TOKEN_VARIABLE}."
)
WORKERS = typer.Option(min=1, max=32, metavar="N", help="Queries at once. (default: one a core)")
CACHE = typer.Option(
    metavar="DIR", help="Keep answers there, for whoever asks the same again. (default: nowhere)"
)
CACHE_MIB = typer.Option(min=1, max=2**20, metavar="N", help="How much is kept, in MiB.")

db = typer.Typer(help="The service that runs queries on the databases.", rich_markup_mode=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What the service takes."""

    tree: Annotated[list[str], TREE]
    port: Annotated[int, PORT] = 0
    host: Annotated[str, HOST] = "127.0.0.1"
    allow_remote: Annotated[bool, REMOTE] = False
    workers: Annotated[int | None, WORKERS] = None
    cache: Annotated[Path | None, CACHE] = None
    cache_mib: Annotated[int, CACHE_MIB] = 64


@db.callback()
def group() -> None:
    """The service that runs queries on the databases."""


@db.command("serve")
@takes(Serving)
def serve(context: typer.Context, options: Serving) -> None:
    """Serve trees of databases over HTTP until stopped.

    Says its address on standard output as one line of JSON. Logs to standard error, and writes
    no file unless told where to keep answers.
    """
    with one_line():
        import os

        from db_execution.server import serve as serving
        from db_execution.service.settings import Settings
        from db_execution.trees import parse_spec
        from pairset.config import cores

        settings = Settings(
            trees=tuple(parse_spec(text) for text in options.tree),
            workers=options.workers or cores(),
            token=os.environ.get(TOKEN_VARIABLE) or None,
            cache=options.cache,
            cache_mib=options.cache_mib,
        )
        serving(settings, host=options.host, port=options.port, allow_remote=options.allow_remote)
