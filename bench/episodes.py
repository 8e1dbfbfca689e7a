"""How agents fare at the server: `python -m bench.episodes`, JSON lines, the summary last.

Three measurements through the WebSocket of `pairset investigation serve`, in a process of its own.
``graded``: of every family and a range of seeds, the oracle earns 1, every trap 0, giving up 0.
``steps``: sessions at once, each episode after episode (a reset, three queries, a submission), and
beside it the same episodes in this process without a server. ``leaks``: episodes searched for the
answer, the oracle and the seed.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from os import sysconf
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from bench.leaks import search, secrets_changed
from bench.sessions import Socket, serving, serving_command
from investigation.actions import Action, Op
from investigation.environment import Environment, ten_families
from investigation.families import FAMILIES, draw
from investigation.tasks import Wish

NUMBERS = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 50) "
PLAYED: tuple[tuple[Op, str], ...] = (
    ("query", "SELECT name FROM sqlite_master"),
    ("query", "SELECT type, count(*) FROM sqlite_master GROUP BY type"),
    ("query", NUMBERS + "SELECT i FROM n"),
    ("submit", "SELECT 1"),
)
AT_ONCE = 4
IN_PROCESS = 100


@dataclass(slots=True)
class Pace:
    """What a session did: its resets, how long each step took, and what went wrong."""

    resets: int = 0
    steps: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print; 1 if a grade was wrong, a session failed or something leaked."""
    parser = argparse.ArgumentParser(prog="python -m bench.episodes", description=__doc__)
    parser.add_argument("--sessions", type=int, default=64, help="sessions at once")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long they go on")
    parser.add_argument("--seeds", type=int, default=50, help="seeds a family that are graded")
    parser.add_argument("--leaks", type=int, default=1_000, help="episodes that are searched")
    asked = parser.parse_args(arguments)
    failed = 0
    began = perf_counter()
    summary: dict[str, Any] = {}
    for line in measured(asked):
        print(json.dumps(line), flush=True)
        failed += int(line["failed"])
        summary |= {
            key: line[key] for key in ("graded", "steps_per_second", "searched") if key in line
        }
    print(json.dumps(summary | {"failed": failed, "seconds": round(perf_counter() - began, 1)}))
    return int(failed > 0)


def measured(asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A line for each measurement."""
    with serving_command() as (url, process):
        yield graded(url, asked.seeds)
        before = cpu_seconds(process)
        pace = paced(url, asked.sessions, asked.seconds)
        spent = cpu_seconds(process) - before
        yield pace | {
            "steps_per_cpu_second": round(pace["steps"] / spent),
            "resets_per_cpu_second": round(pace["resets"] / spent),
        }
    world = ten_families()
    with serving(world=world) as one, serving(world=secrets_changed(world)) as other:
        found = search(world, (one, other), asked.leaks, Random(1))
    for leak in found.leaks:
        print(leak, file=sys.stderr)
    yield {
        **{"measured": "leaks", "searched": found.episodes, "frames": found.frames},
        **{"characters": found.characters, "failed": len(found.leaks)},
    }


def cpu_seconds(process: int) -> float:
    """What a process has taken of the processors so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / sysconf("SC_CLK_TCK")


def graded(url: str, seeds: int) -> dict[str, Any]:
    """The rewards of the oracle, every trap and giving up, for ``seeds`` of each family."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        counts = list(pool.map(lambda family: _graded(url, family, seeds), FAMILIES))
    total = sum(counts, Counter[str]())
    return {"measured": "graded", "families": len(FAMILIES), "seeds": seeds} | {
        "graded": total.total() - total["failed"],
        **{key: total[key] for key in ("oracle", "trap", "finish", "failed")},
    }


def _graded(url: str, family: str, seeds: int) -> Counter[str]:
    counts: Counter[str] = Counter(failed=0)
    with Socket(url) as socket:
        for seed in range(seeds):
            instance = draw(family, seed)
            asked: list[tuple[str, Op, str, float]] = [
                ("oracle", "submit", instance.oracle_sql, 1.0)
            ]
            asked += [("trap", "submit", trap.sql, 0.0) for trap in instance.traps]
            for kind, op, sql, reward in [*asked, ("finish", "finish", "", 0.0)]:
                socket.reset(seed=seed, family=family)
                end = socket.step(op, sql)
                right = end["done"] is True and end["reward"] == reward
                counts[kind if right else "failed"] += 1
    return counts


def paced(url: str, sessions: int, seconds: float) -> dict[str, Any]:
    """How many steps a second all sessions do together, and what they would do without a server."""
    began = perf_counter()
    paces = asyncio.run(_all_sessions(url, sessions, seconds))
    took = perf_counter() - began
    steps = sorted(one for pace in paces for one in pace.steps)
    errors = sum((pace.errors for pace in paces), Counter[str]())
    resets = sum(pace.resets for pace in paces)
    return {
        **{"measured": "steps", "sessions": sessions, "resets": resets, "steps": len(steps)},
        "steps_per_second": round(len(steps) / took),
        "resets_per_second": round(resets / took),
        "median_ms": round(steps[len(steps) // 2] * 1000, 1),
        "p99_ms": round(steps[len(steps) * 99 // 100] * 1000, 1),
        "in_process_steps_per_cpu_second": _in_process(),
        "idle_sessions": sum(not pace.steps for pace in paces),
        "errors": dict(errors),
        "failed": errors.total() + sum(not pace.steps for pace in paces),
    }


async def _all_sessions(url: str, sessions: int, seconds: float) -> list[Pace]:
    until = perf_counter() + seconds
    return await asyncio.gather(*[_session(url, until) for _ in range(sessions)])


async def _session(url: str, until: float) -> Pace:
    pace = Pace()
    address = url.replace("http://", "ws://") + "/ws"
    try:
        async with connect(address, proxy=None, ping_timeout=None, open_timeout=60) as socket:
            while perf_counter() < until:
                await _episode(socket, pace)
    except Exception as error:
        pace.errors[f"{type(error).__name__}: {error}"] += 1
    return pace


async def _episode(socket: ClientConnection, pace: Pace) -> None:
    first = await _said(socket, {"type": "reset", "data": {}})
    pace.resets += 1
    if first.get("done") is not False:
        pace.errors[f"reset: {first}"[:200]] += 1
    for op, sql in PLAYED:
        began = perf_counter()
        seen = await _said(socket, {"type": "step", "data": {"op": op, "sql": sql}})
        pace.steps.append(perf_counter() - began)
        if seen.get("done") is not (op == "submit") or seen["observation"]["error"]:
            pace.errors[f"{op}: {seen}"[:200]] += 1


async def _said(socket: ClientConnection, message: dict[str, Any]) -> dict[str, Any]:
    await socket.send(json.dumps(message))
    answer: dict[str, Any] = json.loads(await socket.recv())["data"]
    return answer


def _in_process() -> int:
    """Steps a second of processor time, of the same episodes in this process without resets."""
    environment, took = Environment(), 0.0
    for seed in range(IN_PROCESS):
        environment.reset(Wish(seed=seed))
        began = process_time()
        for op, sql in PLAYED:
            environment.step(Action(op, sql))
        took += process_time() - began
    environment.close()
    return round(IN_PROCESS * len(PLAYED) / took)


if __name__ == "__main__":
    sys.exit(main())
