"""The workbook of several rounds: a row a task, a column a round, and what sums them up.

Every cell is a text or a number that we wrote: nothing in it is a formula or a link, whatever a
question or a query begins with. The same rounds give the same bytes, but for their durations.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import xlsxwriter

from benchmark.errors import BenchmarkError
from benchmark.rounds.plot import COLOURS
from benchmark.rounds.rounds import Rounds
from benchmark.rounds.words import duration, percent
from benchmark.statuses import BUCKETS, STATUSES
from pairset.files import write_atomically

MOST_UNITS = 32_767
"""UTF-16 units that a cell may hold, as Excel has it."""

MOST_ROWS = 1_048_576
CUT = "... (cut)"
CREATED = datetime(2026, 1, 1)  # noqa: DTZ001 - a workbook's dates have no zone
_UNFIT = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
Cell = str | int | float


def write_workbook(rounds: Rounds, told: Mapping[str, Any], path: Path) -> None:
    """Write the workbook; ``told`` is the rounds' summary."""
    if rounds.total + 3 > MOST_ROWS:
        raise BenchmarkError(f"{rounds.total} tasks are more than a sheet has rows")
    write_atomically(path, lambda partial: _write(rounds, told, partial))


def _write(rounds: Rounds, told: Mapping[str, Any], path: Path) -> None:
    with xlsxwriter.Workbook(str(path), _OPTIONS) as book:
        book.set_properties({"created": CREATED, "title": fitting(f"{rounds.group} summary")})
        bold = book.add_format({"bold": True})
        for name, rows, widths in (
            ("Rounds", _rounds(rounds), (18, 17)),
            ("Summary", _summary(told), (28, 24)),
            ("Statuses", _statuses(rounds), (24, 12)),
            ("Queries", _queries(rounds), (18, 40)),
        ):
            sheet = book.add_worksheet(name)
            _fill(sheet, rows, bold)
            sheet.set_column(0, 0, widths[0])
            sheet.set_column(1, len(rows[0]), widths[1])
            sheet.freeze_panes(1, 1)
            if name == "Rounds":
                _coloured(book, sheet, rounds)


def _coloured(book: Any, sheet: Any, rounds: Rounds) -> None:
    """Right and wrong are seen at a glance, also once the table is sorted."""
    area = (1, 1, rounds.total, len(rounds.evaluations))
    if rounds.total:
        for status in STATUSES:
            look = book.add_format({"font_color": COLOURS[status]})
            rule = {"type": "cell", "criteria": "==", "value": f'"{status}"', "format": look}
            sheet.conditional_format(*area, rule)
        sheet.autofilter(0, 0, rounds.total, len(rounds.evaluations) + 1)


def _fill(sheet: Any, rows: Sequence[Sequence[Cell]], bold: Any) -> None:
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            look = bold if at == 0 else None
            if cell == "":
                continue
            if isinstance(cell, str):
                sheet.write_string(at, column, fitting(cell), look)
            else:
                sheet.write_number(at, column, cell, look)


def _rounds(rounds: Rounds) -> list[list[Cell]]:
    """The table that users know: statuses, rates as text, and how long each round took."""
    numbers = range(len(rounds.evaluations))
    rows: list[list[Cell]] = [["task_id", *(f"round_{at}" for at in numbers), "Matching Rate"]]
    for at, name in enumerate(rounds.task_ids):
        right = rounds.right(at)
        rows.append([name, *rounds.statuses(at), percent(sum(right) / len(right))])
    rates, seconds = rounds.rates, rounds.seconds
    mean = percent(sum(rates) / len(rates))
    rows.append(["Summary of Matching Rate", *map(percent, rates), mean])
    rows.append(["Round Duration", *map(duration, seconds), duration(sum(seconds))])
    return rows


def _summary(told: Mapping[str, Any]) -> list[list[Cell]]:
    """Numbers, as numbers. Shares are of all tasks."""
    sure, flips, same = told["interval"], told["flips"], told["unanimity"]
    return [
        ["name", "value"],
        ["benchmark", told["benchmark"]],
        ["group", told["group"]],
        ["rounds", told["rounds"]],
        ["tasks", told["total"]],
        ["mean rate", told["mean_rate"]],
        ["rate from (95%)", sure["low"]],
        ["rate to (95%)", sure["high"]],
        *(["rate deviation", one] for one in [told["rate_deviation"]] if one is not None),
        *([f"pass@{k}", share] for k, share in told["pass_at_k"].items()),
        *([f"all of {k}", share] for k, share in told["all_at_k"].items()),
        ["flips to right", flips["gained"]],
        ["flips to wrong", flips["lost"]],
        *([f"tasks {name}", len(ids)] for name, ids in same.items()),
    ]


def _statuses(rounds: Rounds) -> list[list[Cell]]:
    """How many tasks of each status, then of each bucket, each adding up to the total."""
    found = rounds.evaluations
    rows: list[list[Cell]] = [["status", *(f"round_{at}" for at in range(len(found)))]]
    rows += [[status, *(len(one.ids(status)) for one in found)] for status in STATUSES]
    rows += [[bucket, *(one.buckets[bucket] for one in found)] for bucket in BUCKETS]
    rows.append(["total", *(one.total for one in found)])
    return rows


def _queries(rounds: Rounds) -> list[list[Cell]]:
    """What was asked, and what was answered."""
    found = rounds.evaluations
    names = [f"round_{at}" for at in range(len(found))]
    rows: list[list[Cell]] = [["task_id", "db_id", "question", "gold_sql", *names]]
    for at, name in enumerate(rounds.task_ids):
        task = found[0].outcomes[at].task
        queries = [one.outcomes[at].actual.sql or "" for one in found]
        rows.append([name, task.db_id, task.question, task.gold_sql or "", *queries])
    return rows


def fitting(text: str) -> str:
    """The text as a cell can hold it: signs that no XML has are replaced, what is too long is cut.

    >>> fitting("a\\r\\nb\\x00"), len(fitting("x" * 40_000))
    ('a\\nb\\ufffd', 32767)
    """
    clean = _UNFIT.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    units = clean.encode("utf-16-le")
    if len(units) <= 2 * MOST_UNITS:
        return clean
    return units[: 2 * (MOST_UNITS - len(CUT))].decode("utf-16-le", "ignore") + CUT
