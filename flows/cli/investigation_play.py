"""``pairset investigation play`` and ``serve``: the tasks for people, and for agents."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.options import takes
from flows.cli.outcome import REFUSED, one_line, refuse

if TYPE_CHECKING:
    from investigation.environment import Journal

FAMILY = typer.Option(metavar="NAME", help="The family. (default: one that the seed decides)")
SEED = typer.Option(metavar="N", help="0 to 2**63 - 1. (default: one that is drawn)")
PORT = typer.Option(min=0, max=65535, metavar="N", help="0 takes a free one.")
HOST = typer.Option(metavar="ADDRESS", help="Where to listen.")
REMOTE = typer.Option("--allow-remote", help="Listen beyond this machine.")
ANYONE = typer.Option("--no-token", help="Let anyone in who can connect, if no token is set.")
JOURNAL = typer.Option(metavar="FILE", help="Where the journal is added to. (default: stderr)")
SIBLINGS = typer.Option("--siblings", help="Tell the journal if a submission is right elsewhere.")
OF_THE_EXTRA = ("openenv", "fastapi")
NO_EXTRA = "the server needs another package: pip install 'pairset[openenv]'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """What a game takes."""

    family: Annotated[str | None, FAMILY] = None
    seed: Annotated[int | None, SEED] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What the server takes."""

    port: Annotated[int, PORT] = 0
    host: Annotated[str, HOST] = "127.0.0.1"
    allow_remote: Annotated[bool, REMOTE] = False
    no_token: Annotated[bool, ANYONE] = False
    journal: Annotated[str | None, JOURNAL] = None
    siblings: Annotated[bool, SIBLINGS] = False


@takes(Playing)
def play(context: typer.Context, options: Playing) -> None:
    """Solve a task by hand, under the limits that an agent has.

    Shows the question and the tables, then takes SQL from the terminal or a pipe. Says in the end
    what was wrong, and the seed, with which the same task comes again.
    """
    with one_line():
        from investigation.environment import Environment
        from investigation.play import Game
        from investigation.tasks import Wish

        told: list[dict[str, Any]] = []
        environment = Environment(journal=told.append)
        try:
            game = Game(environment, print)
            game.begin(Wish(seed=options.seed, family=options.family))
            if sys.stdin.isatty():
                person = _Person()
                game.play(person, person.prompt)
            else:
                game.play(sys.stdin, lambda text: None)
        finally:
            environment.close()
        print(_closing(told))


@takes(Serving)
def serve(context: typer.Context, options: Serving) -> None:
    """Serve the tasks to agents over OpenEnv's WebSocket until stopped.

    Says its address on standard output as one line of JSON. The journal has each episode's seed and
    why it ended: it is for the operator, not for agents. A token in PAIRSET_INVESTIGATION_TOKEN is
    asked of everyone.
    """
    with one_line():
        import os

        from investigation.address import TOKEN_VARIABLE, Address

        address = Address(
            host=options.host,
            port=options.port,
            allow_remote=options.allow_remote,
            anyone=options.no_token,
            token=os.environ.get(TOKEN_VARIABLE) or None,
        )
        with address.bound() as sock:
            serving = _server()
            serving(address, sock, journal=_journal(options.journal), siblings=options.siblings)


def _server() -> Callable[..., None]:
    try:
        from investigation.openenv.serving import serve as serving
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in OF_THE_EXTRA:
            raise
        refuse(NO_EXTRA)
        raise typer.Exit(REFUSED) from None
    return serving


class _Person:
    """The lines that a person types, with a line editor; ``prompt`` is shown before each."""

    def __init__(self) -> None:
        self._prompt = ""

    def prompt(self, text: str) -> None:
        """Show ``text`` before the next line."""
        self._prompt = text

    def __iter__(self) -> Iterator[str]:
        import readline  # noqa: F401  # input() then has a memory

        with contextlib.suppress(EOFError):
            while True:
                yield input(self._prompt)


def _closing(told: list[dict[str, Any]]) -> str:
    seed, family = told[0]["seed"], told[0]["family"]
    reason = next((facts["reason"] for facts in told if facts["event"] == "end"), "left")
    return f"{reason}; the same task again: --family {family} --seed {seed}"


def _journal(path: str | None) -> "Journal":
    import os

    from investigation.journal import to_stream

    if path is None:
        return to_stream(sys.stderr)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    return to_stream(os.fdopen(handle, "a", encoding="utf-8"))
