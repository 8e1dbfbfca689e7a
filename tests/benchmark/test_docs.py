"""The package's page is true."""

import re

from tests.shared_data import ROOT


def test_every_rule_names_a_test_that_is_there() -> None:
    page = (ROOT / "benchmark" / "README.md").read_text().partition("## Rules")[2]
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    named = [name for name in re.findall(r"`(test_\w+)`", page) if name != "test_suite"]
    assert len(named) > 15
    assert [name for name in named if f"def {name}(" not in tests] == []
