"""The page says what is so: its examples run, its numbers are the code's, its tests exist."""

import re
from typing import Any, get_args

from db_execution.sandbox import EPISODE
from investigation.actions import OPS
from investigation.episode import ACTIONS, Reason
from investigation.grading import TOLERANCE
from investigation.showing import CELL_CHARACTERS, CHARACTERS
from investigation.siblings import TRIES
from tests.shared_data import ROOT

PAGE = (ROOT / "investigation" / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_every_rule_has_its_test() -> None:
    tests = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("*.py"))
    named = re.findall(r"`(test_\w+)`", PAGE)
    assert len(named) > 20
    assert [name for name in named if f"def {name}(" not in tests] == []


def test_the_example_of_the_environment_runs() -> None:
    [example] = [text for text in EXAMPLES if "journal=print" in text]
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["seen"].columns == ("count(*)",)
    assert (names["end"].done, names["end"].reward) == (True, 0.0)


def test_the_limits_are_those_of_an_episode() -> None:
    for number in (EPISODE.sql_characters, EPISODE.vm_steps, CELL_CHARACTERS, CHARACTERS):
        assert f"{number:,}" in PAGE
    said = " ".join(PAGE.split())
    assert f"An episode has {ACTIONS} actions" in said
    assert f"{EPISODE.rows} rows and {EPISODE.columns} columns" in said
    assert f"{EPISODE.value_bytes // 1024} KiB, and" in said
    assert f"at most {EPISODE.expansion} copies" in said
    assert f"{EPISODE.heap_bytes // 1024**2} MiB for the process" in said
    assert EPISODE.wall_ms == 1_000
    assert f"within {TOLERANCE:.4f}" in said
    assert f"among {TRIES} seeds" in said


def test_every_action_and_reason_is_described() -> None:
    parts = [get_args(part) or (part,) for part in get_args(Reason)]
    for word in [*OPS, *[str(word) for part in parts for word in part]]:
        assert f"`{word}`" in PAGE, word
