"""What the pages ask a reader to type is what the command line takes; their files are ones it reads."""

import ast
import re
from pathlib import Path

import pytest

from db_execution.endpoints import load_endpoints
from docs.commands import every
from pairset.config import ConfigError, load_config
from tests.docs.blocks import blocks, every_page, refusal, spoken, typed

PAGES = every_page()
GUIDES = [name for name in PAGES if "/howto/" in name]
CONFIGS = [(name, text) for name in GUIDES for text in blocks(PAGES[name], "toml")]


@pytest.mark.parametrize("name", PAGES)
def test_every_command_that_a_page_shows_can_be_typed(name: str) -> None:
    refused = {line: why for line in typed(PAGES[name]) if (why := refusal(line))}
    assert refused == {}


@pytest.mark.parametrize("name", PAGES)
def test_every_command_that_a_page_speaks_of_is_there(name: str) -> None:
    known = {"pairset --help": {"--help"}}
    known |= {called: {o for one in c.params for o in one.opts} for called, c in every().items()}
    groups = {called.rsplit(" ", 1)[0] for called in known}
    wrong = []
    for span, words in spoken(PAGES[name]):
        options = [word for word in words if word.startswith("--")]
        names = [word for word in words if not word.startswith("--")]
        called = next(
            (
                c
                for c in (f"pairset {' '.join(names[:n])}" for n in (2, 1))
                if c in known | dict.fromkeys(groups)
            ),
            "",
        )
        if not called or not set(options) <= known.get(called, set()):
            wrong.append(span)
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("pairset rum", "no command rum"),
        ("pairset tree prune", "no command prune"),
        ("pairset run --wrokers 2", "--wrokers"),
        ("pairset run --workers many", "--workers"),
        ("pairset diff one", "NEW"),
        ("make sight", "no target sight"),
        ("python -m bench.nothing", "no module"),
        ("rm -r data", "not known here"),
        ("TOKEN=a pairset rum", "no command rum"),
        ("cd data && pairset rum", "no command rum"),
        ("pairset manifest --json | pairset rum > file", "no command rum"),
    ],
)
def test_a_command_that_cannot_be_typed_is_found(line: str, why: str) -> None:
    assert why in (refusal(line) or "")


def test_variables_pipes_and_files_are_no_commands() -> None:
    assert refusal("TOKEN=a pairset run --json > result.json  # one line") is None
    assert refusal("pairset tree check trees/a && pairset scores --tree a=trees/a") is None


def test_every_how_to_shows_something_to_type() -> None:
    assert len(GUIDES) >= 9
    assert [
        name for name in GUIDES if not list(typed(PAGES[name])) and "cron" not in PAGES[name]
    ] == []


@pytest.mark.parametrize("config", CONFIGS, ids=[name for name, _ in CONFIGS])
def test_every_config_of_a_how_to_is_read(config: tuple[str, str], tmp_path: Path) -> None:
    _, text = config
    for key, path in re.findall(r'^(path|databases|file|endpoints) = "(.+)"', text, re.MULTILINE):
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir(exist_ok=True) if key in ("path", "databases") else place.write_text("[]")
    file = tmp_path / "a.toml"
    file.write_text(text)
    assert load_config(file, {}).corpora
    file.write_text(re.sub(r"^(\w+) =", r"\1s =", text, count=1, flags=re.MULTILINE))
    with pytest.raises(ConfigError):
        load_config(file, {})


def test_the_list_of_endpoints_in_the_how_to_is_one_that_is_read(tmp_path: Path) -> None:
    [text] = blocks(PAGES["docs/pages/howto/service.md"], "json")
    file = tmp_path / "endpoints.json"
    file.write_text(text)
    assert [one.datasets for one in load_endpoints(file)] == [("spider",), ("spider",)]


def test_python_in_a_how_to_is_python() -> None:
    shown = [text for name in GUIDES for text in blocks(PAGES[name], "python")]
    assert shown
    assert all(ast.parse(text).body for text in shown)
