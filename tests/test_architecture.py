"""The house rules that no linter knows: sizes, module docstrings, clean texts, docs that are whole."""

import ast
import re
import tomllib
from collections.abc import Iterator
from statistics import median

import pytest

from flows.cli.app import app
from pairset.schema import TABLES
from tests.shared_data import ROOT

PACKAGES = (
    *("flows", "provenance", "benchmark", "investigation", "review"),
    *("pairset", "mutants", "sqltext", "db_execution", "bench", "docs"),
)
MADE = re.compile(r"\.(?!ci$).*|build|data|__pycache__|.*\.egg-info")  # folders
TEXTS = {".py", ".md", ".toml", ".sql", ".json", ".jsonl", ".lock", ".yaml", ".yml", ""}
NOT_FOR_OTHERS = re.compile(
    r"https?://[^\s\"']*(pypi|pythonhosted|artifactory|nexus)"  # a registry
    r"|(?<![\w.:])/(root|home|Users|work|opt)/\w"  # a path of one machine
    r"|\bwork[t]ree|\bsub-?[a]gent",  # a word of the workplace
    re.IGNORECASE,
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules() -> Iterator[tuple[str, ast.Module, int]]:
    """Every module of the packages: its path, its syntax, its lines."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text()
            yield str(path.relative_to(ROOT)), ast.parse(text), text.count("\n")


def functions() -> Iterator[tuple[str, Function]]:
    """Every function of the packages, with its place."""
    for path, module, _ in modules():
        for node in ast.walk(module):
            if isinstance(node, Function):
                yield f"{path}:{node.lineno} {node.name}", node


def lines_of(function: Function) -> int:
    """The lines of a function; its docstring is not counted as code."""
    first = function.body[0]
    has_doc = ast.get_docstring(function, clean=False) is not None
    doc = (first.end_lineno or 0) - first.lineno + 1 if has_doc else 0
    return (function.end_lineno or 0) - function.lineno + 1 - doc


def texts() -> Iterator[tuple[str, str]]:
    """Every text file of the project that is written, not made."""
    for path in sorted(ROOT.rglob("*")):
        folders = path.relative_to(ROOT).parts[:-1]
        is_made = path.name == ".git" or any(MADE.fullmatch(folder) for folder in folders)
        if path.is_file() and path.suffix in TEXTS and not is_made:
            yield str(path.relative_to(ROOT)), path.read_text(errors="replace")


def commands() -> Iterator[str]:
    """Every command as it is typed."""
    for command in app.registered_commands:
        yield f"pairset {command.name}"
    for group in app.registered_groups:
        assert group.typer_instance is not None
        for command in group.typer_instance.registered_commands:
            yield f"pairset {group.name} {command.name}"


def test_a_function_is_short() -> None:
    sizes = {place: lines_of(function) for place, function in functions()}
    assert median(sizes.values()) <= 10
    assert [place for place, size in sizes.items() if size > 50] == []


def test_a_file_is_short() -> None:
    assert [path for path, _, lines in modules() if lines > 300] == []


def test_a_module_says_what_it_is() -> None:
    assert [path for path, module, _ in modules() if not ast.get_docstring(module)] == []


def test_no_text_names_a_registry_a_machine_or_a_workplace() -> None:
    found = [(path, NOT_FOR_OTHERS.search(text)) for path, text in texts()]
    assert [(path, match[0]) for path, match in found if match] == []


def test_the_lock_file_has_hashes_and_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert re.findall(r"://|^-", lock, re.MULTILINE) == []
    entries = re.split(r"\n(?=\S)", lock.strip())
    assert len(entries) > 50
    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


def test_the_lock_file_has_all_that_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[^\w-]", one)[0] for one in asked}
    locked = re.findall(
        r"^([\w-]+)(?:\[[^]]*\])?==", (ROOT / "requirements.lock").read_text(), re.MULTILINE
    )
    assert names - set(locked) == set()


def test_the_readme_has_every_command() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [command for command in commands() if f"`{command}`" not in readme] == []


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_described(table: str) -> None:
    page = (ROOT / "pairset" / "README.md").read_text()
    described = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`\n]+`", page))))
    assert re.search(rf"\b{table}\b", page)
    assert set(TABLES[table].schema.names) - described == set()


def test_every_package_has_a_page() -> None:
    pages = [ROOT / package / "README.md" for package in PACKAGES if package != "bench"]
    assert [page.parent.name for page in pages if not page.exists()] == []
