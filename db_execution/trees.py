"""Trees of databases on disk: which there are, where each database lies, and what its bytes are.

A database is ``DIR/<dataset>/<db_id>/<db_id>.sqlite``, or flat, ``DIR/<db_id>/<db_id>.sqlite``,
which then answers for every dataset name.
"""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from db_execution.errors import BadTree, NoSuchDatabase

EVERY_DATASET = "*"
SIDECARS = ("-wal", "-journal")

Stamp = tuple[int, int, int, int]
"""Size, times of modification and of any change in nanoseconds, and inode: another stamp is another
file. Whoever sets the time of modification back cannot set back that of the change."""


@dataclass(frozen=True, slots=True)
class TreeSpec:
    """``NAME=DIR``, or ``NAME:DATASET=DIR`` where the folder holds the databases of one dataset."""

    name: str
    folder: Path
    dataset: str | None = None


@dataclass(frozen=True, slots=True)
class Database:
    """One database file, as it was found; ``path`` goes over no link.

    So what is opened is what was looked at: the engine, on a file system of ours, follows no link.
    """

    tree: str
    dataset: str
    db_id: str
    path: Path
    stamp: Stamp


def parse_spec(text: str) -> TreeSpec:
    """The tree that ``text`` names; BadTree says what is wrong with it.

    >>> parse_spec("original:spider=.")
    TreeSpec(name='original', folder=PosixPath('.'), dataset='spider')
    """
    head, equals, folder = text.partition("=")
    name, colon, dataset = head.partition(":")
    if not (equals and folder and _is_name(name) and (_is_name(dataset) or not colon)):
        raise BadTree(f"cannot read the tree {text!r}: expected NAME=DIR or NAME:DATASET=DIR")
    if not Path(folder).is_dir():
        raise BadTree(f"the tree {text!r} names a folder that is not there")
    return TreeSpec(name, Path(folder), dataset or None)


class Trees:
    """The trees of one executor. Specs of one name add up; the first with a database gives it."""

    def __init__(self, specs: Iterable[TreeSpec]) -> None:
        self._specs: dict[str, list[TreeSpec]] = {}
        for spec in specs:
            self._specs.setdefault(spec.name, []).append(spec)
        self._digests: dict[tuple[Path, Stamp], str] = {}

    @property
    def names(self) -> list[str]:
        """The trees by name."""
        return sorted(self._specs)

    def find(self, tree: str, dataset: str, db_id: str) -> Database:
        """The database of that name; NoSuchDatabase if there is none, BadTree if it is not fit."""
        if tree not in self._specs:
            raise NoSuchDatabase(f"no tree {tree!r}; this executor has {self.names}")
        for spec in self._specs[tree]:
            for path in _places(spec, dataset, db_id):
                if found := _file(path, spec.folder):
                    real, stamp = found
                    _check_sidecars(real, tree, db_id)
                    return Database(tree, dataset, db_id, Path(real), stamp)
        raise NoSuchDatabase(f"no database {db_id!r} of dataset {dataset!r} in tree {tree!r}")

    def sha256(self, database: Database) -> str:
        """The sha256 of the file's bytes; remembered for as long as its stamp is the same."""
        key = (database.path, database.stamp)
        if key not in self._digests:
            with database.path.open("rb") as file:
                self._digests[key] = hashlib.file_digest(file, "sha256").hexdigest()
        return self._digests[key]

    def known_sha256(self, database: Database) -> str | None:
        """The sha256 if it is remembered; reads nothing."""
        return self._digests.get((database.path, database.stamp))

    def databases(self, tree: str) -> Iterator[tuple[str, str]]:
        """Every (dataset, db_id) of a tree, sorted; the dataset is ``*`` where the tree is flat."""
        if tree not in self._specs:
            raise NoSuchDatabase(f"no tree {tree!r}; this executor has {self.names}")
        yield from sorted({pair for spec in self._specs[tree] for pair in _listed(spec)})


def _places(spec: TreeSpec, dataset: str, db_id: str) -> Iterator[str]:
    if not _is_name(db_id):
        return
    flat = f"{spec.folder}/{db_id}/{db_id}.sqlite"
    if spec.dataset is not None:
        if dataset in (spec.dataset, EVERY_DATASET):
            yield flat
        return
    if _is_name(dataset):
        yield f"{spec.folder}/{dataset}/{db_id}/{db_id}.sqlite"
    yield flat


def _is_name(text: str) -> bool:
    """Whether ``text`` is the name of one thing in a folder, and cannot lead out of it."""
    return (
        text not in ("", ".", "..")
        and not any(sign in text for sign in "/\\\0")
        and len(text) < 200
    )


def _file(path: str, root: Path) -> tuple[str, Stamp] | None:
    """Where the file is and its stamp; None if no plain file truly lies under ``root``.

    Asked for every request, so by texts: paths take three times as long.
    """
    try:
        real = os.path.realpath(path, strict=True)
        status = os.stat(real)
    except (OSError, ValueError):
        return None
    inside = os.path.join(os.path.realpath(root), "")
    if not stat.S_ISREG(status.st_mode) or not real.startswith(inside):
        return None
    return real, (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _check_sidecars(path: str, tree: str, db_id: str) -> None:
    # The file is opened immutable: what lies in a log or journal would be left out in silence.
    for suffix in SIDECARS:
        if _size(path + suffix):
            raise BadTree(
                f"database {db_id!r} of tree {tree!r} has a {suffix} file beside it, whose content "
                "would be left out: close whatever writes to it, or checkpoint it"
            )


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def _listed(spec: TreeSpec) -> Iterator[tuple[str, str]]:
    flat = spec.dataset or EVERY_DATASET
    for entry in _folders(spec.folder):
        if (spec.folder / entry / f"{entry}.sqlite").is_file():
            yield flat, entry
        elif spec.dataset is None:
            inner = spec.folder / entry
            yield from (
                (entry, name)
                for name in _folders(inner)
                if (inner / name / f"{name}.sqlite").is_file()
            )


def _folders(folder: Path) -> Iterator[str]:
    with os.scandir(folder) as entries:
        yield from (entry.name for entry in entries if entry.is_dir())
