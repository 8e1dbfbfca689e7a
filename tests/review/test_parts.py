"""The parts of the page by themselves: marks, what is made visible, facets, answers side by side."""

import re
from contextlib import ExitStack
from html import unescape
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from db_execution.cells import RawText
from db_execution.client import Client
from db_execution.protocol import Answer, Query
from pairset.build import Build
from pairset.config.parts import Executor
from review.access import host_name
from review.answers import Answers, Asking
from review.app import _inside
from review.facets import facet
from review.filters import Filters
from review.finder import Found
from review.index import load
from review.marks import MAX_TOKENS, Pieces, marks
from review.pairs import Pair
from review.visible import cell_kind, cell_text, marked, plain, visible
from tests.pairset.sample_build import frame

SQL = st.text(alphabet="select from t1 '\"(),=*<>-\u00e9\u202e", max_size=60)


def text(pieces: Pieces) -> str:
    return "".join(piece for _, piece in pieces)


def differing(pieces: Pieces) -> list[str]:
    return [piece for differs, piece in pieces if differs]


@given(SQL, SQL, st.integers(-3, 70), st.integers(-3, 70))
def test_what_is_not_marked_is_the_same_on_both_sides(
    gold: str, other: str, start: int, end: int
) -> None:
    for edit in ((None, None), (start, end)):
        found = marks(gold, other, edit)
        assert (text(found.gold), text(found.neighbor)) == (gold, other)
        same = [_unmarked(found.gold), _unmarked(found.neighbor)]
        assert same[0] == same[1] or "--" in gold + other


def _unmarked(pieces: Pieces) -> str:
    """What two texts have in common, but for blanks between tokens."""
    return "".join("".join(piece for differs, piece in pieces if not differs).split())


@given(SQL)
def test_equal_queries_have_no_marks(sql: str) -> None:
    found = marks(sql, sql)
    assert differing(found.gold) == differing(found.neighbor) == []


def test_a_mutants_own_edit_is_marked_whole() -> None:
    gold, other = "SELECT max(a) FROM t", "SELECT min(a) FROM t"
    by_edit = marks(gold, other, (7, 13))
    assert (differing(by_edit.gold), differing(by_edit.neighbor)) == (["max(a)"], ["min(a)"])
    by_token = marks(gold, other)
    assert (differing(by_token.gold), differing(by_token.neighbor)) == (["max"], ["min"])


def test_an_edit_that_is_not_this_neighbours_is_not_believed() -> None:
    found = marks("SELECT a FROM t", "SELECT b FROM u", (7, 8))
    assert (differing(found.gold), differing(found.neighbor)) == (["a", "t"], ["b", "u"])


def test_what_was_taken_away_is_marked_on_its_side_alone() -> None:
    found = marks("SELECT DISTINCT a FROM t WHERE b = 'x y'", "SELECT a FROM t")
    assert differing(found.gold) == ["DISTINCT", "WHERE b = 'x y'"]
    assert differing(found.neighbor) == []


def test_a_very_long_query_is_marked_as_one_piece_and_soon() -> None:
    head = "SELECT " + ", ".join(["a"] * MAX_TOKENS)
    found = marks(f"{head}, b FROM t", f"{head}, c FROM t")
    assert (differing(found.gold), differing(found.neighbor)) == (["b"], ["c"])


@given(st.text(max_size=50))
def test_visible_text_is_the_text_and_has_no_markup_of_its_own(given: str) -> None:
    shown = str(visible(given))
    assert set(re.findall(r"<[^>]*>", shown)) <= {'<span class="unseen">', "</span>"}
    back = re.sub(
        r'<span class="unseen">U\+([0-9A-F]+)</span>', lambda m: chr(int(m[1], 16)), shown
    )
    assert re.sub("&#39;|&#34;|&amp;|&lt;|&gt;", lambda m: unescape(m[0]), back) == given


@pytest.mark.parametrize(
    "hidden", ["\u202e", "\u2066", "\u200b", "\u0000", "\x1b", "\r", "\ufeff", "\U000e0041", "\x85"]
)
def test_what_shows_nothing_is_shown_as_its_number(hidden: str) -> None:
    assert hidden not in visible(f"a{hidden}b")
    assert f"U+{ord(hidden):04X}" in visible(f"a{hidden}b")
    assert hidden not in plain(f"a{hidden}b")
    assert str(visible("a\n\tb")) == "a\n\tb"


def test_marks_hold_escaped_text() -> None:
    assert str(marked([(False, "a<"), (True, "<b>")])) == "a&lt;<mark>&lt;b&gt;</mark>"


def test_cells_are_told_apart_and_cut() -> None:
    cells = [None, 1, 1.5, "NULL", b"\x00\xff", RawText(b"a\xff"), "x" * 9_000]
    assert [cell_kind(cell) for cell in cells] == [
        "null", "number", "number", "text", "blob", "text", "text",
    ]  # fmt: skip
    assert [cell_text(cell) for cell in cells[:6]] == [
        "NULL", "1", "1.5", "NULL", "X'00FF'", "a\\xff",
    ]  # fmt: skip
    assert len(cell_text("x" * 9_000)) == 401
    assert len(cell_text(b"x" * 9_000)) <= 404


def test_a_facet_counts_lists_by_their_members() -> None:
    found = facet("flag", pl.Series(["a+b", "b", "none", "b+b"]), "+")
    assert found.counts(None) == [("a", 1), ("b", 3), ("none", 1)]
    assert found.mask("b").tolist() == [True, True, False, True]
    assert found.counts(found.mask("a")) == [("a", 1), ("b", 1)]
    assert found.mask("unknown").tolist() == [False] * 4
    assert found.text(0) == "a+b"


def test_the_rows_beside_one_that_is_left_out_are_found_all_the_same() -> None:
    found = Found(np.array([2, 5, 9]))
    assert found.beside(5) == (2, 9)
    assert found.beside(6) == (5, 9)
    assert found.beside(0) == (None, 2)
    assert found.beside(9) == (5, None)
    assert (found.at(5), found.at(6)) == ((1, True), (2, False))


def test_filters_go_through_an_address_and_back() -> None:
    asked = {"label": "tied", "q": "a & b = 'c' \u202e", "verdict": "none yet"}
    filters = Filters.of({**asked, "page": "2", "class": "", "unknown": "x"})
    from urllib.parse import parse_qsl

    assert Filters.of(dict(parse_qsl(filters.query()[1:]))) == filters
    assert dict(parse_qsl(filters.query(page=3)[1:])) == {**asked, "page": "3"}
    assert Filters().query() == ""


def test_an_address_that_leads_elsewhere_is_not_followed() -> None:
    for to in (
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "",
        "/a\r\nb",
        "javascript:x",
    ):
        assert _inside(to) == "/"
    assert _inside("/pair/x?q=a") == "/pair/x?q=a"


def test_the_name_of_a_host_is_read_without_its_port() -> None:
    assert [host_name(host) for host in ("a:1", "[::1]:2", "::1", "LocalHost", "")] == [
        "a", "::1", "", "localhost", "",
    ]  # fmt: skip


def test_the_index_says_what_the_tables_say(made: Build) -> None:
    index, pairs = load(made), frame(made, "pairs")
    assert index.rows == pairs.height
    assert index.neighbors.to_list() == pairs.get_column("neighbor_sql").to_list()
    assert index.golds.get_column("gold_sql").gather(index.gold_of).to_list() == (
        pairs.get_column("gold_sql").to_list()
    )
    ids = pairs.get_column("pair_id").to_list()
    assert [index.id_of(row) for row in range(index.rows)] == ids
    assert [index.row_of(one) for one in ids[::37]] == list(range(0, index.rows, 37))
    for unknown in ("", "x" * 64, "0" * 64, ids[0][:63], ids[0].upper() + "0", ids[0][:-1] + "g"):
        assert index.row_of(unknown) is None


class _Canned(Client):
    """Answers what it was told to."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[Query] = []

    def execute(self, query: Query) -> Answer:
        self.asked.append(query)
        return self.answers.pop(0)


def _ok(rows: list[tuple[Any, ...]], **more: Any) -> Answer:
    return Answer("ok", columns=("a",), rows=tuple(rows), **more)


def _compared(*answers: Answer, ordered: bool = False) -> tuple[Answers, _Canned]:
    client = _Canned(*answers)
    pair = {"dataset": "d", "db_id": "b", "gold_sql": "g", "neighbor_sql": "n"}
    asking = Asking(lambda stack: client, Executor())
    return asking.ask(Pair(0, pair, {}, {}, [], ordered), "original"), client


def _signs(found: Answers) -> tuple[list[bool], list[bool]]:
    assert found.gold
    assert found.neighbor
    return found.gold.differs, found.neighbor.differs


def test_rows_that_the_other_answer_lacks_are_marked() -> None:
    found, client = _compared(_ok([(1,), (1,), (2,)]), _ok([(2.0,), (1,), ("3",)]))
    assert _signs(found) == ([False, True, False], [False, False, True])
    assert (found.verdict, found.is_same) == ("different answers", False)
    terms = Executor()
    assert {(q.clock, q.seed, q.max_vm_steps) for q in client.asked} == {
        (terms.clock, terms.seed, terms.max_vm_steps)
    }


def test_another_order_differs_only_where_order_counts() -> None:
    one, other = _ok([(1,), (2,), (3,)]), _ok([(2,), (1,), (3,)])
    found, _ = _compared(one, other, ordered=True)
    assert found.verdict == "the same rows in another order"
    assert _signs(found) == ([True, True, False], [True, True, False])
    found, _ = _compared(one, other)
    assert found.is_same
    assert _signs(found) == ([False] * 3, [False] * 3)


def test_answers_that_are_too_long_to_show_are_compared_by_their_digests() -> None:
    cut = _ok([(1,)], truncated=True)
    for other, same in (("x", True), ("y", False), (None, None)):
        whole = (Answer("ok", multiset_digest="x"), Answer("ok", multiset_digest=other))
        found, client = _compared(cut, cut, *whole)
        assert found.is_same is same
        assert [query.want for query in client.asked] == ["rows", "rows", "digest", "digest"]


def test_a_query_that_failed_is_an_answer() -> None:
    found, _ = _compared(_ok([(1,)]), Answer("error", "no_such_column", "no such column: x"))
    assert (found.verdict, found.is_same) == ("no answer from the neighbour", None)


def test_an_executor_starts_once_and_is_ended() -> None:
    seen: list[str] = []

    def opened(stack: ExitStack) -> Client:
        seen.append("started")
        stack.callback(seen.append, "ended")
        return _Canned(*[_ok([]) for _ in range(4)])

    asking = Asking(opened, Executor())
    pair = {"dataset": "d", "db_id": "b", "gold_sql": "g", "neighbor_sql": "n"}
    for _ in range(2):
        asking.ask(Pair(0, pair, {}, {}, [], False), "original")
    asking.close()
    assert seen == ["started", "ended"]
