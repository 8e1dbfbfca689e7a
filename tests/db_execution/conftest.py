"""One real executor a session, on small trees of our own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir
from pathlib import Path
from typing import Any

import httpx
import pytest

from db_execution.client import Client
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from db_execution.protocol import Answer, Batch, Query
from db_execution.writer import write_database

HOSTILE = """
CREATE TABLE t(id INTEGER PRIMARY KEY, v INTEGER, s TEXT);
CREATE TABLE u(id INTEGER, t_id INTEGER);
WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 199)
INSERT INTO t SELECT i, i * 7 % 11, 'abcabcabc' FROM n;
WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 199)
INSERT INTO u SELECT i, i % 50 FROM n;
"""

Ask = Callable[..., Answer]


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A nested tree: dataset ``small`` with the databases ``hostile`` and ``empty``."""
    root = tmp_path_factory.mktemp("tree")
    write_database(root / "small" / "hostile" / "hostile.sqlite", HOSTILE)
    write_database(root / "small" / "empty" / "empty.sqlite", "CREATE TABLE bare(a)")
    return root


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log") / "executor.log"


@pytest.fixture(scope="session")
def working_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the executor works; nobody else puts anything there, and so nothing ever is."""
    return tmp_path_factory.mktemp("working")


@pytest.fixture(scope="session")
def executor(tree: Path, log: Path, working_folder: Path) -> Iterator[Embedded]:
    with ExitStack() as ends:
        with chdir(working_folder):
            running = ends.enter_context(Embedded([f"original={tree}"], workers=2, log=log))
        yield running


@pytest.fixture(scope="session")
def client(executor: Embedded) -> Iterator[Client]:
    with Client([Endpoint(executor.url, "original")], retry_for=10.0) as ours:
        yield ours


@pytest.fixture(scope="session")
def ask(client: Client) -> Ask:
    """Ask one query of the hostile database."""
    return lambda sql, **terms: client.execute(query(sql, **terms))


def query(sql: str, **terms: Any) -> Query:
    return Query(**({"dataset_name": "small", "db_id": "hostile"} | terms), sql=sql)


def batch(*queries: str, **terms: Any) -> Batch:
    return Batch(**({"dataset_name": "small", "db_id": "hostile"} | terms), queries=queries)


def counted(executor: Embedded, name: str) -> int:
    """What ``/metrics`` says of a counter or gauge, all its labels together."""
    lines = httpx.get(f"{executor.url}/metrics").text.splitlines()
    found = [line.rpartition(" ") for line in lines if not line.startswith("#")]
    mark = f"db_execution_{name}"
    return sum(int(value) for key, _, value in found if key.partition("{")[0] == mark)
