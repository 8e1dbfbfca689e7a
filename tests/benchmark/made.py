"""Small benchmarks and runs, written to a folder for one test."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from benchmark.definition import Definition, defined

QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "1",
        "question": "Which shops are in Kiel?",
        "db": "shop",
        "sql": "SELECT name FROM shop WHERE town = 'Kiel'",
    },
    {
        "id": "2",
        "question": "How many shops are there?",
        "db": "shop",
        "sql": "SELECT count(*) FROM shop",
    },
]


def question_file(path: Path, rows: Sequence[Mapping[str, Any]] = QUESTIONS) -> Path:
    """The rows as csv, tsv, json or jsonl, by the file's suffix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix in (".csv", ".tsv"):
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(
                file, list(rows[0]), delimiter="\t" if path.suffix == ".tsv" else ","
            )
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        path.write_text(json.dumps(list(rows)))
    return path


def definition(folder: Path, file: str = "q.json", **fields: Any) -> Definition:
    """A definition over the question file in ``folder``."""
    named = {"question_id_key": "id", "db_key": "db", "gold_sql_key": "sql"} | fields
    return defined(
        {"name": "mine", "home": folder, "benchmark_path": ".", "question_file": file} | named,
        "test",
    )


def trajectory(path: Path, *nodes: Mapping[str, Any], status: str = "completed") -> None:
    """A trajectory file with those nodes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    workflow = {"workflow": {"status": status, "completion_time": 1.5, "nodes": list(nodes)}}
    path.write_text(yaml.safe_dump(workflow))


def output(success: bool = True, error: str | None = None, name: str = "n1") -> dict[str, Any]:
    """An output node."""
    return {
        "id": name,
        "type": "output",
        "result": {
            "success": success,
            "status": "completed" if success else "failed",
            "error": error,
        },
    }


def task_files(
    folder: Path,
    task_id: str,
    *,
    sql: str | None = None,
    csv_text: str | None = None,
    record: Mapping[str, Any] | None = None,
) -> None:
    """What an agent leaves of a task."""
    folder.mkdir(parents=True, exist_ok=True)
    if sql is not None:
        (folder / f"{task_id}.sql").write_text(sql)
    if csv_text is not None:
        (folder / f"{task_id}.csv").write_text(csv_text)
    if record is not None:
        (folder / f"{task_id}.json").write_text(json.dumps(record))
