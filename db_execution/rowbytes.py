"""The bytes that stand for cells and rows in a digest, and a memory of those that come again."""

from hashlib import sha256

from db_execution.cells import Cell, RawText, Row

SHORT_CELL = 64
SHORT_ROW = 256
KEPT_CELLS = 40_000
KEPT_ROWS = 30_000

ROW_BYTES = 32
"""How long a row's digest is."""

number = int.from_bytes
"""A row's digest as the number that is summed."""


def encoded(cell: Cell) -> bytes:
    """The bytes of one cell: its tag, its body's length, its body. Equal for equal cells only."""
    if isinstance(cell, str):  # first: most cells are text
        body = cell.encode()
        return (_TEXT[len(body)] if len(body) < _HEADS else _head(b"t", len(body))) + body
    if cell is None:
        return _NULL
    if isinstance(cell, int):
        body = b"%d" % cell
        return _INTEGER[len(body)] + body
    if isinstance(cell, float):
        return _real(cell)
    tag, body = (b"t", cell.data) if isinstance(cell, RawText) else (b"b", cell)
    return _head(tag, len(body)) + body


def _real(cell: float) -> bytes:
    if cell.is_integer():
        body = b"%d" % int(cell)
        return _head(b"i", len(body)) + body
    text = repr(cell)
    body = b"+inf" if text == "inf" else text.encode()
    return _head(b"f", len(body)) + body


def _head(tag: bytes, length: int) -> bytes:
    return tag + length.to_bytes(8, "big")


_HEADS = 256
_NULL = _head(b"n", 0)
_TEXT = tuple(_head(b"t", length) for length in range(_HEADS))
_INTEGER = tuple(_head(b"i", length) for length in range(_HEADS))
"""Heads made beforehand, by length: making them is half the cost of a short cell."""


class _Cells(dict[Cell, bytes]):
    """Encoded cells by value: 1 and 1.0 share a place, and they share their bytes."""

    def __missing__(self, cell: Cell) -> bytes:
        code = encoded(cell)
        if len(code) <= SHORT_CELL:
            if len(self) >= KEPT_CELLS:
                self.clear()
            self[cell] = code
        return code


class _Rows(dict[Row, bytes]):
    """Row digests by value. A gold and its neighbours mostly answer with the same rows."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = 0
        """Bytes of the longest row that had to be digested; whoever reads it may set it back."""

    def __missing__(self, row: Row) -> bytes:
        body = b"".join(map(_code, row))
        digest = sha256(body).digest()
        if len(body) <= SHORT_ROW:
            if len(self) >= KEPT_ROWS:
                self.clear()
            self[row] = digest
        elif len(body) > self.longest:
            self.longest = len(body)
        return digest

    def anew(self, row: Row) -> bytes:
        """The digest of a row that is not looked for, nor kept, and its cells are not either."""
        body = b"".join(map(encoded, row))
        if len(body) > self.longest:
            self.longest = len(body)
        return sha256(body).digest()


class _NineDigits(dict[float, float]):
    """REALs by value, rounded to 9 significant digits. Its keys are never integers."""

    def __missing__(self, cell: float) -> float:
        close = float(f"{cell:.9g}")
        if len(self) >= KEPT_CELLS:
            self.clear()
        self[cell] = close
        return close


# Shared by all digests of a process: a value's bytes are the same wherever it comes from.
_code = _Cells().__getitem__
ROWS = _Rows()
NINE_DIGITS = _NineDigits()


def closed(row: Row) -> Row:
    """``row`` with each REAL rounded to 9 significant digits."""
    return tuple([NINE_DIGITS[cell] if type(cell) is float else cell for cell in row])
