"""What is to be published: every file with its digests, and the summary that says it is whole."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairset.files import file_digest, write_text
from pairset.publish.errors import PublishError

SUMMARY, CARD = "summary.json", "README.md"
FORMAT = "pairset-publication/1"
_SPELT = re.compile(r"[\w.-]+")


@dataclass(frozen=True, slots=True)
class File:
    """A file that is published: its path in the repository, where it lies, and what is in it."""

    path: str
    source: Path
    bytes: int
    sha256: str

    @property
    def git_id(self) -> str:
        """What git calls this content where it is kept as it is."""
        state = hashlib.sha1(b"blob %d\0" % self.bytes, usedforsecurity=False)
        with self.source.open("rb") as handle:
            while block := handle.read(2**20):
                state.update(block)
        return state.hexdigest()


@dataclass(frozen=True, slots=True)
class Bundle:
    """A publication that is ready to go: its kind, its files, and the summary that goes last."""

    kind: str
    files: tuple[File, ...]
    summary: File

    @property
    def bytes(self) -> int:
        """Of all files together."""
        return sum(file.bytes for file in (*self.files, self.summary))

    @property
    def version(self) -> str:
        """What names this content where nobody gave it a name: a digest of the summary."""
        return f"content-{self.summary.sha256[:12]}"


def file_at(folder: Path, path: str) -> File:
    """The file at ``path`` of ``folder``, digested."""
    source = folder / path
    return File(path, source, source.stat().st_size, file_digest(source))


def publishable(name: str, what: str) -> str:
    """``name``; raises `PublishError` where it cannot be part of a path that a card may name."""
    if not _SPELT.fullmatch(name) or name.startswith("."):
        raise PublishError(
            f"{what} {name[:40]!r} cannot name files on the Hub; use letters, digits, '.', '_', '-'"
        )
    return name


def bundled(kind: str, folder: Path, files: Iterable[File], facts: Mapping[str, Any]) -> Bundle:
    """Put a summary of all files into ``folder``, last; with it the bundle is whole."""
    ordered = tuple(sorted(files, key=lambda file: file.path))
    summary = {
        "format": FORMAT,
        "complete": True,
        "kind": kind,
        **facts,
        "files": {f.path: {"bytes": f.bytes, "sha256": f.sha256} for f in ordered},
    }
    text = json.dumps(summary, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    write_text(folder / SUMMARY, text)
    return Bundle(kind, ordered, file_at(folder, SUMMARY))
