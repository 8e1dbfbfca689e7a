"""How fast trees are scored: `python -m bench.trees --corpora DIR`, JSON lines.

The full chain is made for some of Spider's databases, those whose pairs are nearest to the middle
of all, and a random tree of them is scored: processor time of everybody who takes part, from the
tables to the judged pairs. Then one database is changed, and the tree is scored again.
"""

import argparse
import json
import resource
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

import httpx

from bench.corpora import training_build
from bench.processes import cpu_seconds, peak_mib
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from pairset.baselines import database_path, original_units
from pairset.build import Build, Stage, Unit
from pairset.fuzz.tree import FuzzSettings, fuzz_tree
from pairset.scores.report import report, total
from pairset.scores.scored import ScoredTree, find_tree
from pairset.scores.stage import ScoresStage, tree_build
from pairset.stages import STAGES
from pairset.stages.samples import SamplesStage
from pairset.trees import ORIGINAL, SCHEMA, database_digest, tree_specs
from pairset.work import make, pending

_STEPS = "[executor]\nmax_vm_steps = 30000000\nworkers = 1\n"
_TREE = "fuzz"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.trees", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with spider/, bird/")
    parser.add_argument("--databases", type=int, default=24, help="so many of Spider's databases")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for line in measured(asked.corpora, Path(folder), asked.databases):
            print(json.dumps(line), flush=True)


def measured(corpora: Path, folder: Path, most: int) -> Iterator[dict[str, object]]:
    """A line for the slice, for scoring it, for scoring after a change, and the summary."""
    began = perf_counter()
    build = training_build(corpora, folder, more=_STEPS)
    units = _slice(build, most)
    with _served(build, tree_specs(build.config, build.root), (ORIGINAL, SCHEMA)) as (asking, _):
        for stage in STAGES[1:]:
            make(stage, asking, _only(stage, asking, units))
        fuzz_tree(asking, folder / "tree", FuzzSettings(seed=1))
    yield {
        "slice": [unit.db_id for unit in units],
        "pairs": sum(shard.rows for shard in build.store.shards("pairs")),
        "seconds": round(perf_counter() - began, 1),
    }
    first = _scored(build, folder / "tree", "all")
    yield first
    changed = units[0]
    _change(database_path(folder / "tree", changed))
    again = _scored(build, folder / "tree", "one database changed")
    yield again
    if again["databases_asked"] != [changed.db_id]:
        raise SystemExit(f"{again['databases_asked']} were asked, not {changed.db_id} alone")
    kept = ("pairs", "tied", "catch_rate", "pairs_per_second_per_core", "peak_mib")
    yield {name: first[name] for name in kept} | {
        "queries_asked_again": again["queries"],
        "seconds": round(perf_counter() - began, 1),
    }


def _slice(build: Build, most: int) -> list[Unit]:
    """Databases of Spider that are there, every so many of them in the order of their samples."""
    samples = SamplesStage()
    make(samples, build, samples.units(build))
    shards = (s for s in build.store.shards("samples") if s.dataset == "spider")
    there = [
        Unit(s.dataset, s.db_id, s.rows)
        for s in shards
        if database_digest(build, "spider", s.db_id)
    ]
    ordered = sorted(there, key=lambda unit: (unit.weight, unit.db_id))
    step = max(1, len(ordered) // most)
    return sorted(ordered[::step][:most])


def _only(stage: Stage, build: Build, units: Sequence[Unit]) -> list[Unit]:
    """The stage's pieces of those databases."""
    places = {unit.place for unit in units}
    return [unit for unit in stage.units(build) if unit.place in places]


@contextmanager
def _served(
    build: Build, specs: Sequence[str], trees: Sequence[str]
) -> Iterator[tuple[Build, list[int]]]:
    """The build with an executor of one worker to ask, and the executor's processes."""
    with Embedded(specs, workers=1) as service:
        ready = httpx.get(f"{service.url}/healthz/ready").json()
        endpoints = tuple(Endpoint(service.url, tree) for tree in trees)
        yield replace(build, endpoints=endpoints), [service.pid, *ready["workers"]]


def _scored(build: Build, folder: Path, what: str) -> dict[str, object]:
    """Score the tree, what is not scored of it: counts, rates and memory."""
    places = [unit.place for unit in original_units(build)]
    tree = find_tree(build, _TREE, [f"{_TREE}={folder}"], places)
    stage = ScoresStage(build.root, tree)
    specs = [*tree_specs(build.config, build.root), *tree.specs]
    with _served(build, specs, (ORIGINAL, SCHEMA, _TREE)) as (asking, pids):
        own = tree_build(asking, _TREE)
        todo = pending(stage, own)
        wall, cpu, theirs = perf_counter(), process_time(), cpu_seconds(pids)
        make(stage, own, todo)
        cpu = process_time() - cpu + cpu_seconds(pids) - theirs
        wall, peak = perf_counter() - wall, max(map(peak_mib, pids))
    return {"scored": what, **_counts(build, tree, todo, cpu), **_ends(wall, cpu, peak)}


def _counts(build: Build, tree: ScoredTree, todo: Sequence[Unit], cpu: float) -> dict[str, object]:
    store = tree_build(build, _TREE).store
    pairs = sum(shard.rows for u in todo if (shard := store.shard("scores", *u.place)))
    queries = sum(shard.rows for u in todo if (shard := store.shard("runs", *u.place)))
    row = total(report(build, [tree], lost=True), _TREE)
    return {
        "databases_asked": [unit.db_id for unit in todo],
        "pairs": pairs,
        "queries": queries,
        "tied": row["pairs"],
        "catch_rate": round(row["catch_rate"], 4),
        "pairs_per_second_per_core": round(pairs / cpu),
        "queries_per_second_per_core": round(queries / cpu),
    }


def _ends(wall: float, cpu: float, peak: int) -> dict[str, object]:
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {
        "seconds": round(wall, 1),
        "cpu_seconds": round(cpu, 1),
        "peak_mib": max(own, peak),
        "executor_peak_mib": peak,
    }


def _change(path: Path) -> None:
    """Another database of the same schema: the user's version in its header is another one."""
    contents = bytearray(path.read_bytes())
    contents[60:64] = (7).to_bytes(4, "big")  # https://sqlite.org/fileformat2.html, 1.3
    path.write_bytes(contents)


if __name__ == "__main__":
    main()
