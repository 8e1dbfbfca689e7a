"""The package's page and its examples are true."""

import ast
import doctest
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sqltext
from sqltext.classify import ASPECTS

PACKAGE = Path(sqltext.__file__).parent
README = (PACKAGE / "README.md").read_text()
MODULES = sorted(module.name for module in pkgutil.iter_modules([str(PACKAGE)]))


def test_the_readmes_examples_hold() -> None:
    results = doctest.testfile(str(PACKAGE / "README.md"), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


def test_the_readme_explains_every_aspect_in_order() -> None:
    explained = re.findall(r"^\| `(\w+_(?:changed|dropped|added))` \|", README, re.MULTILINE)
    assert tuple(explained) == ASPECTS


def test_every_rule_names_tests_that_exist() -> None:
    sources = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    named = re.findall(r"`(test_\w+)`", README.split("## Rules")[1])
    assert len(named) > 15
    assert [name for name in named if f"def {name}(" not in sources] == []


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


@pytest.mark.parametrize("name", MODULES)
def test_only_the_standard_library_is_imported(name: str) -> None:
    assert set(imported(PACKAGE / f"{name}.py")) <= {"sqltext", *sys.stdlib_module_names}


@pytest.mark.parametrize("name", MODULES)
def test_every_module_and_public_name_says_what_it_is(name: str) -> None:
    tree = ast.parse((PACKAGE / f"{name}.py").read_text())
    public = [
        n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name[0] != "_"
    ]
    assert ast.get_docstring(tree)
    assert [node.name for node in public if not ast.get_docstring(node)] == []


@pytest.mark.parametrize("name", MODULES)
def test_modules_and_functions_stay_small(name: str) -> None:
    text = (PACKAGE / f"{name}.py").read_text()
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
    assert text.count("\n") <= 300
    assert all((node.end_lineno or 0) - node.lineno < 50 for node in functions)
