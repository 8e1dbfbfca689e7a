"""The report: the same bytes again, nothing fetched or run, and no name of others that does harm."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from pairset.scores import plots
from pairset.scores.page import page
from pairset.scores.text import lines

EVIL = "<script>alert(1)</script>\x1b[31m$x_"
COUNTS: dict[str, Any] = {
    "databases": 2, "pairs": 10, "separated": 4, "unknown": 0, "golds": 3, "golds_empty": 1,
    "golds_failing": 0, "neighbors_failing": 0, "not_run": 0, "originally_separated": 5, "lost": 1,
    "catch_rate": 0.4, "low": 0.2, "high": 0.6, "macro_catch_rate": 0.5,
}  # fmt: skip


def rate(tree: str, grouping: str = "total", member: str = "", **more: str) -> dict[str, Any]:
    key = {"tree": tree, "grouping": grouping, "member": member}
    return {**key, "reading": "canonical", "without": "", **more, **COUNTS}


@pytest.fixture
def found() -> dict[str, Any]:
    trees = ["mine", EVIL]
    rates = [rate(tree) for tree in trees]
    rates += [rate(tree, reading="set") for tree in trees]
    rates += [
        rate(tree, without=flag)
        for flag in ("both_empty", "nondeterministic", "gold_cut", "gold_order_ties",
                     "gold_bare_column", "float_close", "all_of_these")
        for tree in trees
    ]  # fmt: skip
    rates += [rate(tree, "mutation_class", "join_changed") for tree in trees]
    counted = dict.fromkeys(("rows", "foreign_keys_broken", "null_in_keys", "wrong_types"), 0)
    counted |= {f"original_{name}": 0 for name in counted}
    return {
        "build": EVIL,
        "tied_set": {"pairs": 10, "left_out": {}, "audited": False, "sha256": "0" * 64},
        "lost_asked": True,
        "bootstrap": {"seed": 1, "resamples": 2000, "level": 0.95, "over": "databases"},
        "trees": [
            {
                "name": tree, "sha256": "1" * 64, "scores_sha256": "2" * 64, "databases": {"ok": 2},
                "not_scored": [{"dataset": "d", "db_id": EVIL, "status": "missing", "note": EVIL}],
                "not_of_the_build": [EVIL],
                "breaks": [{"dataset": "d", "db_id": EVIL, "breaks": [EVIL]}], "constraints": counted, "constraints_not_counted": {},
            }
            for tree in trees
        ],
        "catch_rates": rates,
        "tree_duels": [
            {"tree": "mine", "other": EVIL, "reading": "canonical", "pairs": 10, "won": 1,
             "lost": 2, "both": 3, "neither": 4, "p_value": 0.5}
        ],
    }  # fmt: skip


class Tags(HTMLParser):
    """The elements of a page, and what they would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.fetched += [
            value or ""
            for name, value in attrs
            if name in ("src", "href", "xlink:href", "action", "data")
            and not (value or "").startswith("#")
        ]


def test_the_same_report_gives_the_same_page(found: dict[str, Any]) -> None:
    assert page(found) == page(found)
    assert plots.totals(found) == plots.totals(found)


def test_the_page_runs_nothing_and_fetches_nothing(found: dict[str, Any]) -> None:
    text = page(found)
    tags = Tags()
    tags.feed(text)
    assert "script" not in tags.names
    assert {"table", "svg"} <= tags.names
    assert "fill: currentColor" in text
    assert tags.fetched == []
    assert re.findall(r"url\((?!#)|@import", text) == []


def test_a_hostile_name_is_text_on_the_page_and_harmless_on_a_terminal(
    found: dict[str, Any],
) -> None:
    assert "<script>" not in page(found)
    assert "&lt;script&gt;" in page(found)
    assert "\x1b" not in "\n".join(lines(found))


def test_numbers_of_the_report_stand_on_the_page_and_in_the_text(found: dict[str, Any]) -> None:
    for text in (page(found), "\n".join(lines(found))):
        for part in ("40.0 %", "20.0 to 60.0", "50.0 %", "0" * 64, "There is no audit"):
            assert part in text
