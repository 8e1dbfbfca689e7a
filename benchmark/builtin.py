"""Benchmarks whose layout is known: only where they lie has to be said."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmark.definition import Definition, defined
from benchmark.errors import BenchmarkError

BUILT_IN: Mapping[str, Mapping[str, Any]] = {
    "bird_dev": {
        "question_file": "dev.json",
        "question_id_key": "question_id",
        "db_key": "db_id",
        "ext_knowledge_key": "evidence",
        "gold_sql_key": "SQL",
        "difficulty_key": "difficulty",
        "id_alias": "bird-dev-{:05d}",
        "databases": "dev_databases",
    },
    "spider_dev": {
        "question_file": "dev.json",
        "db_key": "db_id",
        "gold_sql_key": "query",
        "id_alias": "spider-dev-{:05d}",
        "databases": "database",
    },
    "spider2": {
        "question_file": "spider2-snow.jsonl",
        "question_id_key": "instance_id",
        "question_key": "instruction",
        "db_key": "db_id",
        "gold_sql_path": "evaluation_suite/gold/sql",
        "gold_result_path": "evaluation_suite/gold/exec_result",
    },
}
"""By name: what `Definition` needs but for the folder."""


def built_in(name: str, folder: Path) -> Definition:
    """The benchmark of that name, as it lies in ``folder``."""
    if name not in BUILT_IN:
        raise BenchmarkError(
            f"no benchmark {name!r} is built in; there are: sample, {', '.join(BUILT_IN)}"
        )
    fields = {**BUILT_IN[name], "name": name, "home": folder, "benchmark_path": "."}
    return defined(_where_they_lie(fields, folder), name)


def _where_they_lie(fields: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Spider 2 comes with its golds at two depths, and with questions under three names."""
    if fields["name"] != "spider2":
        return fields
    names = ("spider2-snow.jsonl", "spider2-lite.jsonl", "spider2.jsonl")
    there = [name for name in names if (folder / name).is_file()]
    homes = ("evaluation_suite/gold", "gold", ".")
    home = next((one for one in homes if (folder / one / "exec_result").is_dir()), homes[0])
    return fields | {
        "question_file": there[0] if there else names[0],
        "gold_sql_path": f"{home}/sql" if (folder / home / "sql").is_dir() else "",
        "gold_result_path": f"{home}/exec_result",
    }
