"""Whether the laws of the grammar hold on real corpora: `python -m bench.grammar --corpora DIR`.

JSON lines, the summary last; exit status 1 where a law is broken.

* laws: the mutants of every so-many-th gold (or of every gold of a finished build) parse, differ
  from their gold and siblings, keep its text outside the span, and say what their row says.
* sqlglot: what another parser makes of them, by operator where it differs.
* executed: golds drawn at random, run beside their `(1=0)` mutants and rewrites that change
  nothing.
"""

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import polars as pl

from bench.corpora import training_build
from bench.executed import execute
from bench.laws import Found, check_gold, second_opinion
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from pairset import ids
from pairset.build import Build
from pairset.neighbors import GRAMMAR
from pairset.stages.golds import GoldsStage
from pairset.stages.pairs import PairsStage
from pairset.stages.samples import SamplesStage
from pairset.stages.schemas import SchemasStage, schema_of
from pairset.store import Made
from pairset.trees import ORIGINAL, SCHEMA, database_digest, tree_specs
from pairset.work import make

STEPS = 30_000_000  # a query that takes more is counted as one without an answer
_MORE = f"[executor]\nmax_vm_steps = {STEPS}\n"
_THINNED = Made("bench.grammar", {})


def main(arguments: Sequence[str] | None = None) -> None:
    """Check everything and print it."""
    parser = argparse.ArgumentParser(prog="python -m bench.grammar", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with spider/, bird/")
    parser.add_argument("--every", type=int, default=20, help="golds from one checked to the next")
    parser.add_argument("--build", type=Path, help="a finished build whose pairs are all checked")
    parser.add_argument("--golds", type=int, default=1000, help="golds that are run")
    parser.add_argument("--seed", type=int, default=0, help="which golds those are")
    asked = parser.parse_args(arguments)
    broken = 0
    for line in measured(asked):
        broken += int(str(line.get("broken", 0)))
        print(json.dumps(line), flush=True)
    sys.exit(1 if broken else 0)


def measured(asked: argparse.Namespace) -> Iterator[dict[str, object]]:
    """A line for each kind of law."""
    with tempfile.TemporaryDirectory() as folder, _asking(asked.corpora, Path(folder)) as build:
        if asked.build is None:
            _thin(build, asked.every)
            _made(build)
            yield from laws(build, 1)
        else:
            yield from laws(Build(build.config, asked.build), 10)
    with tempfile.TemporaryDirectory() as folder, _asking(asked.corpora, Path(folder)) as build:
        wanted = _draw(build, asked.golds, asked.seed)
        _made(build)
        yield executed(build, wanted)


def laws(build: Build, ask: int) -> Iterator[dict[str, object]]:
    """The laws over the rows of a build; of the mutants of every ``ask``-th gold sqlglot, too."""
    found, other, kinds = Found(), Found(), Counter[str]()
    every_id: set[str] = set()
    for _, dataset, db_id in build.store.places("pairs"):
        schema = schema_of(build.store.read("schemas", dataset, db_id))
        pairs = pl.DataFrame(build.store.read("pairs", dataset, db_id))
        mutants = pairs.filter(generator=GRAMMAR).partition_by("gold_id", maintain_order=True)
        for group in mutants:
            if found.counts["golds"] % ask == 0:
                second_opinion(group.to_dicts(), other, kinds)
            check_gold(group.to_dicts(), schema, found, every_id)
    yield {"of": "laws", **_told(found)}
    yield {"of": "sqlglot", **dict(other.counts), "differs": dict(kinds.most_common())}


def executed(build: Build, wanted: frozenset[str]) -> dict[str, object]:
    """The laws over answers, for the golds ``wanted``."""
    found = Found()
    with build.client() as client:
        for unit in PairsStage().units(build):
            if database_digest(build, *unit.place) is not None:
                execute(build, unit, client, wanted, found)
    return {"of": "executed", **_told(found)}


def _told(found: Found) -> dict[str, object]:
    counts = dict(sorted(found.counts.items()))
    return {**counts, "broken": counts.get("broken", 0), "violations": found.broken}


@contextmanager
def _asking(corpora: Path, folder: Path) -> Iterator[Build]:
    """A build of the corpora whose samples are made, and its executor."""
    build = training_build(corpora, folder, more=_MORE)
    samples = SamplesStage()
    make(samples, build, samples.units(build))
    specs = tree_specs(build.config, build.root)
    with Embedded(specs, workers=2, log=folder / "executor.log") as service:
        yield replace(build, endpoints=tuple(Endpoint(service.url, t) for t in (ORIGINAL, SCHEMA)))


def _thin(build: Build, every: int) -> None:
    """Keep every so-many-th gold of all, counted on from one database to the next."""
    at = 0
    for place in build.store.places("samples"):
        samples = pl.DataFrame(build.store.read(*place))
        golds = samples["gold_sql"].unique(maintain_order=True)
        kept = [gold for n, gold in enumerate(golds, at) if n % every == 0]
        at += len(golds)
        _keep(build, place, samples.filter(pl.col("gold_sql").is_in(kept)))


def _draw(build: Build, most: int, seed: int) -> frozenset[str]:
    """The ids of golds that have a database, so many drawn at random; only they are kept."""
    store = build.store
    frames = {place: pl.DataFrame(store.read(*place)) for place in store.places("samples")}
    there = sorted(
        (place, sql)
        for place, samples in frames.items()
        if database_digest(build, *place[1:]) is not None
        for sql in samples["gold_sql"].unique()
    )
    drawn = random.Random(seed).sample(there, min(most, len(there)))
    for place, samples in frames.items():
        own = [sql for at, sql in drawn if at == place]
        _keep(build, place, samples.filter(pl.col("gold_sql").is_in(own)))
    return frozenset(ids.gold_id(*place[1:], sql) for place, sql in drawn)


def _keep(build: Build, place: tuple[str, str, str], samples: pl.DataFrame) -> None:
    if samples.height:
        build.store.write(place, samples.to_arrow(), _THINNED)
    else:
        build.store.remove(*place)


def _made(build: Build) -> None:
    for stage in (SchemasStage(), GoldsStage(), PairsStage()):
        make(stage, build, stage.units(build))


if __name__ == "__main__":
    main()
