"""What a command prints when it is done: a table for people, or one line of JSON."""

import io
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flows.summary import Held


def as_json(facts: Mapping[str, Any]) -> None:
    """One object on one line."""
    print(json.dumps(facts, ensure_ascii=False), flush=True)


def as_table(held: list[Held]) -> None:
    """The tables with their rows, bytes, and the first digits of their digests."""
    rows = [[one.table, one.rows, one.bytes, one.digest[:16]] for one in held]
    as_columns(["table", "rows", "bytes", "digest"], rows)


def as_columns(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table with a head; numbers to the right, with thousands apart."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for at, head in enumerate(heads):
        is_number = bool(rows) and isinstance(rows[0][at], int)
        table.add_column(head, justify="right" if is_number else "left")
    for row in rows:
        table.add_row(*map(_cell, row))
    show(table)


def as_lines(facts: Mapping[str, int]) -> None:
    """Counts, one below the other, with their names."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    for name, count in facts.items():
        table.add_row(name, f"{count:,}")
    table.columns[1].justify = "right"
    show(table)


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def show(what: Any) -> None:
    """Print to standard output, in the width that is there."""
    from rich.console import Console

    there = Console(file=sys.stdout)
    made = Console(file=io.StringIO(), width=there.width, force_terminal=there.is_terminal)
    with made.capture() as text:  # a console of rich's ends the process on a broken pipe
        made.print(what, highlight=False)
    print("\n".join(line.rstrip() for line in text.get().splitlines()))


def gap() -> None:
    """An empty line."""
    print()


def where(path: Path) -> None:
    """Say where to read on."""
    print(f"\nread on in {path}", flush=True)
