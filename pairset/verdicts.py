"""What people said of pairs: a file of lines that is only ever added to.

The last verdict of a reviewer on a pair counts; the earlier ones stay in the file. A line that a
crash cut off is no verdict: it is named, and stays where it is.
"""

import fcntl
import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pairset.ids import canonical_json

KINDS = ("really different", "same meaning", "wrong owner")
"""The neighbour means something else; it means the same; it answers another question."""

MAX_REVIEWER, MAX_NOTE = 80, 4_000
"""The longest name and note, in characters."""

_FIELDS = ("pair_id", "reviewer", "verdict", "note", "at")


class BadVerdict(ValueError):
    """No verdict that could be kept; the message says which part is wrong."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one person said of one pair; ``at`` is when, as ISO 8601 in UTC."""

    pair_id: str
    reviewer: str
    verdict: str
    note: str = ""
    at: str = ""

    def __post_init__(self) -> None:
        if not all(isinstance(getattr(self, name), str) for name in _FIELDS):
            raise BadVerdict(f"a verdict is made of texts: {', '.join(_FIELDS)}")
        if self.verdict not in KINDS:
            raise BadVerdict(f"a verdict is one of {', '.join(KINDS)}, not {self.verdict!r}")
        if not 0 < len(self.reviewer.strip()) <= MAX_REVIEWER:
            raise BadVerdict(f"a verdict needs its reviewer's name, of at most {MAX_REVIEWER}")
        if len(self.note) > MAX_NOTE:
            raise BadVerdict(f"a note has at most {MAX_NOTE:,} characters, not {len(self.note):,}")


class Unread(NamedTuple):
    """A line of the file that is no verdict, from 1, and why."""

    line: int
    reason: str


@dataclass(slots=True)
class Verdicts:
    """All verdicts of a build, as read so far: ``read`` goes on where the last one ended."""

    path: Path
    last: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    lines: int = 0
    _offset: int = 0

    def read(self) -> list[Verdict]:
        """The verdicts that were added since, by whoever added them; in the order of the file.

        A last line without an end may still be being written: it is read once it has one, or once
        another follows it.
        """
        added: list[Verdict] = []
        for line in self._complete_lines():
            self.lines += 1
            try:
                verdict = _verdict(line)
            except BadVerdict as error:
                self.unread.append(Unread(self.lines, str(error)))
                continue
            self.last[verdict.pair_id, verdict.reviewer] = verdict
            added.append(verdict)
        return added

    def torn(self) -> Unread | None:
        """The last line, where it has no end: what a crash in the middle of a write leaves."""
        if not self.path.exists() or self.path.stat().st_size <= self._offset:
            return None
        return Unread(self.lines + 1, "it has no end: its writer was stopped in the middle")

    def _complete_lines(self) -> list[bytes]:
        if not self.path.exists():
            return []
        with self.path.open("rb") as file:
            file.seek(self._offset)
            whole, _, _ = file.read().rpartition(b"\n")
        if not whole:
            return []
        self._offset += len(whole) + 1
        return whole.split(b"\n")


def verdicts_path(root: Path) -> Path:
    """Where a build's verdicts lie: beside its tables, under no digest of a stage."""
    return root / "review" / "verdicts.jsonl"


def read_verdicts(root: Path) -> Verdicts:
    """All that was said of the pairs of the build in ``root``."""
    found = Verdicts(verdicts_path(root))
    found.read()
    return found


def add_verdict(path: Path, verdict: Verdict) -> None:
    """Add one line, and return when it is on the disk. Writers wait for each other."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        line = canonical_json(asdict(verdict)) + b"\n"
        _write_all(handle, line if _ends_whole(handle) else b"\n" + line)
        os.fsync(handle)
    finally:
        os.close(handle)


def count_verdicts(found: Verdicts) -> dict[str, Any] | None:
    """The counts that the manifest shows, or None where nobody said anything."""
    if not found.lines and found.torn() is None:
        return None
    kinds = Counter(verdict.verdict for verdict in found.last.values())
    pairs = {kind: {v.pair_id for v in found.last.values() if v.verdict == kind} for kind in KINDS}
    torn = found.torn()
    return {
        "by_kind": [
            {"verdict": kind, "verdicts": kinds[kind], "pairs": len(pairs[kind])} for kind in KINDS
        ],
        "reviewers": len({verdict.reviewer for verdict in found.last.values()}),
        "pairs": len({verdict.pair_id for verdict in found.last.values()}),
        "pairs_reviewers_differ": len(differing(found.last.values())),
        "replaced": found.lines - len(found.unread) - len(found.last),
        "unread_lines": [one.line for one in (*found.unread, *([torn] if torn else []))],
    }


def differing(verdicts: Iterable[Verdict]) -> set[str]:
    """The pairs of which two reviewers say different things."""
    said: dict[str, set[str]] = {}
    for verdict in verdicts:
        said.setdefault(verdict.pair_id, set()).add(verdict.verdict)
    return {pair_id for pair_id, kinds in said.items() if len(kinds) > 1}


def _verdict(line: bytes) -> Verdict:
    try:
        document = json.loads(line)
    except ValueError:
        raise BadVerdict("it is no JSON") from None
    if not isinstance(document, dict) or set(document) != set(_FIELDS):
        raise BadVerdict(f"it is no object with {', '.join(_FIELDS)}")
    return Verdict(**document)


def _ends_whole(handle: int) -> bool:
    size = os.fstat(handle).st_size
    return size == 0 or os.pread(handle, 1, size - 1) == b"\n"


def _write_all(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]
