"""From what a person names (a benchmark, runs, predictions) to what can be evaluated."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmark.builtin import BUILT_IN, built_in
from benchmark.definition import Definition, read_definitions
from benchmark.errors import BenchmarkError, several
from benchmark.predictions import read_predictions
from benchmark.run import Run
from benchmark.runfolder import find_run, read_run
from benchmark.sample import SYSTEMS, write_sample
from benchmark.tasks import Tasks

SAMPLE = "sample"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a person named. ``runs`` are run folders or homes of them; ``scratch`` is ours."""

    benchmark: str = SAMPLE
    definition: Path | None = None
    root: Path | None = None
    databases: Path | None = None
    trees: tuple[str, ...] = ()
    runs: tuple[Path, ...] = ()
    predictions: tuple[Path, ...] = ()
    namespace: str = ""
    run_id: str = ""
    scratch: Path = Path()


def load_definition(asked: Asked) -> Definition:
    """The benchmark of that name: of the definition file, or built in and lying in ``root``."""
    name = asked.benchmark
    if asked.definition is not None:
        found = read_definitions(asked.definition)
        if name not in found:
            names = several(sorted(found))
            raise BenchmarkError(f"{asked.definition}: no benchmark {name!r}; there are: {names}")
        return found[name]
    if name == SAMPLE:
        return write_sample(asked.scratch)
    if name in BUILT_IN and asked.root is None:
        raise BenchmarkError(f"benchmark {name}: say with --root in which folder it lies")
    return built_in(name, asked.root or Path())


def load_runs(asked: Asked, tasks: Tasks) -> list[Run]:
    """The runs in the order in which they were named, each with a name of its own."""
    ids = [one.task_id for one in tasks.tasks]
    runs = [
        read_run(find_run(path, namespace=asked.namespace, run_id=asked.run_id), ids)
        for path in asked.runs
    ]
    files = asked.predictions
    if not runs and not files and asked.benchmark == SAMPLE and asked.definition is None:
        files = tuple(asked.scratch / "predictions" / f"{name}.jsonl" for name in SYSTEMS)
    runs += [read_predictions(path, tasks) for path in files]
    if not runs:
        raise BenchmarkError("nothing to evaluate: name a run (--run) or a file (--predictions)")
    return _named_apart(runs)


def _named_apart(runs: Sequence[Run]) -> list[Run]:
    runs = [Run(_printable(run.name), run.attempts, run.notes) for run in runs]
    names = [run.name for run in runs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        return [
            Run(f"{run.name}-{at}" if run.name in twice else run.name, run.attempts, run.notes)
            for at, run in enumerate(runs, 1)
        ]
    return list(runs)


def _printable(name: str) -> str:
    """A name that can be shown and can name a file."""
    return "".join(sign if sign.isprintable() else "_" for sign in name) or "run"


def load_trees(asked: Asked, definition: Definition) -> dict[str, Path]:
    """The folders of databases by tree; empty where the benchmark comes without databases."""
    original = asked.databases or definition.database_folder
    folders = {"original": original} if original is not None else {}
    named = [*((name, Path(path)) for name, path in _specs(asked.trees))]
    named += [(name, definition.root / path) for name, path in sorted(definition.trees.items())]
    for name, path in named:
        if name in folders and name != "original":
            raise BenchmarkError(f"two trees are called {name!r}")
        folders[name] = path
    if named and "original" not in folders:
        raise BenchmarkError("further trees need the original databases: name them (--databases)")
    return folders


def _specs(texts: Iterable[str]) -> Iterable[tuple[str, str]]:
    for text in texts:
        name, equals, folder = text.partition("=")
        if not (name and equals and folder):
            raise BenchmarkError(f"cannot read the tree {text!r}: expected NAME=DIR")
        yield name, folder
