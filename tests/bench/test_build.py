"""The bench of the build says what it promises, of whatever corpora it is given."""

import json
from pathlib import Path

import pytest

from bench import build as bench
from bench.corpora import schemas_made
from bench.plain_loop import mutants, pairs_per_second
from pairset.build import Build
from pairset.config import load_config
from pairset.stages.golds import GoldsStage

STABLE = (
    "golds", "pairs", "seconds", "pairs_per_second_per_core", "peak_mib", "ratio_to_plain_loop",
    "plain_loop_pairs_per_second", "service_cpu_seconds", "service_share", "scaling_exponent",
    "two_workers_ratio", "two_workers_golds",
)  # fmt: skip


def test_the_bench_measures_what_a_build_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "_EVERY", 3)
    monkeypatch.setattr(bench, "_MARKS", (5,))
    build = Build(load_config(None, {}), tmp_path)
    schemas_made(build)
    said = json.loads(json.dumps(bench.measured(build)))
    assert set(STABLE) <= said.keys()
    places = build.store.places("pairs")
    assert said["pairs"] == sum(build.store.read(*place).num_rows for place in places)
    assert said["golds"] == sum(build.store.read("golds", *p[1:]).num_rows for p in places)
    assert said["two_workers_golds"] == said["golds"]
    rates = said["pairs_per_second_per_core"], said["plain_loop_pairs_per_second"]
    assert said["ratio_to_plain_loop"] == pytest.approx(rates[0] / rates[1], rel=0.02)
    assert said["scaling_exponent"] > 0
    assert said["service_cpu_seconds"] > 0


def test_the_plain_loop_gets_every_so_many_golds_of_all_databases() -> None:
    tally = bench.Tally(golds=38)
    bench._add_plain(tally, [f"SELECT a FROM t WHERE a = {n}" for n in range(50)])
    of_one = len(set(mutants("SELECT a FROM t WHERE a = 2")))
    assert tally.plain_pairs == 2 * of_one  # the golds 40 and 80
    assert tally.plain_cpu > 0


def test_the_order_of_the_databases_is_their_own(tmp_path: Path) -> None:
    units = GoldsStage().units(Build(load_config(None, {}), tmp_path))
    assert bench._drawn(units) == bench._drawn(units[::-1])


@pytest.mark.parametrize("power", [0.5, 1.0, 1.2])
def test_the_exponent_is_the_power_of_the_growth(power: float) -> None:
    marks = [(pairs, 0.003 * pairs**power) for pairs in (60_000, 250_000, 900_000)]
    assert bench.exponent(marks) == pytest.approx(power, abs=0.001)
    assert bench.exponent(marks[:1]) is None


def test_the_plain_loop_makes_queries_that_are_not_the_gold() -> None:
    found = list(mutants("SELECT count(*) FROM t WHERE a > 1 AND b = 'x'"))
    assert len(set(found)) > 10
    made, rate = pairs_per_second(["SELECT a FROM t WHERE a > 1", "no query"])
    assert made > 0
    assert rate > 0
