"""Every query asked once, whoever wrote it: answers as digests, and rows where they are needed."""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from benchmark.csvtext import Table
from benchmark.errors import BenchmarkError
from db_execution.errors import NoSuchDatabase
from db_execution.local import Local
from db_execution.protocol import Answer, Batch, Executor

ORIGINAL = "original"
MOST_ROWS = 50_000
PIECE = 1_000
"""Queries of one database that a thread asks in one go."""

T = TypeVar("T")
NO_DATABASE = "no_database"
"""The error class of an answer that no database could give."""


class Key(NamedTuple):
    """One query of one database on one tree."""

    tree: str
    db_id: str
    sql: str


Tables = dict[Key, Table | None]


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms queries run: the same clock and dice for gold and agent, and limits."""

    dataset: str = "benchmark"
    timeout_ms: int = 30_000
    max_vm_steps: int = 1_000_000_000
    clock: str = "2026-01-01T00:00:00Z"
    seed: int = 0


class Asker:
    """Asks an executor and remembers its answers."""

    def __init__(
        self,
        executor: Executor,
        terms: Terms = Terms(),
        *,
        threads: int = 2,
        tell: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        self._executor, self._terms, self._tell = executor, terms, tell
        self.threads = threads
        self._counting = threading.Lock()
        self._done = self._asked_for = 0
        self._answers: dict[Key, Answer] = {}
        self._missing: set[tuple[str, str]] = set()

    def answers(self, keys: Iterable[Key]) -> Mapping[Key, Answer]:
        """The digests of every query; a database that is not there is an answer as well."""
        new = [key for key in dict.fromkeys(keys) if key not in self._answers]
        for key, answer in self._asked(new, "digest", 1):
            self._answers[key] = answer
        return self._answers

    @property
    def executor(self) -> Executor:
        """Who is asked, for queries that are not to be remembered."""
        return self._executor

    @property
    def known(self) -> Mapping[Key, Answer]:
        """All answers so far."""
        return self._answers

    def rows(self, keys: Iterable[Key], most: int = MOST_ROWS) -> Tables:
        """The rows of these queries, up to so many of each; None where all were too many."""
        asked = self._asked(list(dict.fromkeys(keys)), "rows", most)
        return {key: _table(answer, most) for key, answer in asked}

    def elapsed(self, keys: Sequence[Key]) -> list[float]:
        """How long each query takes now, in milliseconds, asked in turn."""
        took: dict[int, float] = {}
        places = _by_database(keys, range(len(keys)))
        for (tree, db_id), own in places.items():
            found = self._piece(tree, db_id, [keys[at] for at in own], "digest", 1)
            took |= {at: answer.elapsed_ms for at, (_, answer) in zip(own, found, strict=True)}
        return [took[at] for at in range(len(keys))]

    def _asked(
        self, keys: Sequence[Key], want: Literal["digest", "rows"], most: int
    ) -> Iterator[tuple[Key, Answer]]:
        pieces = [
            (tree, db_id, own[at : at + PIECE])
            for (tree, db_id), own in _by_database(keys, keys).items()
            for at in range(0, len(own), PIECE)
        ]
        pieces.sort(key=lambda piece: -len(piece[2]))
        self._count(asked=len(keys))
        if len(pieces) < 2:
            for piece in pieces:
                yield from self._piece(*piece, want, most)
                self._count(done=len(keys))
            return
        pool = ThreadPoolExecutor(self.threads)
        try:
            for future in [pool.submit(self._piece, *piece, want, most) for piece in pieces]:
                found = future.result()
                self._count(done=len(found))
                yield from found
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _count(self, *, asked: int = 0, done: int = 0) -> None:
        """Tell how far it is: several threads may ask at once."""
        with self._counting:
            self._asked_for += asked
            self._done += done
            if done:
                self._tell(self._done, self._asked_for)

    def _piece(
        self, tree: str, db_id: str, keys: Sequence[Key], want: Literal["digest", "rows"], most: int
    ) -> list[tuple[Key, Answer]]:
        if (tree, db_id) in self._missing:
            return [(key, _nowhere(tree, db_id)) for key in keys]
        batch = Batch(
            dataset_name=self._terms.dataset,
            db_id=db_id,
            tree=tree,
            want=want,
            max_rows=most,
            timeout_ms=self._terms.timeout_ms,
            max_vm_steps=self._terms.max_vm_steps,
            clock=self._terms.clock,
            seed=self._terms.seed,
            queries=tuple(key.sql for key in keys),
        )
        try:
            return list(zip(keys, self._executor.batch(batch), strict=True))
        except NoSuchDatabase:
            self._missing.add((tree, db_id))
            return [(key, _nowhere(tree, db_id)) for key in keys]


def _table(answer: Answer, most: int) -> Table | None:
    if answer.rows is None or (answer.truncated and most == MOST_ROWS):
        return None
    return Table(answer.columns, answer.rows)


def _by_database(keys: Sequence[Key], values: Iterable[T]) -> dict[tuple[str, str], list[T]]:
    """``values``, one a key, by the key's tree and database."""
    found: dict[tuple[str, str], list[T]] = defaultdict(list)
    for key, value in zip(keys, values, strict=True):
        found[key.tree, key.db_id].append(value)
    return found


def _nowhere(tree: str, db_id: str) -> Answer:
    said = f"no database {db_id!r} in the tree {tree!r}"
    return Answer(status="error", error_class=NO_DATABASE, error=said)


@contextmanager
def asking(
    folders: Mapping[str, Path],
    terms: Terms = Terms(),
    *,
    workers: int = 2,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[Asker]:
    """An executor of our own over trees of databases, by name; one of them is ``original``.

    It starts while the caller goes on.
    """
    for name, folder in folders.items():
        if not folder.is_dir():
            raise BenchmarkError(f"no folder {folder} for the databases of the tree {name!r}")
    specs = [f"{name}={folder}" for name, folder in folders.items()]
    with Local(specs, workers=workers) as executor:
        yield Asker(executor, terms, threads=workers, tell=tell)


def timed(terms: Terms, seconds: float) -> Terms:
    """The same terms with another limit on wall time."""
    return replace(terms, timeout_ms=max(1, int(seconds * 1000)))
