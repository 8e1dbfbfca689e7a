"""A small benchmark with a file a round, played once for the tests that only look."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmark.agents import AgentSettings
from benchmark.loading import Asked
from benchmark.rounds import Rounds, play_rounds
from benchmark.rounds.play import Plan
from benchmark.running_work import Wish
from db_execution.writer import write_database
from tests.benchmark.judging import SHOP
from tests.benchmark.made import question_file

GOLDS = {
    "always": "SELECT name FROM shop",
    "never": "SELECT town FROM shop",
    "once": "SELECT count(*) FROM shop",
    "flips": "SELECT size FROM shop",
    "gold": "SELECT nothing FROM shop",
    "skipped": "SELECT 1",
    "=cmd": "SELECT 'x'",
}
ROUNDS: list[dict[str, str | None]] = [
    {"always": "SELECT name FROM shop ORDER BY 1", "never": "SELECT 5 FROM shop", "once": "SELECT 4", "flips": "SELECT size FROM shop", "gold": "SELECT 1", "=cmd": "SELECT 'x'"},
    {"always": "SELECT name, town FROM shop", "never": "SELECT x", "once": "SELECT 3", "flips": None, "gold": "SELECT 1", "=cmd": "=cmd|' /C calc'!A0"},
    {"always": "SELECT name FROM shop", "never": "SELECT id FROM shop", "once": "SELECT 4", "flips": "SELECT size FROM shop", "gold": "SELECT 1", "=cmd": "@SUM(1)"},
]  # fmt: skip
STATUSES = {
    "always": ["Matched"] * 3,
    "never": ["Result Mismatch", "Gen SQL Failed", "Result Mismatch"],
    "once": ["Table Mismatch", "Matched", "Table Mismatch"],
    "flips": ["Matched", "Gen SQL Failed", "Matched"],
    "gold": ["Gold SQL Failed"] * 3,
    "skipped": ["Not Executed"] * 3,
    "=cmd": ["Matched", "Gen SQL Failed", "Gen SQL Failed"],
}


def written(home: Path, rounds: Sequence[dict[str, str | None]] = ROUNDS) -> Asked:
    """Write the benchmark and the files; what to ask for."""
    rows = [
        {"id": name, "question": f"=HYPERLINK({name})", "db": "shop", "sql": gold}
        for name, gold in GOLDS.items()
    ]
    question_file(home / "q.json", rows)
    (home / "b.toml").write_text(
        '[benchmark.mine]\nbenchmark_path = "."\nquestion_file = "q.json"\nquestion_id_key = "id"\n'
        'db_key = "db"\ngold_sql_key = "sql"\ndatabases = "db"\n'
    )
    write_database(home / "db" / "shop" / "shop.sqlite", SHOP)
    for at, queries in enumerate(rounds):
        lines = (json.dumps({"task_id": name, "sql": sql}) for name, sql in queries.items())
        (home / f"said{at}.jsonl").write_text("\n".join(lines))
    return Asked(benchmark="mine", definition=home / "b.toml")


def played(home: Path, asked: Asked, **more: Any) -> Rounds:
    """Play three rounds, or go on with them."""
    agent = AgentSettings(predictions=str(home / "said{round}.jsonl"))
    plan = Plan(**{"home": home / "out", "rounds": 3, **more})
    return play_rounds(asked, agent, plan, Wish(workers=2))
