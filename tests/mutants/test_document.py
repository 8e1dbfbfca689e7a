"""The README says what the operators say."""

from __future__ import annotations

from pathlib import Path

import mutants
from mutants.document import document
from mutants.grammar import GRAMMAR
from tests.mutants.schema import EXAMPLE_DDL

_README = Path(mutants.__path__[0]) / "README.md"


def test_table_is_what_the_operators_say() -> None:
    readme = _README.read_text(encoding="utf-8")
    assert document(readme) == readme, "mutants/README.md is old: python -m mutants.document"


def test_every_operator_is_in_the_readme() -> None:
    readme = _README.read_text(encoding="utf-8")
    assert all(f"`{rule.name}`" in readme for rule in GRAMMAR)


def test_tables_of_the_examples_are_those_of_the_tests() -> None:
    readme = _README.read_text(encoding="utf-8")
    for created in EXAMPLE_DDL.split(";")[:-1]:
        columns = " ".join(created.split("(", 1)[1].rsplit(")", 1)[0].split())
        assert f"({columns})" in readme
