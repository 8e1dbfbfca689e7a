"""The investigation families as a benchmark: oracles are right, traps are not."""

import json
from pathlib import Path

import pytest

from benchmark.asking import asking
from benchmark.definition import read_definitions
from benchmark.errors import BenchmarkError
from benchmark.evaluate import Settings, evaluate
from benchmark.run import Attempt, Run
from benchmark.tasks import read_tasks
from flows.cli.app import run
from flows.families import named, write_families
from investigation.families import FAMILIES, draw
from tests.flows.helpers import contents


def runs(seeds: int) -> list[Run]:
    """The oracle's run, and one for every trap of every family."""
    said: dict[str, dict[str, Attempt]] = {}
    for family in FAMILIES:
        for seed in range(seeds):
            one, name = draw(family, seed), f"{family}-{seed}"
            for who, sql in [("oracle", one.oracle_sql), *((t.name, t.sql) for t in one.traps)]:
                said.setdefault(who, {})[name] = Attempt(task_id=name, sql=sql)
    return [Run(who, attempts) for who, attempts in said.items()]


def test_the_oracle_passes_every_task_and_no_trap_passes_one(tmp_path: Path) -> None:
    definition = read_definitions(write_families(tmp_path, 2))["investigation"]
    tasks = read_tasks(definition)
    assert len(tasks.tasks) == 2 * len(FAMILIES)
    with asking({"original": tmp_path / "databases"}) as asker:
        oracle, *traps = evaluate(tasks, runs(2), asker, Settings(details=False))
    assert oracle.buckets["passed"] == oracle.total
    passed = [(one.run.name, ids) for one in traps if (ids := one.ids("Matched"))]
    assert passed == []
    tried = sum(one.attempt is not None for trap in traps for one in trap.outcomes)
    assert tried == sum(len(draw(family, seed).traps) for family in FAMILIES for seed in range(2))


def test_the_same_seeds_give_the_same_files(tmp_path: Path) -> None:
    for name in "ab":
        write_families(tmp_path / name, 1)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.mark.parametrize("count", ["0", "1001", "x", "-1", ""])
def test_a_number_of_instances_that_is_none_is_refused(tmp_path: Path, count: str) -> None:
    with pytest.raises(BenchmarkError, match="no number of instances a family, 1 to 1000"):
        named(f"investigation:{count}", None, tmp_path)


def test_the_families_are_named_like_any_benchmark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, seed = "signup_cohorts-0", draw("signup_cohorts", 0)
    (tmp_path / "p.jsonl").write_text(json.dumps({"task_id": name, "sql": seed.oracle_sql}))
    words = ["--benchmark", "investigation:1", "--task-ids", name, "--json"]
    assert run(["benchmark", "run", *words, "--predictions", "p.jsonl", "--run-id", "r"]) == 0
    assert run(["benchmark", "eval", *words, "--run", "runs/r"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["total"], told["passed"]) == (1, 1)
    assert list(told["systems"][0]["slices"]["difficulty"]) == ["signup_cohorts"]
