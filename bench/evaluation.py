"""How fast runs are evaluated: `python -m bench.evaluation --corpora DIR`, the summary last.

All systems of `predictions/spider_dev`, which lies beside the corpora, evaluated in one command: a
verdict a task with the readings `canonical`, `bird` and `test_suite`. Beside that, in the same run,
the loop of evaluation scripts: one system after the other, a new connection for each query, sets
compared. Both by wall clock, from files to verdicts, taking turns there and back, the best of some
rounds: ours once with the start and end of an executor of its own (`ratio_to_plain_loop`), and once
asking one that runs already (`ratio_with_executor_running`). Nothing is remembered from one round
to the next. On a machine with other work to do wall clock says little, so the processor seconds of
all processes stand beside it: `cpu_bound_on_two_cores` is how many times as fast ours with its
executor would be if two cores had nothing else to do and shared it evenly, which is more than can
be reached. The verdicts of the loop must be those of the reading `bird`.
"""

import argparse
import gc
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from bench.plain_evaluation import loop
from bench.processes import cpu_seconds, descendants
from benchmark.asking import ORIGINAL, Asker, Key, asking
from benchmark.builtin import built_in
from benchmark.compare_answers import is_ordered
from benchmark.evaluate import Settings, evaluate
from benchmark.folding import folded
from benchmark.predictions import read_predictions
from benchmark.tasks import read_tasks

READINGS = ("canonical", "bird", "test_suite")
ROUNDS = 6
CORES = 2
Verdicts = dict[str, list[bool | None]]


class Spent(NamedTuple):
    """What one way took, in seconds by the clock and of processors."""

    wall: float
    cpu: float


Way = Callable[[Path], tuple[Spent, Verdicts]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure both ways and print what they took."""
    parser = argparse.ArgumentParser(prog="python -m bench.evaluation", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with spider/")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each way is measured")
    asked = parser.parse_args(arguments)
    corpora = asked.corpora.resolve()
    for line in _measured(corpora, asked.rounds):
        print(json.dumps(line), flush=True)


def _measured(corpora: Path, rounds: int) -> Iterator[dict[str, object]]:
    began = perf_counter()
    found: dict[str, Verdicts] = {}
    wall: dict[str, float] = {}
    cpu: dict[str, float] = {}
    for turn in range(rounds):
        for way, evaluated in _in_turn(turn):
            spent, found[way] = evaluated(corpora)
            wall[way] = min(wall.get(way, spent.wall), spent.wall)
            cpu[way] = min(cpu.get(way, spent.cpu), spent.cpu)
            yield {
                "way": way,
                "seconds": round(spent.wall, 2),
                "cpu_seconds": round(spent.cpu, 2),
            }
    differing = _differing(found["ours"], found["plain"])
    yield {
        "systems": len(found["ours"]),
        "total": sum(map(len, found["ours"].values())),
        "passed": sum(one is True for own in found["ours"].values() for one in own),
        "disagreements": differing,
        "readings": list(READINGS),
        "seconds_ours": round(wall["ours"], 2),
        "seconds_plain": round(wall["plain"], 2),
        "cpu_seconds_ours": round(cpu["ours"], 2),
        "cpu_seconds_plain": round(cpu["plain"], 2),
        "ratio_to_plain_loop": round(wall["plain"] / wall["ours"], 2),
        "ratio_with_executor_running": round(wall["plain"] / wall["ours_running"], 2),
        "cpu_bound_on_two_cores": round(CORES * cpu["plain"] / cpu["ours"], 2),
        "seconds": round(perf_counter() - began, 1),
    }
    if differing:
        raise SystemExit(1)


def _in_turn(turn: int) -> list[tuple[str, Way]]:
    """The ways, there and back: one is faster after another that has kept both cores awake."""
    ways: list[tuple[str, Way]] = [("ours", _ours), ("ours_running", _running), ("plain", _plain)]
    return ways if turn % 2 == 0 else ways[::-1]


def _differing(ours: Verdicts, plain: Verdicts) -> list[str]:
    """The tasks of which the two ways say another thing."""
    return [
        f"{name} {at}"
        for name, own in ours.items()
        for at, (one, other) in enumerate(zip(own, plain[name], strict=True))
        if one != other
    ]


def _ours(corpora: Path) -> tuple[Spent, Verdicts]:
    """From files to verdicts, with the start and the end of the executor."""
    _forget()
    began, own = perf_counter(), process_time()
    with _executor(corpora) as asker:
        verdicts = _evaluated(corpora, asker)
        counting = perf_counter()
        others = cpu_seconds(descendants(os.getpid()))
        counting = perf_counter() - counting
    return Spent(perf_counter() - began - counting, process_time() - own + others), verdicts


def _running(corpora: Path) -> tuple[Spent, Verdicts]:
    """The same, asking an executor that has just started."""
    _forget()
    with _executor(corpora) as asker:
        asker.answers([Key(ORIGINAL, "world_1", "SELECT 1")])
        pids = descendants(os.getpid())
        began, own, others = perf_counter(), process_time(), cpu_seconds(pids)
        verdicts = _evaluated(corpora, asker)
        wall, cpu = perf_counter() - began, process_time() - own
        return Spent(wall, cpu + cpu_seconds(pids) - others), verdicts


def _forget() -> None:
    """Let go of what this process remembers of queries: a command begins without it.

    Nor does it begin with the objects of earlier rounds, among which cycles would be looked for.
    """
    folded.cache_clear()
    is_ordered.cache_clear()
    gc.collect()
    gc.freeze()


def _executor(corpora: Path) -> AbstractContextManager[Asker]:
    return asking({ORIGINAL: corpora / "spider" / "database"}, workers=2)


def _evaluated(corpora: Path, asker: Asker) -> Verdicts:
    tasks = read_tasks(built_in("spider_dev", corpora / "spider"))
    runs = [read_predictions(path, tasks) for path in _files(corpora)]
    found = evaluate(tasks, runs, asker, Settings(readings=READINGS, details=False))
    return {
        one.run.name: [_truth(outcome.readings["bird"]) for outcome in one.outcomes]
        for one in found
    }


def _truth(score: float | None) -> bool | None:
    return None if score is None else score == 1


def _plain(corpora: Path) -> tuple[Spent, Verdicts]:
    """The loop, over what the files say."""
    _forget()
    began, own = perf_counter(), process_time()
    golds = json.loads((corpora / "spider" / "dev.json").read_text())
    databases = corpora / "spider" / "database"
    found: Verdicts = {}
    for path in _files(corpora):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        triples = [
            (gold["db_id"], gold["query"], line["sql"])
            for gold, line in zip(golds, lines, strict=True)
        ]
        found[path.stem] = loop(databases, triples)
    return Spent(perf_counter() - began, process_time() - own), found


def _files(corpora: Path) -> list[Path]:
    return sorted((corpora.parent / "predictions" / "spider_dev").glob("*.jsonl"))


if __name__ == "__main__":
    main()
