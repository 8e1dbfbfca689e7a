"""The investigation families as a benchmark: what neither package knows of the other.

``investigation`` has ten instances of each family, ``investigation:N`` has N. A question is an
instance's instruction, its gold the oracle SQL, and every instance has a database of its own.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark.errors import BenchmarkError, shown
from db_execution.writer import write_database
from pairset.files import write_text

NAME = "investigation"
SEEDS = 10
MOST_SEEDS = 1_000
DEFINITION = f"""[benchmark.{NAME}]
benchmark_path = "."
question_file = "questions.jsonl"
question_id_key = "id"
question_key = "instruction"
db_key = "id"
gold_sql_key = "oracle_sql"
difficulty_key = "family"
databases = "databases"
"""


def named(benchmark: str, definition: Path | None, folder: Path) -> tuple[str, Path | None]:
    """The benchmark's name and the file that defines it; the families are written to ``folder``."""
    name, colon, count = benchmark.partition(":")
    if name != NAME or definition is not None:
        return benchmark, definition
    return NAME, write_families(folder, _seeds(count) if colon else SEEDS)


def _seeds(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= MOST_SEEDS):
        raise BenchmarkError(
            f"{NAME}:{text}: {shown(text)} is no number of instances a family, 1 to {MOST_SEEDS}"
        )
    return int(text)


def write_families(folder: Path, seeds: int) -> Path:
    """Write questions and databases of seeds 0, 1... of every family; the definition's file."""
    lines = [json.dumps(one, ensure_ascii=False) + "\n" for one in _tasks(folder, seeds)]
    write_text(folder / "questions.jsonl", "".join(lines))
    write_text(folder / "benchmark.toml", DEFINITION)
    return folder / "benchmark.toml"


def _tasks(folder: Path, seeds: int) -> Iterator[dict[str, Any]]:
    from investigation.families import FAMILIES, draw
    from investigation.scripts import script

    for family in FAMILIES:
        for seed in range(seeds):
            instance, name = draw(family, seed), f"{family}-{seed}"
            path = folder / "databases" / name / f"{name}.sqlite"
            if failed := write_database(path, script(instance.tables)):
                raise AssertionError(f"{name}: {failed[0]}")
            yield {
                "id": name,
                "family": family,
                "instruction": instance.instruction,
                "oracle_sql": instance.oracle_sql,
            }
