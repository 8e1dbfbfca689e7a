"""How fast the review's pages are with a million pairs: `python -m bench.review`, one JSON line.

A build's pairs are repeated under new ids, each time as databases of another name, until there are
as many as asked for; then every kind of page is asked for over HTTP. Without --build the sample's
build is made first. Exit 1 if the 95th percentile of a page's work is above 300 ms of processor
time, which other work on the machine does not change; how long a page was waited for stands beside.
"""

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx
import polars as pl

from pairset.store import Made, Store

LIMIT_MS = 300.0
ROOT = Path(__file__).resolve().parent.parent
COMMAND = (sys.executable, "-c", "from flows.cli import main; main()")
BESIDE = ("labels", "golds", "samples")
TEXTS = ("join", "group by", "nothing has this", "count(distinct", "'a")
LABELS = ("tied", "separated", "both_error")


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask for pages, and print how long each kind took."""
    parser = argparse.ArgumentParser(prog="python -m bench.review", description=__doc__)
    parser.add_argument("--build", type=Path, metavar="DIR", help="a finished build's folder")
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--pages", type=int, default=40, help="of each kind")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        build = asked.build or _sample(Path(folder) / "one")
        many = Path(folder) / "many"
        pairs = repeated(Store(build), Store(many / "sample"), asked.pairs)
        line = {"pairs": pairs, **measured(many, asked.pages)}
    print(json.dumps(line))
    return 1 if any(page["p95_cpu_ms"] > LIMIT_MS for page in line["pages"].values()) else 0


def _sample(data: Path) -> Path:
    words = ("run", "--direct", "--data", str(data))
    subprocess.run([*COMMAND, *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return data / "sample"


def repeated(source: Store, target: Store, wanted: int) -> int:
    """Copy a build's tables until ``target`` has as many pairs as wanted; how many it has."""
    places = source.places("pairs")
    made = 0
    for copy in count():
        for _, dataset, db_id in places:
            if made >= wanted:
                return made
            made += _repeat(source, target, (dataset, db_id), copy)
    return made


def _repeat(source: Store, target: Store, place: tuple[str, str], copy: int) -> int:
    dataset, db_id = place
    name = f"{db_id}_{copy}" if copy else db_id
    for table in ("pairs", *BESIDE):
        path = source.path(table, dataset, db_id)
        if not path.exists():
            continue
        if copy:
            rows = pl.DataFrame(source.read(table, dataset, db_id)).with_columns(db_id=pl.lit(name))
            if "pair_id" in rows.columns:
                rows = rows.with_columns(pair_id=_renamed(rows.get_column("pair_id"), copy))
            target.write((table, dataset, name), rows.to_arrow(), Made("bench", {}))
        else:
            target.path(table, dataset, name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target.path(table, dataset, name))
    shard = source.shard("pairs", dataset, db_id)
    return shard.rows if shard else 0


def _renamed(ids: pl.Series, copy: int) -> pl.Series:
    renamed = [hashlib.sha256(f"{one} {copy}".encode()).hexdigest() for one in ids.to_list()]
    return pl.Series(renamed, dtype=pl.String)


def measured(data: Path, pages: int) -> dict[str, Any]:
    """The figures of one server over that build."""
    began = time.monotonic()
    with served(data) as (process, url), httpx.Client(base_url=url, trust_env=False) as http:
        start_s = time.monotonic() - began
        started_mib = memory_mib(process.pid)
        kinds = _Kinds(http, random.Random(0))
        found = {name: _timed(http, process.pid, ask, pages) for name, ask in kinds.all().items()}
        return {
            "start_s": round(start_s, 1),
            "started_mib": started_mib,
            "used_mib": memory_mib(process.pid),
            "pages": found,
        }


class _Kinds:
    """What is asked: each kind of page, never twice the same where a page is not for turning."""

    def __init__(self, http: httpx.Client, drawn: random.Random) -> None:
        self._http = http
        self._draw = drawn
        listed = http.get("/").text
        self._databases = re.findall(r'<option value="([^"/]+/[^"]+)"', listed)
        self._last = int(re.findall(r"page 1 of ([\d,]+)", listed)[0].replace(",", ""))
        self._ids = [self._any_pair() for _ in range(20)]
        self._tail = count()

    def all(self) -> dict[str, Callable[[], str]]:
        """An address of each kind, each time another one."""
        return {
            "first list": lambda: "/",
            "any page of the list": lambda: f"/?page={self._draw.randint(1, self._last)}",
            "one filter": lambda: f"/?label={self._draw.choice(LABELS)}",
            "database": lambda: f"/?database={self._draw.choice(self._databases)}",
            "new search": lambda: f"/?q={self._draw.choice(TEXTS)}{next(self._tail):x}",
            "broad search, two filters": lambda: (
                f"/?q={['join', 'group', 'order', 'select'][next(self._tail) % 4]}%20"
                f"&label={self._draw.choice(LABELS)}&order={self._draw.choice('12')}"
            ),
            "pair": lambda: f"/pair/{self._draw.choice(self._ids)}",
            "pair under a filter": lambda: f"/pair/{self._draw.choice(self._ids)}?label=tied",
            "help": lambda: "/help",
        }

    def _any_pair(self) -> str:
        page = self._http.get(f"/?page={self._draw.randint(1, self._last)}").text
        return str(self._draw.choice(re.findall(r'data-row href="/pair/([0-9a-f]{64})', page)))


def _timed(http: httpx.Client, pid: int, ask: Callable[[], str], pages: int) -> dict[str, float]:
    took, worked = [], []
    for _ in range(pages):
        address, before, began = ask(), cpu_ms(pid), time.perf_counter()
        http.get(address).raise_for_status()
        took.append((time.perf_counter() - began) * 1000)
        worked.append(cpu_ms(pid) - before)
    cut, cpu = (quantiles(values, n=20, method="inclusive") for values in (took, worked))
    found = {"p50_ms": cut[9], "p95_ms": cut[18], "max_ms": max(took), "p95_cpu_ms": cpu[18]}
    return {name: round(value, 1) for name, value in found.items()}


@contextmanager
def served(data: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """``pairset review`` in a process of its own, until the end of the block; and where it is."""
    words = ("review", "--data", str(data), "--json")
    with subprocess.Popen([*COMMAND, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True) as one:
        try:
            assert one.stdout is not None
            yield one, json.loads(one.stdout.readline())["url"]
        finally:
            one.terminate()


def cpu_ms(pid: int) -> float:
    """How long a process has worked so far, on all cores together."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def memory_mib(pid: int) -> int:
    """What a process holds in memory now."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) // 1024


if __name__ == "__main__":
    sys.exit(main())
