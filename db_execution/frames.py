"""How the service and a worker talk: a kind, a detail, a length, and so many bytes of JSON."""

import json
import struct
from enum import IntEnum
from typing import Any, NamedTuple

from db_execution.protocol import ERROR_CLASSES, STATUSES, Answer

_HEAD = struct.Struct("!BBI")


class Kind(IntEnum):
    """What a frame is."""

    READY = 0
    """The worker has started."""
    ANSWER = 1
    """The answer to the next query; its detail is its outcome, the rest goes out as it is."""
    END = 2
    """The worker is free again; what it has not answered it has not begun."""
    MEMORY = 3
    """The query used up the memory of a worker that was not fresh; the worker ends itself."""
    BROKEN = 4
    """The database could not be opened; the bytes say why."""
    WORK = 5
    """From the service: queries, and on what terms."""
    ALIVE = 6
    """The query has used its time well, and begins its second reading."""
    YIELD = 7
    """From the service: hand back what has not been begun, others wait."""


OUTCOMES: tuple[tuple[str, str], ...] = tuple(
    (status, error_class) for status in STATUSES for error_class in ERROR_CLASSES[status] or ("",)
)
_KINDS = tuple(Kind)
_OUTCOME_NUMBER = {outcome: number for number, outcome in enumerate(OUTCOMES)}


class Frame(NamedTuple):
    """One message."""

    kind: Kind
    detail: int
    body: bytes

    @property
    def outcome(self) -> tuple[str, str]:
        """Status and error class of an ANSWER."""
        return OUTCOMES[self.detail]


def outcome_number(answer: Answer) -> int:
    """The detail of the frame that carries ``answer``."""
    return _OUTCOME_NUMBER[answer.status, answer.error_class or ""]


def packed(kind: Kind, body: bytes = b"", detail: int = 0) -> bytes:
    """The bytes of a frame."""
    return _HEAD.pack(kind, detail, len(body)) + body


def packed_json(kind: Kind, document: Any) -> bytes:
    """The bytes of a frame that carries ``document``."""
    return packed(kind, json.dumps(document).encode())


class Unpacker:
    """Cuts a stream of bytes into frames."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that are complete once ``data`` has come."""
        self._held += data
        frames, start = list[Frame](), 0
        while len(self._held) - start >= _HEAD.size:
            kind, detail, length = _HEAD.unpack_from(self._held, start)
            end = start + _HEAD.size + length
            if len(self._held) < end:
                break
            body = bytes(self._held[start + _HEAD.size : end])
            frames.append(Frame(_KINDS[kind], detail, body))
            start = end
        del self._held[:start]
        return frames
