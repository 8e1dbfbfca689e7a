"""Who may ask."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from db_execution.client import Client
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from db_execution.errors import Forbidden
from db_execution.protocol import TOKEN_VARIABLE
from tests.db_execution.conftest import query

TOKEN = "a long secret"
ROUTES = ["/trees", "/healthz/ready", "/metrics", "/openapi.json", "/absent"]


@pytest.fixture(scope="module")
def guarded(tree: Path) -> Iterator[Embedded]:
    with Embedded([f"original={tree}"], token=TOKEN) as executor:
        yield executor


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN} "]
)
def test_nothing_is_told_without_the_token(guarded: Embedded, route: str, given: str) -> None:
    response = httpx.get(f"{guarded.url}{route}", headers={"Authorization": given.strip() or "x"})
    if given.strip() == f"Bearer {TOKEN}":
        assert response.status_code in (200, 404)
    else:
        assert response.status_code == 401
        assert response.json()["error"] == "a token is needed"


def test_that_it_is_alive_is_no_secret(guarded: Embedded) -> None:
    assert httpx.get(f"{guarded.url}/healthz/live").status_code == 200


def test_a_client_with_the_token_is_answered(guarded: Embedded) -> None:
    with Client([Endpoint(guarded.url, "original")], token=TOKEN) as client:
        assert client.execute(query("SELECT 1")).rows == ((1,),)


@pytest.mark.parametrize("token", [None, "wrong", "é"])
def test_a_client_without_it_is_forbidden_at_once(guarded: Embedded, token: str | None) -> None:
    client = Client([Endpoint(guarded.url, "original")], token=token, retry_for=60)
    with client, pytest.raises(Forbidden, match="a token is needed"):
        client.execute(query("SELECT 1"))


def test_without_a_token_it_must_be_addressed_as_this_machine(executor: Embedded) -> None:
    response = httpx.get(f"{executor.url}/trees", headers={"Host": "evil.example"})
    assert response.status_code == 403


def test_the_token_is_not_in_the_workers_environment(guarded: Embedded) -> None:
    workers = httpx.get(
        f"{guarded.url}/healthz/ready", headers={"Authorization": f"Bearer {TOKEN}"}
    ).json()["workers"]
    assert all(TOKEN.encode() not in Path(f"/proc/{pid}/environ").read_bytes() for pid in workers)


def started(*options: str, token: str = "") -> tuple[int, str]:
    command = [sys.executable, "-m", "db_execution", *options]
    environment = {**os.environ, TOKEN_VARIABLE: token}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr.strip()


def test_beyond_this_machine_takes_a_flag_and_a_token(tree: Path) -> None:
    spec, anywhere = ("--tree", f"original={tree}"), ("--host", "0.0.0.0")
    assert started(*spec, *anywhere) == (
        2,
        "0.0.0.0 is not this machine alone; say --allow-remote if that is meant",
    )
    assert started(*spec, *anywhere, "--allow-remote") == (
        2,
        "to be reached at 0.0.0.0 the service needs a token",
    )


def test_what_it_cannot_start_with_is_one_line(tree: Path, executor: Embedded) -> None:
    port = executor.url.rpartition(":")[2]
    assert started("--tree", "original")[1].startswith("cannot read the tree 'original'")
    assert started("--tree", f"original={tree}", "--workers", "99") == (
        2,
        "workers: expected 1 to 32, got 99",
    )
    assert started("--tree", f"original={tree}", "--port", port)[1].startswith(
        "cannot listen at 127.0.0.1"
    )
