"""How fast pairs are built: `python -m bench.build --corpora DIR`, one JSON line.

The build's own work on one core, from the golds' text to Parquet bytes: parsing, mutation, normal
forms, classification, ids and the writing. Beside it the plain loop of `bench.plain_loop` on a
sample of the same golds in the same run.
"""

import argparse
import json
import resource
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time

from bench.corpora import schemas_made, training_build
from bench.plain_loop import pairs_per_second
from pairset.build import Build
from pairset.stages.golds import GoldsStage
from pairset.stages.pairs import PairsStage
from pairset.work import make

_EVERY = 40  # golds from one of the plain loop's to the next


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


def measured(build: Build, most: int | None) -> dict[str, object]:
    """Counts, seconds and rates of one build."""
    began, cpu = perf_counter(), process_time()
    golds = _made(GoldsStage(), build, most)
    pairs = _made(PairsStage(), build, most)
    cpu, seconds = process_time() - cpu, perf_counter() - began
    sample = _golds(build)[::_EVERY]
    plain, rate = pairs_per_second(sample)
    return {
        "golds": golds["golds"],
        "pairs": pairs["pairs"],
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu, 1),
        "pairs_per_second_per_core": round(pairs["pairs"] / cpu),
        "pairs_per_gold": round(pairs["pairs"] / golds["golds"], 1),
        "plain_loop_pairs": plain,
        "plain_loop_per_second": round(rate),
        "ratio_to_plain_loop": round(pairs["pairs"] / cpu / rate, 2),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "python": sys.version.split()[0],
    }


def _made(stage: GoldsStage | PairsStage, build: Build, most: int | None) -> dict[str, int]:
    """Rows made, by table; with ``most``, of the first databases that have so many golds."""
    rows: dict[str, int] = {}
    golds = 0
    for unit in stage.units(build):
        for shard in make(stage, build, [unit]):
            rows[shard.table] = rows.get(shard.table, 0) + shard.rows
        golds = build.store.read("golds", *unit.place).num_rows + golds
        if most is not None and golds >= most:
            break
    return rows


def _golds(build: Build) -> list[str]:
    """The text of every gold that parses."""
    found: list[str] = []
    for place in build.store.places("golds"):
        rows = build.store.read(*place, columns=["gold_sql", "parses"]).to_pylist()
        found += [row["gold_sql"] for row in rows if row["parses"]]
    return found


if __name__ == "__main__":
    main()
