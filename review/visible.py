"""Text from a corpus or a database, as text: escaped, with what is invisible made visible."""

import re
from collections.abc import Iterable

from markupsafe import Markup, escape

from db_execution.cells import Cell, RawText

# Controls but for tab and newline, separators and marks of no width or of direction, surrogates.
_UNSEEN = re.compile(
    "([\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e0fff])"
)
MAX_CELL = 400
"""So many characters of a value are shown."""


def visible(text: object) -> Markup:
    """``text`` escaped; each character that shows nothing, or turns the line, as its number."""
    pieces = _UNSEEN.split(str(text))
    return Markup("").join(
        _code(piece) if at % 2 else escape(piece) for at, piece in enumerate(pieces)
    )


def _code(character: str) -> Markup:
    return Markup('<span class="unseen">U+{:04X}</span>').format(ord(character))


def plain(text: object) -> str:
    """The same for places that hold no elements, such as a title or an option; not escaped."""
    return _UNSEEN.sub(lambda found: f"<U+{ord(found[0]):04X}>", str(text))


def marked(pieces: Iterable[tuple[bool, str]]) -> Markup:
    """Pieces of a text, those that differ inside ``<mark>``."""
    return Markup("").join(
        Markup("<mark>{}</mark>").format(visible(text)) if differs else visible(text)
        for differs, text in pieces
    )


def cell_text(cell: Cell) -> str:
    """A value as a line of text: no value is mistaken for one of another kind but by its colour."""
    match cell:
        case None:
            return "NULL"
        case bytes():
            text = f"X'{cell[: MAX_CELL // 2].hex().upper()}'"
        case RawText(data):
            text = data[:MAX_CELL].decode("utf-8", "backslashreplace")
        case _:
            text = str(cell)
    return text if len(text) <= MAX_CELL + 3 else f"{text[:MAX_CELL]}\N{HORIZONTAL ELLIPSIS}"


def cell_kind(cell: Cell) -> str:
    """The value's storage class, as a class for the style sheet."""
    match cell:
        case None:
            return "null"
        case int() | float():
            return "number"
        case bytes():
            return "blob"
        case _:
            return "text"
