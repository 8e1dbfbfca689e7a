"""The embedded benchmark: the sample corpus's questions, its databases, and three small systems.

``careful`` writes the golds in other words, ``hasty`` writes what is easily taken for them, and
``sleepy`` leaves some questions out, has no SQL for some, and SQL that does not run for others.
"""

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchmark.definition import Definition, defined
from db_execution.writer import write_database
from pairset.corpus import sample as sample_package
from pairset.corpus import sample_scripts
from pairset.files import write_text

SYSTEMS = ("careful", "hasty", "sleepy")
FIELDS = {
    "name": "sample",
    "benchmark_path": ".",
    "question_file": "questions.json",
    "question_id_key": "sample_id",
    "db_key": "db_id",
    "ext_knowledge_key": "evidence",
    "gold_sql_key": "gold",
    "databases": "databases",
}


def write_sample(folder: Path) -> Definition:
    """Write questions, databases and ``predictions/{system}.jsonl`` to ``folder``."""
    questions = _questions()
    write_text(
        folder / "questions.json", json.dumps(questions, ensure_ascii=False, indent=1) + "\n"
    )
    for db_id, script in sample_scripts().items():
        write_database(folder / "databases" / db_id / f"{db_id}.sqlite", script)
    for system in SYSTEMS:
        lines = (json.dumps(line, ensure_ascii=False) for line in _predicted(system, questions))
        write_text(
            folder / "predictions" / f"{system}.jsonl", "".join(f"{line}\n" for line in lines)
        )
    return defined({**FIELDS, "home": folder}, "sample")


def _questions() -> list[dict[str, Any]]:
    text = (files(sample_package) / "questions.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)["questions"]
    return found


def _predicted(system: str, questions: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for position, one in enumerate(questions):
        if system == "sleepy" and position % 9 == 8:
            continue
        sql = _sql(system, one, position)
        yield {"task_id": one["sample_id"], "db_id": one["db_id"], "sql": sql}


def _sql(system: str, question: Mapping[str, Any], position: int) -> str | None:
    by_kind = {one["kind"]: one["sql"] for one in reversed(question["references"])}
    if system == "careful":
        kind = "rewrite"
    elif system == "hasty":
        kind = "near_miss"
    elif position % 7 == 6:
        return None
    else:
        kind = "broken"
    return str(by_kind.get(kind) or question["gold"])
