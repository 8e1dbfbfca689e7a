"""The package's README says what the code does."""

import re
from pathlib import Path

import pytest

import pairset.corpus
from pairset.config import LAYOUTS, load_config
from pairset.corpus.checks import CHECKS

HOME = Path(pairset.corpus.__file__).parent
README = (HOME / "README.md").read_text()
CODE = "\n".join(file.read_text() for file in sorted(HOME.rglob("*.py")))
TESTS = "\n".join(file.read_text() for file in sorted(Path(__file__).parent.glob("test_*.py")))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_and_every_key_of_it_is_explained(layout: str) -> None:
    assert f"| `{layout}` |" in README
    for key in LAYOUTS[layout].model_fields:
        assert key == "layout" or f"`{key}`" in README


def test_every_fault_is_explained_by_name() -> None:
    of_files = set(re.findall(r'(?:BadFile|Fault)\(\s*"(\w+)"', CODE))
    of_rows = {check.__name__ for check in CHECKS}
    tables = README.partition("| of a file |")[2].partition("An entry of")[0]
    first_cells = "".join(line.split("|")[1] for line in tables.splitlines() if line[:3] == "| `")
    assert of_files | of_rows == set(re.findall(r"`(\w+)`", first_cells))


def test_every_rule_names_its_test() -> None:
    named = re.findall(r"`(test_\w+)`", README.partition("## Rules")[2])
    assert len(named) > 10
    assert [name for name in named if f"def {name}(" not in TESTS] == []


def test_the_config_in_the_readme_loads(tmp_path: Path) -> None:
    for folder in ("spider", "bird/train"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("bird/train/train_ddl.json", "shop.csv"):
        (tmp_path / file).touch()
    text = README.partition("```toml\n")[2].partition("```")[0]
    (tmp_path / "pairset.toml").write_text(text)
    config = load_config(tmp_path / "pairset.toml", {})
    assert [corpus.layout for corpus in config.corpora] == ["spider", "bird", "tasks"]
