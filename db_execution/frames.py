"""How the service and a worker talk: a kind, a length, and so many bytes."""

import json
import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from db_execution.protocol import ERROR_CLASSES, STATUSES, Answer

_HEAD = struct.Struct("!BI")
_COUNT = struct.Struct("!I")


class Kind(IntEnum):
    """What a frame is."""

    READY = 0
    """The worker has started."""
    ANSWERS = 1
    """The answers to the next queries: see ``Answers``."""
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
    body: bytes


class Answers(NamedTuple):
    """Some answers as they go out: the place of each in ``OUTCOMES``, and a line for each.

    The lines have a line end between them, and none after the last. ``once`` has a byte for each
    answer that a worker made: 1 where chance or the time of day had a part in it.
    """

    outcomes: bytes
    lines: bytes
    once: bytes = b""


def outcome_number(answer: Answer) -> int:
    """The place in ``OUTCOMES`` of how ``answer`` ended."""
    return _OUTCOME_NUMBER[answer.status, answer.error_class or ""]


def packed(kind: Kind, body: bytes = b"") -> bytes:
    """The bytes of a frame."""
    return _HEAD.pack(kind, len(body)) + body


def packed_answers(outcomes: bytes, lines: Sequence[bytes], once: bytes) -> bytes:
    """The bytes of a frame that carries so many answers."""
    count = _COUNT.pack(len(outcomes))
    return packed(Kind.ANSWERS, b"".join((count, outcomes, once, b"\n".join(lines))))


def unpacked_answers(body: bytes) -> Answers:
    """What the body of an ANSWERS frame carries."""
    (count,) = _COUNT.unpack_from(body)
    start, end = _COUNT.size + count, _COUNT.size + 2 * count
    return Answers(body[_COUNT.size : start], body[end:], once=body[start:end])


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
            kind, length = _HEAD.unpack_from(self._held, start)
            end = start + _HEAD.size + length
            if len(self._held) < end:
                break
            body = bytes(self._held[start + _HEAD.size : end])
            frames.append(Frame(_KINDS[kind], body))
            start = end
        del self._held[:start]
        return frames
