"""The page in a thread of the test, over a real socket; and a build whose texts are hostile."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pyarrow as pa

from db_execution.client import Client
from pairset.build import Build
from pairset.store import Made
from review.app import Desk
from review.serving import Address, desk_of, server

HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=alert(1)>\"'&lt;\u202egnp\u202c\x07"
)
HOSTILE_SQL = "SELECT '<b onclick=\"alert(1)\">\u202e</b>' AS \"</code><script>document.title='owned'</script>\""
TREES = ("original", "schema")


@dataclass(frozen=True, slots=True)
class Served:
    """A page that answers at ``url``."""

    url: str
    desk: Desk
    http: httpx.Client

    def get(self, path: str) -> httpx.Response:
        """Ask as a browser of this machine would."""
        return self.http.get(path)

    def judge(self, pair_id: str, **form: str) -> httpx.Response:
        """Send a verdict as the page's own form does."""
        filled = {"form": self.desk.known.form, "reviewer": "Ann", "note": "", **form}
        return self.http.post(f"/pair/{pair_id}", data=filled, headers={"Origin": self.url})

    def pair_id(self, row: int = 0) -> str:
        """The id of the pair in a row."""
        return self.desk.index.id_of(row)


@contextmanager
def served(build: Build, token: str | None = None) -> Iterator[Served]:
    """Serve a build's page on a free port until the end of the block."""

    def opened(stack: ExitStack) -> Client:
        return stack.enter_context(build.client())

    desk, address = desk_of(build, opened, TREES, token), Address(token=token)
    started = threading.Event()
    running = server(desk, address, started.set)
    with address.bound() as sock:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [sock]}, daemon=True)
        thread.start()
        assert started.wait(30)
        url = address.url(sock)
        try:
            with httpx.Client(base_url=url, trust_env=False, timeout=60) as http:
                yield Served(url, desk, http)
        finally:
            running.should_exit = True
            thread.join(30)
            desk.asking.close()


def hostile(made: Build, root: Path) -> Build:
    """A copy of a build in which the first pair of the first shard has hostile texts."""
    shutil.copytree(made.root, root)
    build = Build(made.config, root, made.endpoints)
    place = build.store.places("pairs")[0]
    rows = build.store.read(*place).to_pylist()
    texts = ("question", "evidence", "neighbor_origin", "operator", "parent_sql")
    rows[0] |= dict.fromkeys(texts, HOSTILE) | {"neighbor_sql": HOSTILE_SQL, "edit_start": None}
    for row in rows[1:]:  # the index shows the first question of a gold
        row["question"] = HOSTILE if row["gold_id"] == rows[0]["gold_id"] else row["question"]
    table = pa.Table.from_pylist(rows, schema=build.store.read(*place).schema)
    build.store.write(place, table, Made("test", {}))
    return build
