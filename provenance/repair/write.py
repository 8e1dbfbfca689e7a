"""Write what the references stage decided: the corrected dataset, two lists, a report."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pairset.build import Build
from pairset.config import Config, FinerCorpus
from pairset.files import write_atomically
from pairset.schema import TABLES
from provenance.errors import ProvenanceError
from provenance.repair.dataset import write_dataset
from provenance.repair.report import report, tally

AUDIT, REMOVED, PAGE = "reference_audit.jsonl", "removed_references.jsonl", "FIX_REPORT.md"


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a repair did, in numbers."""

    samples: int
    samples_changed: int
    references_before: int
    references_kept: int
    references_reattached: int
    references_after: int
    removed: int
    removed_by_gate: dict[str, int]
    reads_extra_tables: int
    rows_not_read: int


def the_corpus(config: Config) -> FinerCorpus:
    """The one corpus of a config that has lists to repair; raises `ProvenanceError`."""
    finer = [one for one in config.corpora if isinstance(one, FinerCorpus)]
    others = [f"{c.name} ({c.layout})" for c in config.corpora if not isinstance(c, FinerCorpus)]
    if len(finer) != 1 or others:
        found = ", ".join([*(f"{one.name} (finer)" for one in finer), *others])
        raise ProvenanceError(
            "repair writes one dataset in the layout 'finer', so the config has to name one such "
            f"corpus and no other; it names: {found}"
        )
    return finer[0]


def check_out(out: Path, corpus: FinerCorpus) -> None:
    """Raise unless ``out`` is a new folder outside the corpus."""
    if out.exists() or out.is_symlink():
        raise ProvenanceError(f"{out} is there already; name a new folder")
    if out.resolve().is_relative_to(corpus.path.resolve()):
        raise ProvenanceError(f"{out} is inside the corpus, which is not touched; name another")


def repair(build: Build, out: Path) -> Repaired:
    """Write the corrected corpus of a build to ``out``; all or nothing.

    The stage ``references`` is made. The corpus itself is only read.
    """
    corpus = the_corpus(build.config)
    check_out(out, corpus)
    audit = _all(build, "reference_audit").sort("corpus_row", "reference_index")
    removed = _all(build, "removed_references").sort("corpus_row", "reference_index")
    read = set(_all(build, "samples")["corpus_row"].to_list())
    if not read:
        raise ProvenanceError(f"{corpus.name}: no row can be read; pairset sources says why")

    def write(partial: Path) -> Repaired:
        rows, changed = write_dataset(corpus.path, partial, _lists(audit), read)
        _write_lines(partial / AUDIT, audit)
        _write_lines(partial / REMOVED, removed)
        numbers = _numbers(audit, changed, rows, rows - len(read))
        text = report(corpus, tally(audit, _all(build, "refused_samples")), asdict(numbers))
        _write_text(partial / PAGE, text)
        return numbers

    return _whole(out, write)


def _all(build: Build, table: str) -> pl.DataFrame:
    frames = [pl.DataFrame(build.store.read(*place)) for place in build.store.places(table)]
    empty = pl.DataFrame(TABLES[table].schema.empty_table())
    return pl.concat([empty, *frames])


def _lists(audit: pl.DataFrame) -> dict[int, list[str]]:
    """The references of every row of the corpus in the end, in their order."""
    ends = audit.filter(pl.col("ends_corpus_row").is_not_null())
    lists: dict[int, list[str]] = {}
    for row, index, sql in (
        ends.sort("ends_corpus_row", "ends_index")
        .select("ends_corpus_row", "ends_index", "sql")
        .iter_rows()
    ):
        found = lists.setdefault(row, [])
        found.append(sql)
        assert len(found) == index, f"row {row}: a gap before reference {index}"
    return lists


def _numbers(audit: pl.DataFrame, changed: int, rows: int, not_read: int) -> Repaired:
    kept = audit.filter(pl.col("gate").is_null())
    removed = audit.filter(pl.col("gate").is_not_null())
    moved = removed.filter(pl.col("ends_corpus_row").is_not_null())
    extra = audit.filter(pl.col("ends_corpus_row").is_not_null())
    by_gate = removed.group_by("gate").len().sort("gate").rows()
    return Repaired(
        samples=rows,
        samples_changed=changed,
        references_before=audit.height,
        references_kept=kept.height,
        references_reattached=moved.height,
        references_after=kept.height + moved.height,
        removed=removed.height,
        removed_by_gate=dict(by_gate),
        reads_extra_tables=extra.filter(pl.col("reads_extra_tables").list.len() > 0).height,
        rows_not_read=not_read,
    )


def _write_lines(path: Path, frame: pl.DataFrame) -> None:
    def lines() -> Iterator[str]:
        for row in frame.iter_rows(named=True):
            yield json.dumps(row, ensure_ascii=False) + "\n"

    _write(path, lambda handle: handle.writelines(lines()))


def _write_text(path: Path, text: str) -> None:
    _write(path, lambda handle: handle.write(text))


def _write(path: Path, fill: Callable[[Any], object]) -> None:
    def write(partial: Path) -> None:
        with partial.open("w", encoding="utf-8", newline="\n") as handle:
            fill(handle)

    write_atomically(path, write)


def _whole(out: Path, write: Callable[[Path], Repaired]) -> Repaired:
    """Fill a folder under a temporary name beside ``out``, then name it."""
    out.parent.mkdir(parents=True, exist_ok=True)
    partial = out.parent / f".{out.name}.{os.getpid()}.partial"
    try:
        partial.mkdir()
        numbers = write(partial)
        partial.rename(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    folder = os.open(out.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return numbers
