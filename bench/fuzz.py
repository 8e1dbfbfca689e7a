"""Random statements through the API: `python -m bench.fuzz`, a JSON line for each mode.

Statements follow from a grammar and a seed (`tests/db_execution/statements.py`), and go out in
batches, each on random limits that follow from the seed as well. Nothing may be answered with a
5xx, each statement is answered once, workers that are lost are replaced, no byte of a database
changes, and no file appears beside the databases, in the temporary folder or in the working folder.
Exit 1 if any of that does not hold.
"""

import argparse
import hashlib
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import httpx

from db_execution.embed import Embedded
from db_execution.protocol import STATUSES
from db_execution.writer import write_database
from tests.db_execution.statements import Grammar

WORKERS = 2
IN_A_BATCH = 50
SCRIPT = """
CREATE TABLE t(id INTEGER PRIMARY KEY, v INTEGER, s TEXT);
CREATE TABLE u(id INTEGER, t_id INTEGER);
WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 199)
INSERT INTO t SELECT i, i * 7 % 11, 'abcabcabc' FROM n;
WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 199)
INSERT INTO u SELECT i, i % 50 FROM n;
"""

Body = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run in both modes; 1 if anything broke."""
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description=__doc__)
    parser.add_argument("--statements", type=int, default=20_000, help="in each mode (20,000)")
    parser.add_argument("--seed", type=int, default=20_260)
    asked = parser.parse_args(arguments)
    fine = True
    for mode in ("read_only", "sandbox_rollback"):
        line = measured(mode, asked.statements, asked.seed)
        print(json.dumps(line), flush=True)
        fine = fine and is_fine(line)
    return 0 if fine else 1


def is_fine(line: Body) -> bool:
    """Whether nothing broke."""
    return (
        line["answered"] == line["statements"]
        and set(line["http"]) == {"200"}
        and set(line["statuses"]) <= set(STATUSES)
        and line["workers"] >= WORKERS  # a spare may still be there
        and line["unchanged"]
    )


def measured(mode: str, count: int, seed: int) -> Body:
    """What became of so many statements."""
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        tree, temporary = Path(folder) / "tree", Path(folder) / "tmp"
        temporary.mkdir()
        write_database(tree / "d" / "d.sqlite", SCRIPT)
        os.environ["TMPDIR"] = str(temporary)  # the service's, which inherits it
        before = _seen(Path(folder), Path.cwd())
        with Embedded([f"original={tree}"], workers=WORKERS) as service:
            answers = _answered(service.url, list(bodies(mode, count, seed)))
            workers = _workers(service.url)
        return {
            "mode": mode,
            "seed": seed,
            "statements": count,
            **answers,
            **workers,
            "unchanged": before == _seen(Path(folder), Path.cwd()),
            "seconds": round(perf_counter() - began, 1),
        }


def bodies(mode: str, count: int, seed: int) -> Iterator[Body]:
    """Batches of statements, each on limits of its own."""
    random = Random(seed)
    statements = list(Grammar(seed).statements(count))
    for start in range(0, count, IN_A_BATCH):
        yield {
            "dataset_name": "x",
            "db_id": "d",
            "mode": mode,
            "want": random.choice(("rows", "digest", "digest", "prepare")),
            "timeout_ms": random.choice((20, 100, 300)),
            "max_vm_steps": random.choice((1, 1_000, 100_000, 5_000_000)),
            "max_rows": random.choice((1, 10, 1_000)),
            "queries": statements[start : start + IN_A_BATCH],
        }


def _answered(url: str, asked: list[Body]) -> Body:
    with httpx.Client(base_url=url, timeout=120, trust_env=False) as http:
        with ThreadPoolExecutor(WORKERS) as pool:
            responses = list(pool.map(lambda body: http.post("/execute/batch", json=body), asked))
        lines = [line for one in responses for line in one.text.split("\n") if line]
        statuses = Counter(json.loads(line).get("status", "broken") for line in lines)
    return {
        "answered": len(lines),
        "http": {str(k): v for k, v in Counter(one.status_code for one in responses).items()},
        "statuses": dict(sorted(statuses.items())),
    }


def _workers(url: str) -> Body:
    """How many workers there are in the end, and how many ended before."""
    lines = [line.split(" ") for line in httpx.get(f"{url}/metrics").text.splitlines()]
    counted = {name: int(value) for name, value in (one for one in lines if len(one) == 2)}
    ready = httpx.get(f"{url}/healthz/ready").json()["workers"]
    return {
        "workers": len(ready),
        "workers_killed": counted["db_execution_workers_killed_total"],
        "workers_lost": counted["db_execution_workers_lost_total"],
    }


def _seen(*folders: Path) -> list[tuple[str, str]]:
    """Every file there, and its bytes' digest; of the working folder only the names."""
    found = []
    for path in sorted(folders[0].rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        found.append((str(path), hashlib.sha256(data).hexdigest()))
    return found + [(name, "") for name in sorted(os.listdir(folders[1]))]


if __name__ == "__main__":
    sys.exit(main())
