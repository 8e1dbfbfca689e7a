"""The four digests of an answer, over its whole result, in memory that does not grow with it.

A cell is a tag, the length of its body as 8 bytes, and its body. A row is the sha256 of its cells.
The list digest covers the rows in order; the multiset digest the sum of the rows modulo 2^256; the
set digest the same over distinct rows; the close digest the multiset with every REAL first printed
at 9 significant digits.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from hashlib import sha256
from itertools import chain, islice
from typing import NamedTuple

from db_execution.cells import Row
from db_execution.rowbytes import KEPT_ROWS, NINE_DIGITS, ROW_BYTES, ROWS, closed, number

DISTINCT_ROWS = 1_000_000
"""Above so many distinct rows there is no set digest."""

REMEMBERED_ROWS = 500_000
"""Up to so many rows are held back until their number is known; see ``Digester.forgot``."""

FEW_ROWS = 64
"""Answers of fewer rows are digested in one piece, and remembered."""

KEPT_ANSWERS = 5_000

CHUNK_ROWS = 512
CHUNK_BYTES = 4_000_000
"""So much is taken at once: a chunk is digested by loops that are not Python's own."""


class Digests(NamedTuple):
    """What two answers must share to be the same, as lower-case hex; null where not defined."""

    row_count: int
    list_digest: str | None
    multiset_digest: str
    set_digest: str | None
    close_digest: str | None


class Digester:
    """Takes rows as they come and says at the end what their digests are.

    ``careful`` takes them one by one: slower, and safe where any row may be as large as memory.
    """

    __slots__ = (
        "_chunk_rows",
        "_close_extra",
        "_digest",
        "_distinct",
        "_in_order",
        "_sum",
        "count",
        "forgot",
        "has_real",
    )

    def __init__(self, *, careful: bool = False) -> None:
        self.count = 0
        self.has_real = False
        self.forgot = False
        """The rows were too many to remember in order: ``list_digest`` takes a second pass."""
        self._chunk_rows = 1 if careful else CHUNK_ROWS
        self._digest: Callable[[Row], bytes] = ROWS.__getitem__
        self._sum = 0
        self._close_extra = 0
        self._in_order: list[bytes] = []
        self._distinct: set[bytes] | None = set()

    def feed(self, rows: Iterable[Row], *, after: Callable[[int], None] = lambda _: None) -> None:
        """Add ``rows`` after those that came before; ``after`` hears how many have been added."""
        stream = iter(rows)
        asked = self._next_chunk() if ROWS.longest else self._chunk_rows
        while chunk := list(islice(stream, asked)):
            self._add(list(map(self._digest, chunk)))
            if float in map(type, chain.from_iterable(chunk)):
                self._add_close(chunk)
            after(len(chunk))
            if len(chunk) < asked:
                return
            if self.count > KEPT_ROWS and 2 * len(self._distinct or ()) > self.count:
                self._digest = ROWS.anew  # so many different rows would only crowd each other out
            asked = self._next_chunk()

    def _next_chunk(self) -> int:
        """How many rows to take at once, given the longest of those before."""
        longest, ROWS.longest = ROWS.longest, 0
        return (
            min(self._chunk_rows, max(1, CHUNK_BYTES // longest)) if longest else self._chunk_rows
        )

    def _add(self, digests: list[bytes]) -> None:
        self.count += len(digests)
        self._sum += sum(map(number, digests))
        if not self.forgot:
            self._in_order.append(b"".join(digests))
            if self.count > REMEMBERED_ROWS:
                self.forgot, self._in_order = True, []
        if self._distinct is not None:
            self._distinct.update(digests)
            if len(self._distinct) > DISTINCT_ROWS:
                self._distinct = None

    def _add_close(self, rows: list[Row]) -> None:
        self.has_real = True
        if _are_closed(rows):
            return
        for row in rows:
            if (close := closed(row)) != row:
                self._close_extra += number(ROWS.anew(close)) - number(ROWS.anew(row))

    def result(self) -> Digests:
        """The digests of all rows fed so far; ``list_digest`` is null where ``forgot`` is set."""
        close_sum = self._sum + self._close_extra
        return Digests(
            self.count,
            None if self.forgot else _list(self.count, self._in_order),
            _bag(b"multiset", self.count, self._sum),
            None if self._distinct is None else _set(self._distinct, self.count, self._sum),
            _bag(b"multiset", self.count, close_sum) if self.has_real else None,
        )


class _Answers(dict[bytes, Digests]):
    """Digests of short answers without a REAL, by the digests of their rows.

    A gold and its neighbours mostly give one of a few answers.
    """

    def __missing__(self, rows: bytes) -> Digests:
        digests = [rows[at : at + ROW_BYTES] for at in range(0, len(rows), ROW_BYTES)]
        count, total = len(digests), sum(map(number, digests))
        found = Digests(
            count,
            _list(count, [rows]),
            _bag(b"multiset", count, total),
            _set(set(digests), count, total),
            None,
        )
        if len(self) >= KEPT_ANSWERS:
            self.clear()
        self[rows] = found
        return found


_ANSWERS = _Answers()


def digests_of_few(rows: Sequence[Row]) -> Digests:
    """The digests of ``rows``, which are quickly made where rows or answers come again."""
    digests = list(map(ROWS.__getitem__, rows))
    found = _ANSWERS[b"".join(digests)]
    if float not in map(type, chain.from_iterable(rows)):
        return found
    if _are_closed(rows):
        return found._replace(close_digest=found.multiset_digest)
    close_sum = sum(number(ROWS.anew(closed(row))) for row in rows)
    return found._replace(close_digest=_bag(b"multiset", len(rows), close_sum))


def list_digest(rows: Iterable[Row], count: int) -> str | None:
    """The list digest of ``rows`` in constant memory, or None if they are not ``count``."""
    seen, total = 0, sha256(b"list" + count.to_bytes(8, "big"))
    for row in rows:
        seen += 1
        total.update(ROWS.anew(row))
    return total.hexdigest() if seen == count else None


def digests_of(rows: Iterable[Row]) -> Digests:
    """The digests of ``rows``; for callers that hold them all."""
    digester = Digester()
    digester.feed(rows)
    return digester.result()


def _list(count: int, chunks: list[bytes]) -> str:
    return sha256(b"".join((b"list", count.to_bytes(8, "big"), *chunks))).hexdigest()


def _are_closed(rows: Sequence[Row]) -> bool:
    """Whether no REAL has more than nine digits, which is the usual case."""
    reals = [cell for cell in chain.from_iterable(rows) if type(cell) is float]
    return list(map(NINE_DIGITS.__getitem__, reals)) == reals


_LAST_256_BITS = 2**256 - 1


def _bag(name: bytes, count: int, rows_sum: int) -> str:
    """The digest of so many rows of which the order does not matter."""
    total = (rows_sum & _LAST_256_BITS).to_bytes(32, "big")
    return sha256(name + count.to_bytes(8, "big") + total).hexdigest()


def _set(distinct: Collection[bytes], count: int, rows_sum: int) -> str:
    """The set digest; where no row comes twice, count and sum are those of all rows."""
    if len(distinct) != count:
        count, rows_sum = len(distinct), sum(map(number, distinct))
    return _bag(b"set", count, rows_sum)
