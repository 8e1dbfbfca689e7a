"""Many small files put together into a few that travel well: one database after the other.

A shard is one row group, cut into pages where the content says (content-defined chunking), so that
a store that knows chunks is sent only those that changed. Which databases share a shard hangs on
sizes and on names: after a database has grown, the next boundaries fall where they fell before, so
a store that knows only whole files is sent few of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pairset.content import content_digest
from pairset.files import file_digest
from pairset.publish.errors import PublishError

MOST_BYTES = 500_000_000
"""Of a file, compressed."""

HELD_BYTES = 64 * 2**20
"""Of a shard's rows in memory: it bounds the work's memory, and with it the size of a file."""


@dataclass(frozen=True, slots=True)
class Written:
    """A shard: its path in the folder, its size, its rows, and both digests."""

    path: str
    bytes: int
    sha256: str
    rows: int
    rows_sha256: str


@dataclass(frozen=True, slots=True)
class Series:
    """The shards of one table and dataset: ``folder/table/name-00000-of-00003.parquet``."""

    folder: Path
    table: str
    name: str
    held_bytes: int = HELD_BYTES

    def write(self, databases: Iterable[tuple[str, pa.Table]]) -> list[Written]:
        """Write the rows of every database, by name; holds one shard in memory at a time."""
        (self.folder / self.table).mkdir(parents=True, exist_ok=True)
        shards = cut(databases, self.held_bytes)
        parts = [self._write(at, rows) for at, rows in enumerate(shards)]
        return [self._named(at, len(parts), part) for at, part in enumerate(parts)]

    def _path(self, at: int, of: str) -> str:
        return f"{self.table}/{self.name}-{at:05d}-of-{of}.parquet"

    def _write(self, at: int, rows: pa.Table) -> Written:
        path = self._path(at, "unknown")
        write_shard(rows, self.folder / path)
        return described(self.folder, path, rows)

    def _named(self, at: int, count: int, part: Written) -> Written:
        """Give a shard its name, now that it is known how many there are."""
        path = self._path(at, f"{count:05d}")
        (self.folder / part.path).rename(self.folder / path)
        return Written(path, part.bytes, part.sha256, part.rows, part.rows_sha256)


def cut(databases: Iterable[tuple[str, pa.Table]], held_bytes: int) -> Iterator[pa.Table]:
    """Tables of at most ``held_bytes`` (or one row), databases kept together where they fit.

    A shard that is half full ends at the first database whose name is one to end at.
    """
    waiting: list[pa.Table] = []
    held = 0
    for name, rows in databases:
        for piece in _pieces(rows, held_bytes):
            if waiting and held + piece.nbytes > held_bytes:
                yield _together(waiting)
                held = 0
            waiting.append(piece)
            held += piece.nbytes
        if waiting and 2 * held >= held_bytes and _ends(name):
            yield _together(waiting)
            held = 0
    if waiting:
        yield _together(waiting)


def write_shard(rows: pa.Table, path: Path) -> None:
    """One row group with content-defined pages; the bytes depend on rows and writer alone."""
    pq.write_table(
        rows.replace_schema_metadata(),
        path,
        compression="zstd",
        compression_level=3,
        row_group_size=max(1, rows.num_rows),
        use_content_defined_chunking=True,
    )


def described(folder: Path, path: str, rows: pa.Table) -> Written:
    """What was written at ``path``; raises `PublishError` where the file is too large."""
    size = (folder / path).stat().st_size
    if size > MOST_BYTES:
        raise PublishError(f"{path} has {size:,} bytes, and a file may have {MOST_BYTES:,}")
    return Written(path, size, file_digest(folder / path), rows.num_rows, content_digest(rows))


def _together(waiting: list[pa.Table]) -> pa.Table:
    """One table of those that wait, which are let go of."""
    rows = pa.concat_tables(waiting).combine_chunks()
    waiting.clear()
    return rows


def _pieces(rows: pa.Table, held_bytes: int) -> Iterator[pa.Table]:
    """``rows`` in pieces of about equal length that fit, or as they are."""
    if not rows.num_rows:
        return
    count = min(rows.num_rows, -(-rows.nbytes // held_bytes))
    step = -(-rows.num_rows // count)
    for start in range(0, rows.num_rows, step):
        yield rows.slice(start, step)


def _ends(name: str) -> bool:
    """Whether a shard may end at this database: one in four may, by the digest of its name."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[0] < 64
