"""The four digests of an answer, over its whole result, in memory that does not grow with it.

A cell is a tag, the length of its body as 8 bytes, and its body. A row is the sha256 of its cells.
The list digest covers the rows in order; the multiset digest the sum of the rows modulo 2^256; the
set digest the same over distinct rows; the close digest the multiset with every REAL first printed
at 9 significant digits.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from db_execution.cells import Cell, RawText

DISTINCT_ROWS = 1_000_000
"""Above so many distinct rows there is no set digest."""

REMEMBERED_ROWS = 500_000
"""Up to so many rows are held back until their number is known; see ``Digester.forgot``."""

CHUNK = 4_096
SHORT = 64
REMEMBERED_CELLS = 20_000


@dataclass(frozen=True, slots=True)
class Digests:
    """What two answers must share to be the same, as lower-case hex; null where not defined."""

    row_count: int
    list_digest: str | None
    multiset_digest: str
    set_digest: str | None
    close_digest: str | None


def encoded(cell: Cell) -> bytes:
    """The bytes that stand for one cell: equal for equal cells, and for no others."""
    tag, body = _tag_and_body(cell)
    return tag + len(body).to_bytes(8, "big") + body


def _tag_and_body(cell: Cell) -> tuple[bytes, bytes]:
    if cell is None:
        return b"n", b""
    if isinstance(cell, str):
        return b"t", cell.encode()
    if isinstance(cell, int):
        return b"i", b"%d" % cell
    if isinstance(cell, float):
        return _real(cell)
    return (b"t", cell.data) if isinstance(cell, RawText) else (b"b", cell)


def _real(cell: float) -> tuple[bytes, bytes]:
    if cell.is_integer():
        return b"i", b"%d" % int(cell)
    text = repr(cell)
    return b"f", b"+inf" if text == "inf" else text.encode()


class _Cells(dict[Cell, bytes]):
    """Encoded cells by value: 1 and 1.0 share a place, and they share their bytes."""

    def __missing__(self, cell: Cell) -> bytes:
        code = encoded(cell)
        if len(code) <= SHORT:
            if len(self) >= REMEMBERED_CELLS:
                self.clear()
            self[cell] = code
        return code


class Digester:
    """Takes rows as they come and says at the end what their digests are."""

    def __init__(self) -> None:
        self.count = 0
        self.has_real = False
        self.forgot = False
        """The rows were too many to remember in order: ``list_digest`` takes a second pass."""
        self._cells = _Cells()
        self._sum = 0
        self._close_extra = 0
        self._in_order: list[bytes] = []
        self._distinct: set[bytes] | None = set()

    def feed(self, rows: Iterable[Sequence[Cell]]) -> None:
        """Add ``rows`` after those that came before."""
        stream = iter(rows)
        while digests := self._next_digests(stream):
            self._add(digests)

    def _next_digests(self, rows: Iterator[Sequence[Cell]]) -> list[bytes]:
        # The hot loop: every name is local, and only rows with a REAL leave it.
        code, join, digests = self._cells.__getitem__, b"".join, list[bytes]()
        append = digests.append
        for row in islice(rows, CHUNK):
            digest = sha256(join(map(code, row))).digest()
            append(digest)
            if float in map(type, row):
                self._add_close(row, digest)
        return digests

    def _add_close(self, row: Sequence[Cell], exact: bytes) -> None:
        self.has_real = True
        code = self._cells.__getitem__
        digest = sha256(b"".join([code(_nine_digits(cell)) for cell in row])).digest()
        self._close_extra += int.from_bytes(digest) - int.from_bytes(exact)

    def _add(self, digests: list[bytes]) -> None:
        self.count += len(digests)
        self._sum += sum(map(int.from_bytes, digests))
        if not self.forgot:
            self._in_order.append(b"".join(digests))
            if self.count > REMEMBERED_ROWS:
                self.forgot, self._in_order = True, []
        if self._distinct is not None:
            self._distinct.update(digests)
            if len(self._distinct) > DISTINCT_ROWS:
                self._distinct = None

    def result(self) -> Digests:
        """The digests of all rows fed so far; ``list_digest`` is null where ``forgot`` is set."""
        return Digests(
            row_count=self.count,
            list_digest=None if self.forgot else _list(self.count, self._in_order),
            multiset_digest=_bag(b"multiset", self.count, self._sum),
            set_digest=self._set(),
            close_digest=self._close(),
        )

    def _set(self) -> str | None:
        if self._distinct is None:
            return None
        return _bag(b"set", len(self._distinct), sum(map(int.from_bytes, self._distinct)))

    def _close(self) -> str | None:
        return (
            _bag(b"multiset", self.count, self._sum + self._close_extra) if self.has_real else None
        )


def list_digest(rows: Iterable[Sequence[Cell]], count: int) -> str | None:
    """The list digest of ``rows`` in constant memory, or None if they are not ``count``."""
    code, seen, total = _Cells().__getitem__, 0, sha256(b"list" + count.to_bytes(8, "big"))
    for row in rows:
        seen += 1
        total.update(sha256(b"".join(map(code, row))).digest())
    return total.hexdigest() if seen == count else None


def digests_of(rows: Iterable[Sequence[Cell]]) -> Digests:
    """The digests of ``rows``; for callers that hold them all."""
    digester = Digester()
    digester.feed(rows)
    return digester.result()


def _nine_digits(cell: Cell) -> Cell:
    return float(f"{cell:.9g}") if isinstance(cell, float) else cell


def _list(count: int, chunks: Iterable[bytes]) -> str:
    total = sha256(b"list" + count.to_bytes(8, "big"))
    for chunk in chunks:
        total.update(chunk)
    return total.hexdigest()


def _bag(name: bytes, count: int, rows_sum: int) -> str:
    return sha256(
        name + count.to_bytes(8, "big") + (rows_sum % 2**256).to_bytes(32, "big")
    ).hexdigest()
