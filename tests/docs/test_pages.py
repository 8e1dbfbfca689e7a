"""The pages made from the code have all that the code declares."""

import re

import pytest

from docs import PAGES
from docs.commands import every
from docs.commands import page as commands_page
from docs.generate import pages, written
from docs.markdown import introduction, section, table, title
from docs.repository import with_links
from docs.stages import page as stages_page
from docs.tables import page as tables_page
from flows.parts import of_pairset
from pairset.schema import TABLES
from tests.test_architecture import commands

WRITTEN = {path.name: path.read_text() for path in sorted(PAGES.rglob("*.md"))}
TEMPLATE = re.compile(r"\{[{%].*?[%}]\}|^```.*?^```|`[^`\n]+`", re.DOTALL | re.MULTILINE)
FIGURE = re.compile(r"\b\d+(?:\.\d+)? ?%|\b\d[\d,]*,\d{3}\b|\b\d{3,}\b")
KNOWN = {"100 %", "95 %"}  # all of something, and the level of an interval


def test_every_command_has_its_options_and_what_they_do() -> None:
    assert list(every()) == list(commands())
    page = commands_page()
    for called, command in every().items():
        own = section(page, called)
        assert (command.help or "").split()[0] in own
        for one in command.params:
            is_option = one.opts[0].startswith("-")
            assert f"`{one.opts[0] if is_option else one.metavar}" in own, (called, one)
            words = one.help.replace("<", "&lt;").replace(">", "&gt;")
            assert words, (called, one)
            assert " ".join(words.split()).replace("|", "\\|") in own, (called, one)


def test_a_default_is_shown_and_what_must_be_given_is_marked() -> None:
    own = section(commands_page(), "pairset db serve")
    assert re.search(r"`--tree NAME=DIR` .*\| must be given \|", own)
    assert re.search(r"`--host ADDRESS` .*\| `127.0.0.1` \|", own)


@pytest.mark.parametrize("name", TABLES)
def test_every_column_is_shown_with_its_type_and_told(name: str) -> None:
    own = section(tables_page(), name)
    rows = re.findall(r"^\| (`.+?`) \| (.+?) \| (.*) \|$", own, re.MULTILINE)
    shown = [column for columns, *_ in rows for column in re.findall(r"\w+", columns)]
    assert shown == TABLES[name].schema.names
    assert [columns for columns, _, words in rows if not words.strip()] == []
    assert all(f"`{column}`" in own.split("Key: ")[1].split("\n")[0] for column in TABLES[name].key)


def test_every_stage_says_what_it_reads_and_writes() -> None:
    page = stages_page()
    stages = of_pairset().stages
    assert len(stages) > 5
    for stage in stages:
        own = section(page, stage.name)
        assert all(f"[{table}](tables.md#{table})" in own for table in stage.tables)
        assert all(f"[{table}](tables.md#{table})" in own for table in getattr(stage, "reads", ()))
        assert f"| runs queries | {'yes' if stage.asks_executor else 'no'} |" in own


@pytest.mark.parametrize("name", WRITTEN)
def test_no_page_has_a_figure_typed_in(name: str) -> None:
    assert set(FIGURE.findall(TEMPLATE.sub("", WRITTEN[name]))) - KNOWN == set()


def test_a_figure_that_is_typed_in_is_found() -> None:
    assert FIGURE.findall(TEMPLATE.sub("", "of 958,055 pairs {{ 17 }} 31 %, 4079 `100`")) == [
        *("958,055", "31 %", "4079"),
    ]


def test_a_figure_that_is_not_there_is_an_error() -> None:
    with pytest.raises(Exception, match="has no attribute"):
        written({"total": {}, "labels": {}, "corpora": []})


def test_the_figures_are_on_the_page_of_the_method() -> None:
    made = pages()["method.md"]
    assert "{{" not in made
    assert len(re.findall(r"\d[\d,]*,\d{3}\b", made)) > 50


def test_a_link_leads_to_the_page_that_the_site_has() -> None:
    text = (
        "[a](../mutants/README.md#the-operators) [schema.py](schema.py) [b](https://x.org) `[c](d)`"
    )
    assert with_links(text, "pairset/README.md", "packages/pairset.md") == (
        "[a](mutants.md#the-operators) `pairset/schema.py` [b](https://x.org) `[c](d)`"
    )


def test_a_link_to_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing.md, which is not there"):
        with_links("[a](nothing.md)", "pairset/README.md", "packages/pairset.md")


def test_a_part_of_a_page_ends_where_the_next_begins() -> None:
    text = "# A\n\nfirst\n\n## B\n\n```\n# no heading\n```\n\n### C\n\nthird\n\n## D\n\nlast\n"
    assert title(text) == "A"
    assert introduction(text) == "first\n"
    assert section(text, "B").endswith("third\n")
    assert section(text, "D") == "last\n"
    with pytest.raises(ValueError, match="no heading 'E'"):
        section(text, "E")


def test_a_bar_ends_no_cell() -> None:
    assert table(["a"], [["x | y"]]) == "| a |\n| --- |\n| x \\| y |\n"
