"""How fast pairs are built: `python -m bench.build --corpora DIR`, one JSON line.

All golds of the training corpora, database by database in a drawn order, so that the first thousand
are like the rest. A rate per core is pairs by the processor time of this process: all from a gold's
text to Parquet bytes, and the client's part in asking the engine. What the engine's own processes
use (values of columns, and every mutant prepared) is reported beside it.

After each database the plain loop of `bench.plain_loop` makes mutants of every 40th of its golds,
in the same process: so both rates are of the same minutes of the same machine.

How the cost grows is the slope of log cost over log pairs, from the first 1,000 and 4,000 golds to
all. What two workers gain is measured in wall time on some of the databases, without an engine: it
tells something on a quiet machine only.
"""

import argparse
import hashlib
import json
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import log
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time

import httpx

from bench.corpora import schemas_made, training_build
from bench.plain_loop import pairs_per_second
from bench.processes import cpu_seconds
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from pairset.build import Build, Unit
from pairset.stages.golds import GoldsStage
from pairset.stages.pairs import PairsStage
from pairset.trees import ORIGINAL, SCHEMA, tree_specs
from pairset.work import groups, make

_EVERY = 40  # golds from one of the plain loop's to the next
_MARKS = (1_000, 4_000)  # golds at which the cost is noted
_SHARED = 1_500  # golds that one worker makes, and then two
_TASKS = 24


@dataclass(slots=True)
class Tally:
    """What has been made so far, by how much processor time; ``marks`` are (pairs, seconds)."""

    golds: int = 0
    pairs: int = 0
    cpu: float = 0.0
    plain_pairs: int = 0
    plain_cpu: float = 0.0
    marks: list[tuple[int, float]] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Pairs a second."""
        return self.pairs / self.cpu

    @property
    def plain_rate(self) -> float:
        """The plain loop's pairs a second."""
        return self.plain_pairs / self.plain_cpu


def main(arguments: Sequence[str] | None = None) -> None:
    """Build all pairs and print one line."""
    parser = argparse.ArgumentParser(prog="python -m bench.build", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with spider/, bird/")
    parser.add_argument("--golds", type=int, help="only about so many golds")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        build = training_build(asked.corpora, Path(folder))
        schemas_made(build)
        print(json.dumps(measured(build, asked.golds)))


def measured(build: Build, most: int | None = None) -> dict[str, object]:
    """Counts, seconds and rates of one build whose schemas are there."""
    began = perf_counter()
    units = _drawn(GoldsStage().units(build))
    with _asking(build) as (asking, pids):
        before = cpu_seconds(pids)
        tally = _tally(asking, units, most)
        service = cpu_seconds(pids) - before
    seconds = perf_counter() - began
    return {
        "golds": tally.golds,
        "pairs": tally.pairs,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(tally.cpu, 1),
        "pairs_per_second_per_core": round(tally.rate),
        "pairs_per_gold": round(tally.pairs / tally.golds, 1),
        "service_cpu_seconds": round(service, 1),
        "service_share": round(service / (service + tally.cpu), 2),
        "plain_loop_pairs": tally.plain_pairs,
        "plain_loop_pairs_per_second": round(tally.plain_rate),
        "ratio_to_plain_loop": round(tally.rate / tally.plain_rate, 2),
        "scaling_exponent": exponent(tally.marks),
        **_of_two_workers(build, units, most),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "python": sys.version.split()[0],
    }


def exponent(marks: Sequence[tuple[int, float]]) -> float | None:
    """The power of the pairs with which the cost grows: the slope of a line through the logs.

    >>> exponent([(10, 1.0), (100, 10.0), (1000, 100.0)])
    1.0
    """
    if len(marks) < 2:
        return None
    points = [(log(pairs), log(cost)) for pairs, cost in marks]
    middle = [sum(values) / len(points) for values in zip(*points, strict=True)]
    over: float = sum((x - middle[0]) * (y - middle[1]) for x, y in points)
    spread: float = sum((x - middle[0]) * (x - middle[0]) for x, _ in points)
    return round(over / spread, 3)


def _drawn(units: Sequence[Unit]) -> list[Unit]:
    """The databases in an order that has nothing to do with what they are."""
    return sorted(units, key=lambda unit: hashlib.sha256("/".join(unit.place).encode()).digest())


@contextmanager
def _asking(build: Build) -> Iterator[tuple[Build, list[int]]]:
    """The build with an executor of its own, and the executor's processes."""
    specs = tree_specs(build.config, build.root)
    with Embedded(specs, workers=1, log=build.root / "executor.log") as service:
        ready = httpx.get(f"{service.url}/healthz/ready").json()
        endpoints = tuple(Endpoint(service.url, tree) for tree in (ORIGINAL, SCHEMA))
        yield replace(build, endpoints=endpoints), [service.pid, *ready["workers"]]


def _tally(build: Build, units: Sequence[Unit], most: int | None) -> Tally:
    """Make the databases one by one; with ``most``, until there are so many golds."""
    tally = Tally()
    _made(build, units[0])  # what is imported on the way is no cost of the first thousand golds
    for unit in units:
        began = process_time()
        golds, pairs = _made(build, unit)
        tally.cpu += process_time() - began
        for mark in _MARKS:
            if tally.golds < mark <= tally.golds + golds:
                tally.marks.append((tally.pairs + pairs, tally.cpu))
        _add_plain(tally, _texts(build, unit))
        tally.golds += golds
        tally.pairs += pairs
        if most is not None and tally.golds >= most:
            break
    tally.marks.append((tally.pairs, tally.cpu))
    return tally


def _made(build: Build, unit: Unit) -> tuple[int, int]:
    """The golds and the pairs of one database, made and written."""
    shards = make(GoldsStage(), build, [unit]) + make(PairsStage(), build, [unit])
    rows = {shard.table: shard.rows for shard in shards}
    return rows["golds"], rows["pairs"]


def _add_plain(tally: Tally, texts: Sequence[str]) -> None:
    """The plain loop on every so many golds, counted over all databases."""
    began = process_time()
    made, _ = pairs_per_second(texts[-tally.golds % _EVERY :: _EVERY])
    tally.plain_pairs += made
    tally.plain_cpu += process_time() - began


def _texts(build: Build, unit: Unit) -> list[str]:
    return [str(sql) for sql in build.store.read("golds", *unit.place)["gold_sql"].to_pylist()]


def _of_two_workers(build: Build, units: Sequence[Unit], most: int | None) -> dict[str, object]:
    """How much faster two processes make some of the databases than one does."""
    some: list[Unit] = []
    golds = 0
    for unit in units:
        if golds >= min(_SHARED, most or _SHARED):
            break
        some.append(unit)
        golds += build.store.read("golds", *unit.place, columns=["gold_id"]).num_rows
    apart = _apart(build)
    one, two = (_seconds(apart, groups(some, _TASKS), workers) for workers in (1, 2))
    return {"two_workers_golds": golds, "two_workers_ratio": round(one / two, 2)}


def _apart(build: Build) -> Build:
    """The same samples and schemas in a folder of their own, where nothing else is overwritten."""
    root = build.root / "workers"
    root.mkdir()
    for table in ("samples", "schemas"):
        (root / table).symlink_to(build.root / table, target_is_directory=True)
    return Build(build.config, root)


def _seconds(build: Build, work: Sequence[Sequence[Unit]], workers: int) -> float:
    """Wall time of so many processes for the work; they have started before the clock does."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        list(pool.map(_idle, range(workers)))
        began = perf_counter()
        list(pool.map(_work, [build] * len(work), work))
        return perf_counter() - began


def _idle(_: int) -> None:
    """A task that only starts its worker, which has imported all of this by then."""


def _work(build: Build, units: Sequence[Unit]) -> None:
    for unit in units:
        _made(build, unit)


if __name__ == "__main__":
    main()
