"""Batches of any length, cut into pieces that one request may carry."""

from collections.abc import Iterator, Sequence

CHUNK_QUERIES = 1_000
CHUNK_BYTES = 1_000_000


def chunks(queries: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The queries in order, in pieces that are neither many nor long."""
    chunk: list[str] = []
    size = 0
    for sql in queries:
        if chunk and (len(chunk) == CHUNK_QUERIES or size + len(sql) > CHUNK_BYTES):
            yield tuple(chunk)
            chunk, size = [], 0
        chunk.append(sql)
        size += len(sql)
    if chunk:
        yield tuple(chunk)
