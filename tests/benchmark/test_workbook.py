"""The workbook: the table that users know, and nothing in it that runs."""

import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from benchmark.rounds import Rounds
from benchmark.rounds.report import summary
from benchmark.workbook import CUT, MOST_UNITS, fitting, write_workbook
from tests.benchmark.played import GOLDS, ROUNDS, STATUSES, played, written


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> Rounds:
    home = tmp_path_factory.mktemp("workbook")
    return played(home, written(home))


@pytest.fixture
def path(rounds: Rounds, tmp_path: Path) -> Path:
    write_workbook(rounds, summary(rounds), tmp_path / "w.xlsx")
    return tmp_path / "w.xlsx"


def rows(path: Path, sheet: str) -> list[list[Any]]:
    return [[cell.value for cell in row] for row in load_workbook(path)[sheet].iter_rows()]


def test_a_row_a_task_a_column_a_round_and_the_sums_below(path: Path) -> None:
    head, *tasks, sums, durations = rows(path, "Rounds")
    assert head == ["task_id", "round_0", "round_1", "round_2", "Matching Rate"]
    assert {row[0]: row[1:4] for row in tasks} == STATUSES
    rates = {row[0]: row[4] for row in tasks}
    assert (rates["always"], rates["once"], rates["skipped"]) == ("100.00%", "33.33%", "0.00%")
    assert sums == ["Summary of Matching Rate", "42.86%", "28.57%", "28.57%", "33.33%"]
    assert durations[0] == "Round Duration"
    assert all(re.fullmatch(r"(\d+m )?\d+s", cell) for cell in durations[1:])


def test_every_status_is_counted_as_in_the_report(rounds: Rounds, path: Path) -> None:
    counts = {row[0]: row[1:] for row in rows(path, "Statuses")}
    for name, one in counts.items():
        if name in summary(rounds)["by_round"][0]["statuses"]:
            assert one == [told["statuses"][name] for told in summary(rounds)["by_round"]]
    assert counts["total"] == [7, 7, 7]
    assert [counts[b] for b in ("passed", "gold_failed", "not_executed")] == [[3, 2, 2], [1] * 3, [1] * 3]  # fmt: skip


def test_nothing_in_it_is_a_formula_or_a_link(path: Path) -> None:
    for sheet in load_workbook(path).worksheets:
        for row in sheet.iter_rows():
            assert {cell.data_type for cell in row} <= {"s", "n"}, sheet.title
            assert not any(cell.hyperlink for cell in row)
    with zipfile.ZipFile(path) as inside:
        for name in inside.namelist():
            assert b"<f>" not in inside.read(name)


def test_what_begins_like_a_formula_is_the_text_it_was(path: Path) -> None:
    by_id = {row[0]: row for row in rows(path, "Queries")}
    assert by_id["=cmd"][2] == "=HYPERLINK(=cmd)"
    assert by_id["=cmd"][4:] == [one["=cmd"] for one in ROUNDS]
    assert by_id["skipped"][4:] == [None] * 3
    assert by_id["once"][3] == GOLDS["once"]


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@a", "\tx", "http://host/a", "internal:A1", "007", "1e5", "{=1}", "_x0041_", "é\U0001f600", "  a\nb "],
)  # fmt: skip
def test_hostile_texts_stay_what_they_are(rounds: Rounds, tmp_path: Path, text: str) -> None:
    write_workbook(
        replace(rounds, group="g"), summary(rounds) | {"group": text}, tmp_path / "w.xlsx"
    )
    [cell] = [
        row[1] for row in load_workbook(tmp_path / "w.xlsx")["Summary"] if row[0].value == "group"
    ]
    assert cell.data_type == "s"
    assert str(cell.value).replace("_x005F_x0041_", "_x0041_") == text


def test_a_text_that_no_cell_can_hold_is_made_to_fit() -> None:
    assert fitting("a\x00\x1b\ud800\uffff\r\nb") == "a\ufffd\ufffd\ufffd\ufffd\nb"
    long = fitting("\U0001f600" * 20_000)
    assert long.endswith(CUT)
    assert MOST_UNITS - 2 < len(long.encode("utf-16-le")) // 2 <= MOST_UNITS


def test_sheets_and_columns_are_within_excels_limits(path: Path) -> None:
    book = load_workbook(path)
    assert book.sheetnames == ["Rounds", "Summary", "Statuses", "Queries"]
    assert all(len(name) <= 31 for name in book.sheetnames)
    assert book.properties.created.year == 2026
