"""Prefect's surroundings for a run from the command line, where the user has not set them.

A user with ``PREFECT_API_URL`` keeps their server. Else the run brings its own, since the one that
Prefect starts outlives a killed run, and its database file makes tasks wait for each other.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path

from flows.errors import NoPrefect

START_UP_S = 90
IN_MEMORY = "sqlite+aiosqlite:///file::memory:?cache=shared&uri=true&check_same_thread=false"

QUIET = {
    "PREFECT_LOGGING_LEVEL": "CRITICAL",  # what went wrong is said once, by us
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
}
OWN = {
    "PREFECT_API_DATABASE_CONNECTION_URL": IN_MEMORY,
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": str(START_UP_S),
    "PREFECT_LOGGING_TO_API_ENABLED": "false",  # nobody could read them there afterwards
    "PREFECT_CLI_PROMPT": "false",
}
OF_THE_SERVER = {"PREFECT__SERVER_EPHEMERAL": "1", "PREFECT__SERVER_FINAL": "1"}


def keep_quiet(environ: MutableMapping[str, str]) -> None:
    """No chatter. To be called before Prefect is imported."""
    for name, value in QUIET.items():
        environ.setdefault(name, value)


def has_server(environ: Mapping[str, str]) -> bool:
    """Whether the user has a Prefect server of their own."""
    return bool(environ.get("PREFECT_API_URL") or environ.get("PREFECT_PROFILE"))


@contextmanager
def prefect_at(home: Path) -> Iterator[None]:
    """Prefect ready to run flows, with its files in ``home``. It is imported here, not before."""
    keep_quiet(os.environ)
    if has_server(os.environ):
        yield
        return
    for name, value in {"PREFECT_HOME": str(home.resolve()), **OWN}.items():
        os.environ.setdefault(name, value)
    home.mkdir(parents=True, exist_ok=True)
    with _server(home) as server:
        from prefect import settings  # while the server starts

        # No variable can say "no heartbeat"; with one, every flow ends with a second of sleep.
        ours = {
            settings.PREFECT_API_URL: _url(server, home),
            settings.PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None,
        }
        with settings.temporary_settings(ours):
            yield


@contextmanager
def server_at(home: Path) -> Iterator[str]:
    """A server of our own, with its log in ``home``: its address, once it answers."""
    with _server(home) as server:
        yield _url(server, home)


@contextmanager
def _server(home: Path) -> Iterator["subprocess.Popen[str]"]:
    server = _start(home / "server.log")
    try:
        yield server
    finally:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.close()
        server.stdout.close()
        server.wait()


def _start(log: Path) -> "subprocess.Popen[str]":
    with log.open("w") as handle:
        return subprocess.Popen(
            [sys.executable, "-m", "flows.prefect_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=handle,
            env={**os.environ, **OF_THE_SERVER},
            start_new_session=True,  # Ctrl-C is for us
            text=True,
        )


def _url(server: "subprocess.Popen[str]", home: Path) -> str:
    """The server's address, once it answers."""
    assert server.stdout is not None
    patience = threading.Timer(START_UP_S, server.kill)
    patience.start()
    try:
        line = server.stdout.readline()
    finally:
        patience.cancel()
    if not line:
        raise NoPrefect(
            f"Prefect's server did not start, see {home / 'server.log'}; "
            "the same command with --direct does the same without Prefect"
        )
    return f"http://127.0.0.1:{int(line)}/api"
