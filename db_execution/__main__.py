"""``python -m db_execution``: serve trees of databases."""

import argparse
import gc
import os
import signal
import sys
import threading
from pathlib import Path

from db_execution.errors import ExecutorError
from db_execution.limits import parse_limit
from db_execution.protocol import TOKEN_VARIABLE
from db_execution.service.cradle import begun
from db_execution.service.settings import CACHE_MIB, Settings
from db_execution.trees import parse_spec

OPTIONAL = ("python_multipart", "watchfiles")
"""What Starlette and uvicorn load where it is there, a seventh of a start: forms, and reloading.

None in its place says that it is not there (the import system's own rule).
"""


def main(arguments: list[str] | None = None) -> int:
    """Serve until stopped; 2 and one line on standard error if that cannot be."""
    options = _parser().parse_args(arguments)
    if options.end_with_parent:
        end_with_parent()
    try:
        _serve(options, _settings(options))
    except (ExecutorError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _serve(options: argparse.Namespace, settings: Settings) -> None:
    cradle = begun(settings)  # it loads while this process loads what serves
    try:
        gc.disable()  # what is loaded stays: looking for cycles in it takes a tenth of its time
        for unused in OPTIONAL:
            sys.modules.setdefault(unused, None)  # type: ignore[arg-type]
        from db_execution.server import serve

        gc.freeze()
        gc.enable()
        serve(
            settings,
            host=options.host,
            port=options.port,
            allow_remote=options.allow_remote,
            cradle=cradle,
        )
    finally:
        cradle.end()


def end_with_parent() -> None:
    """Stop when standard input ends, as it does when the process that started this one is gone."""
    threading.Thread(target=_wait_for_end, daemon=True).start()


def _wait_for_end() -> None:
    while sys.stdin.buffer.read(4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _settings(options: argparse.Namespace) -> Settings:
    return Settings(
        trees=tuple(parse_spec(text) for text in options.tree),
        workers=options.workers,
        spares=options.spares,
        token=os.environ.get(TOKEN_VARIABLE) or None,
        cache=options.cache,
        cache_mib=options.cache_mib,
    ).limited(dict(parse_limit(text) for text in options.limit))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m db_execution",
        description="Run SQL on trees of databases, over HTTP.",
        epilog=f"The token, where one is needed, is taken from {TOKEN_VARIABLE}.",
    )
    add = parser.add_argument
    add(
        "--tree",
        action="append",
        required=True,
        metavar="NAME[:DATASET]=DIR",
        help="a tree to serve",
    )
    add("--host", default="127.0.0.1", help="where to listen (default: this machine alone)")
    add("--port", type=int, default=0, help="0 takes a free one (default)")
    add("--allow-remote", action="store_true", help="listen beyond this machine; needs a token")
    add(
        "--workers",
        type=int,
        default=os.cpu_count() or 1,
        help="queries run at once (default: cores)",
    )
    add("--spares", type=int, default=8, help="workers more while all are held by long queries")
    add("--cache", type=Path, metavar="DIR", help="keep answers there (default: nowhere)")
    add("--cache-mib", type=int, default=CACHE_MIB, metavar="N", help="how much is kept, in MiB")
    add("--limit", action="append", default=[], metavar="NAME=VALUE", help="see the README's table")
    add("--end-with-parent", action="store_true", help="stop when standard input ends")
    return parser


if __name__ == "__main__":
    sys.exit(main())
