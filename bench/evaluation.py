"""How fast runs are evaluated: `python -m bench.evaluation --corpora DIR`, the summary last.

All systems of `predictions/spider_dev`, which lies beside the corpora, evaluated in one command: a
verdict a task with the readings `canonical`, `bird` and `test_suite`. Beside that, in the same run,
the loop of evaluation scripts: one system after the other, a new connection for each query, sets
compared. Both by wall clock, from files to verdicts, taking turns; ours with the start and the end
of its executor. The best of some rounds counts. The verdicts of the loop must be those of the
reading `bird`.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter

from bench.plain_evaluation import loop
from benchmark.asking import asking
from benchmark.builtin import built_in
from benchmark.evaluate import Settings, evaluate
from benchmark.predictions import read_predictions
from benchmark.tasks import read_tasks

READINGS = ("canonical", "bird", "test_suite")
ROUNDS = 3
Verdicts = dict[str, list[bool | None]]


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
    best: dict[str, float] = {}
    for _ in range(rounds):
        for way, evaluated in (("ours", _ours), ("plain", _plain)):
            seconds, found[way] = _timed(evaluated, corpora)
            best[way] = min(best.get(way, seconds), seconds)
            yield {"way": way, "seconds": round(seconds, 2)}
    differing = [
        f"{name} {at}"
        for name, own in found["ours"].items()
        for at, (one, other) in enumerate(zip(own, found["plain"][name], strict=True))
        if one != other
    ]
    yield {
        "systems": len(found["ours"]),
        "total": sum(map(len, found["ours"].values())),
        "passed": sum(one is True for own in found["ours"].values() for one in own),
        "disagreements": differing,
        "seconds_ours": round(best["ours"], 2),
        "seconds_plain": round(best["plain"], 2),
        "ratio_to_plain_loop": round(best["plain"] / best["ours"], 2),
        "seconds": round(perf_counter() - began, 1),
    }
    if differing:
        raise SystemExit(1)


def _timed(way: Callable[[Path], Verdicts], corpora: Path) -> tuple[float, Verdicts]:
    """From files to verdicts; ours starts its executor and ends it within that time."""
    began = perf_counter()
    verdicts = way(corpora)
    return perf_counter() - began, verdicts


def _ours(corpora: Path) -> Verdicts:
    definition = built_in("spider_dev", corpora / "spider")
    databases = definition.database_folder
    assert databases is not None
    with asking({"original": databases}, workers=2) as asker:
        tasks = read_tasks(definition)
        runs = [read_predictions(path, tasks) for path in _files(corpora)]
        found = evaluate(tasks, runs, asker, Settings(readings=READINGS, details=False))
    return {
        one.run.name: [_truth(outcome.readings["bird"]) for outcome in one.outcomes]
        for one in found
    }


def _truth(score: float | None) -> bool | None:
    return None if score is None else score == 1


def _plain(corpora: Path) -> Verdicts:
    golds = json.loads((corpora / "spider" / "dev.json").read_text())
    databases = corpora / "spider" / "database"
    found = {}
    for path in _files(corpora):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        triples = [
            (gold["db_id"], gold["query"], line["sql"])
            for gold, line in zip(golds, lines, strict=True)
        ]
        found[path.stem] = loop(databases, triples)
    return found


def _files(corpora: Path) -> list[Path]:
    return sorted((corpora.parent / "predictions" / "spider_dev").glob("*.jsonl"))


if __name__ == "__main__":
    main()
