"""The README says what the code does."""

import re
import tomllib
from pathlib import Path

import db_execution
from db_execution.limits import LIMITS
from db_execution.protocol import ERROR_CLASSES

PACKAGE = Path(db_execution.__file__).parent
README = (PACKAGE / "README.md").read_text()
MEANINGS = {
    "ok": "it ran",
    "error": "the engine's own error",
    "timeout": "it was stopped",
    "too_large": "a value, the answer or the memory for it was",
    "refused": "it is not run here",
}


def table(mark: str) -> list[str]:
    """The rows between two marks, without the head."""
    return README.split(f"<!-- {mark} -->\n")[1].split(f"\n<!-- /{mark} -->")[0].split("\n")[2:]


def test_the_limits_are_those_of_the_code() -> None:
    rows = [
        f"| `{one.name}` | {one.default:,} | {one.maximum:,} | {one.unit} | {one.answer} |"
        for one in LIMITS.values()
    ]
    assert table("limits") == rows


def test_the_statuses_are_those_of_the_protocol() -> None:
    rows = [
        f"| `{status}` | {MEANINGS[status]} | {' '.join(f'`{name}`' for name in names)} |"
        for status, names in ERROR_CLASSES.items()
    ]
    assert table("statuses") == rows


def test_every_rule_names_a_test_that_is_there() -> None:
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    named = re.findall(r"`(test_\w+)`", README)
    assert len(named) > 15
    assert [name for name in named if f"def {name}(" not in tests] == []


def test_every_module_has_its_place() -> None:
    parts = README.split("## The parts")[1].split("##")[0]
    modules = {path.name for path in PACKAGE.glob("*.py")} - {"__init__.py"}
    missing = modules - set(re.findall(r"`(\w+\.py)`", parts)) - {"errors.py", "messages.py"}
    assert missing == set()


def test_the_image_installs_what_the_project_asks_for() -> None:
    asked = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["project"][
        "dependencies"
    ]
    installed = re.findall(
        r'"((?:apsw|starlette|uvicorn)\S+)"', (PACKAGE / "Dockerfile").read_text()
    )
    assert len(installed) == 3
    assert set(installed) <= set(asked)
