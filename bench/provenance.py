"""Provenance held against truth, and its speed: `python -m bench.provenance --corpora DIR`.

Prints JSON lines: the definition of record and the better score against truth.jsonl of the sample
in the FINER layout, its repair, and the audit of a corpus as large as the real one. The last line
has the figures of all. Only this bench reads the truth; nothing that it measures does.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.provenance_repair import repair_against
from bench.provenance_truth import Truth, read_truth, record_against, score_against
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from flows.parts import of_pairset
from pairset.build import Build
from pairset.config import load_config
from pairset.trees import ORIGINAL, SCHEMA, tree_specs
from pairset.work import make

_CONFIG = """
[[corpora]]
name = "finer"
layout = "finer"
path = "{path}"
split = "dev"
databases = "{corpora}/spider/database"
allow_evaluation_data = true

[generators.mutants]
enabled = false
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line a measurement."""
    parser = argparse.ArgumentParser(prog="python -m bench.provenance", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with finer_sample/")
    parser.add_argument("--samples", type=int, default=18_087, help="of the large corpus")
    parser.add_argument("--references", type=int, default=240_000, help="of the large corpus")
    asked = parser.parse_args(arguments)
    corpora = asked.corpora.resolve()
    truth = read_truth(corpora / "finer_sample" / "truth.jsonl")
    with tempfile.TemporaryDirectory() as folder:
        found = _against_truth(corpora, Path(folder), truth)
    found |= _told(_large(corpora, asked.samples, asked.references))
    print(json.dumps(found))


def _against_truth(corpora: Path, folder: Path, truth: Truth) -> dict[str, Any]:
    corpus = corpora / "finer_sample" / "dataset"
    with built(corpora, corpus, folder / "build") as build:
        record, score = record_against(build, truth), score_against(build, truth)
        _told(record), _told(score)
        repaired = repair_against(build, folder / "repaired", truth)
    with built(corpora, folder / "repaired", folder / "again") as build:
        again = repair_against(build, folder / "twice", None)
    repaired["repaired_again_changes"] = again["samples_changed"] + again["removed"]
    return record | score | _told(repaired)


@contextmanager
def built(corpora: Path, corpus: Path, root: Path) -> Iterator[Build]:
    """A build of a dataset without mutants, every stage made, its executor still there."""
    root.mkdir()
    config = root / "config.toml"
    config.write_text(_CONFIG.format(corpora=corpora, path=corpus))
    build = Build(load_config(config, {}), root)
    with Embedded(tree_specs(build.config, root), workers=1, log=root / "log") as service:
        trees = (ORIGINAL, SCHEMA)
        asking = replace(build, endpoints=tuple(Endpoint(service.url, tree) for tree in trees))
        for stage in of_pairset().stages:
            make(stage, asking, stage.units(asking))
        yield asking


def _large(corpora: Path, samples: int, references: int) -> dict[str, Any]:
    """The audit of a large corpus, in a process of its own: its memory is nobody else's."""
    numbers = ["--samples", str(samples), "--references", str(references)]
    words = ["-m", "bench.provenance_large", "--corpora", str(corpora), *numbers]
    done = subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _told(found: dict[str, Any]) -> dict[str, Any]:
    print(json.dumps(found), flush=True)
    return found


def peak_mib() -> int:
    """The most memory that this process has had, in MiB."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    main()
