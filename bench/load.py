"""Many clients at once, a tenth of them endless: `python -m bench.load`, one JSON line.

The small queries ask for a number that only their client asks for, so a wrong answer shows; the
endless ones must be answered as a timeout within their limit and a second. Exit 1 if an answer is
wrong, a status is 5xx, or an endless query comes back late.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import quantiles
from time import monotonic
from typing import Any, NamedTuple

import httpx

from db_execution.embed import Embedded
from db_execution.writer import write_database

ENDLESS = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
LIMIT_S = 2.0
SCRIPT = """
CREATE TABLE t(id INTEGER PRIMARY KEY);
WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 199) INSERT INTO t
SELECT i FROM n;
"""


class Seen(NamedTuple):
    """One request: how long it took, its HTTP status, and whether it was answered rightly."""

    seconds: float
    status: int
    right: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask for so many seconds, and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args(arguments)
    line = measured(asked.clients, asked.seconds, asked.workers)
    print(json.dumps(line))
    late = line["slowest_endless_s"] > LIMIT_S + 1
    return 1 if line["wrong"] or line["http_5xx"] or late else 0


def measured(clients: int, seconds: float, workers: int) -> dict[str, Any]:
    """The figures of one run."""
    endless = max(1, clients // 10)
    with tempfile.TemporaryDirectory() as folder:
        write_database(Path(folder) / "d" / "d.sqlite", SCRIPT)
        with (
            Embedded([f"original={folder}"], workers=workers) as service,
            ThreadPoolExecutor(clients) as pool,
        ):
            asked = [
                pool.submit(_client, service.url, number, number < endless, seconds)
                for number in range(clients)
            ]
            seen = [one.result() for one in asked]
    small = [one for each in seen[endless:] for one in each]
    without_end = [one for each in seen[:endless] for one in each]
    answered = [one.seconds for one in small if one.status == httpx.codes.OK]
    return {
        "clients": clients,
        "endless_clients": endless,
        "small": len(small),
        "endless": len(without_end),
        "wrong": sum(not one.right for one in small + without_end if one.status == 200),
        "http_5xx": sum(one.status >= 500 for one in small + without_end),
        "http_429": sum(one.status == 429 for one in small + without_end),
        "small_p50_s": round(quantiles(answered, n=100)[49], 3),
        "small_p99_s": round(quantiles(answered, n=100)[98], 3),
        "slowest_endless_s": round(max(one.seconds for one in without_end), 3),
        "seconds": seconds,
    }


def _client(url: str, number: int, endless: bool, seconds: float) -> list[Seen]:
    until, seen = monotonic() + seconds, list[Seen]()
    with httpx.Client(base_url=url, timeout=60, trust_env=False) as http:
        while monotonic() < until:
            seen.append(_endless(http) if endless else _small(http, number))
    return seen


def _small(http: httpx.Client, number: int) -> Seen:
    seconds, response = _asked(http, f"SELECT {number} + count(*) AS n FROM t", 5.0)
    right = response.is_success and response.json()["rows"] == [{"n": number + 200}]
    return Seen(seconds, response.status_code, right)


def _endless(http: httpx.Client) -> Seen:
    seconds, response = _asked(http, ENDLESS, LIMIT_S)
    return Seen(seconds, response.status_code, response.is_success and response.json()["timed_out"])


def _asked(http: httpx.Client, sql: str, timeout_s: float) -> tuple[float, httpx.Response]:
    body = {"dataset_name": "x", "db_id": "d", "sql": sql, "timeout_ms": int(timeout_s * 1000)}
    began = monotonic()
    response = http.post("/execute", json=body)
    return monotonic() - began, response


if __name__ == "__main__":
    sys.exit(main())
