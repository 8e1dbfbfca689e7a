"""Both answers of a pair on one tree, and which of their rows the other does not have."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import NamedTuple

from db_execution.cells import Row
from db_execution.client import Client
from db_execution.comparator import Key, cell_key, same_answer
from db_execution.errors import ExecutorError
from db_execution.protocol import Answer, Query
from pairset.config.parts import Executor
from review.pairs import Pair

MAX_ROWS = 200
"""So many rows of each answer are fetched."""

TIMEOUT_MS = 20_000
"""A person waits for this page, so it waits less long than a build does."""

Opened = Callable[[ExitStack], Client]
"""Starts what is needed to ask, leaving it to the stack to end it; a client."""


class Side(NamedTuple):
    """One query's answer. ``differs`` says of each row whether the other answer lacks it."""

    answer: Answer
    differs: list[bool]


class Answers(NamedTuple):
    """Both answers on one tree, and what they say together, in words."""

    tree: str
    gold: Side | None
    neighbor: Side | None
    verdict: str
    is_same: bool | None


class Asking:
    """Asks the executor, which is started when the first answer is wanted."""

    def __init__(self, opened: Opened, executor: Executor) -> None:
        self._opened = opened
        self._executor = executor
        self._stack = ExitStack()
        self._client: Client | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """End what was started."""
        with self._lock:
            self._stack.close()
            self._client = None

    def ask(self, pair: Pair, tree: str) -> Answers:
        """Both answers. An executor that cannot be asked is said in words, and is no error."""
        try:
            client = self._started()
            return self._asked(client, pair, tree)
        except ExecutorError as error:
            return Answers(tree, None, None, f"could not be asked: {error}", None)

    def _started(self) -> Client:
        with self._lock:
            if self._client is None:
                with ExitStack() as starting:
                    client = self._opened(starting)
                    self._stack = starting.pop_all()
                self._client = client
            return self._client

    def _asked(self, client: Client, pair: Pair, tree: str) -> Answers:
        queries = [self._query(pair, tree, side) for side in ("gold_sql", "neighbor_sql")]
        gold, neighbor = (client.execute(query) for query in queries)
        if gold.status == neighbor.status == "ok":
            cut = gold.truncated or neighbor.truncated
            same = (
                _same_digests(client, queries, pair.ordered)
                if cut
                else same_answer(gold.rows or (), neighbor.rows or (), ordered=pair.ordered)
            )
            return _compared(tree, (gold, neighbor), same, pair.ordered)
        return Answers(tree, _unmarked(gold), _unmarked(neighbor), _failing(gold, neighbor), None)

    def _query(self, pair: Pair, tree: str, side: str) -> Query:
        """On the build's own terms, so that what is seen here is what was labelled."""
        terms = self._executor
        return Query(
            dataset_name=pair.pair["dataset"],
            db_id=pair.pair["db_id"],
            tree=tree,
            sql=pair.pair[side],
            timeout_ms=min(TIMEOUT_MS, int(terms.timeout_s * 1000)),
            max_rows=MAX_ROWS,
            max_vm_steps=terms.max_vm_steps,
            clock=terms.clock,
            seed=terms.seed,
        )


def _same_digests(client: Client, queries: Sequence[Query], ordered: bool) -> bool | None:
    """Whether answers that are too long to show are the same; None where that is not known."""
    whole = [client.execute(replace(query, want="digest")) for query in queries]
    kind = "list_digest" if ordered else "multiset_digest"
    one, other = (getattr(answer, kind) for answer in whole)
    return None if one is None or other is None else bool(one == other)


def _compared(tree: str, both: tuple[Answer, Answer], same: bool | None, ordered: bool) -> Answers:
    gold, neighbor = both
    mine, theirs = _keys(gold.rows), _keys(neighbor.rows)
    words = _words(same, ordered and Counter(mine) == Counter(theirs) and not gold.truncated)
    if same:  # where both were cut, the rows that are shown may differ all the same
        return Answers(tree, _unmarked(gold), _unmarked(neighbor), words, same)
    differing = _moved if Counter(mine) == Counter(theirs) else _missing
    sides = (Side(gold, differing(mine, theirs)), Side(neighbor, differing(theirs, mine)))
    return Answers(tree, *sides, words, same)


def _words(same: bool | None, only_order: bool) -> str:
    if same is None:
        return "whether the answers are the same is not known: one could not be read to its end"
    if same:
        return "the same answer"
    return "the same rows in another order" if only_order else "different answers"


def _failing(gold: Answer, neighbor: Answer) -> str:
    failing = [
        side for side, answer in (("gold", gold), ("neighbour", neighbor)) if answer.status != "ok"
    ]
    return f"no answer from the {' and the '.join(failing)}"


def _unmarked(answer: Answer) -> Side:
    return Side(answer, [False] * len(answer.rows or ()))


def _keys(rows: Sequence[Row] | None) -> list[tuple[Key, ...]]:
    return [tuple(cell_key(cell) for cell in row) for row in rows or ()]


def _missing(mine: Sequence[tuple[Key, ...]], theirs: Sequence[tuple[Key, ...]]) -> list[bool]:
    """Rows that the other answer does not have, or not so many times."""
    left = Counter(theirs)
    found = []
    for key in mine:
        found.append(left[key] <= 0)
        left[key] -= 1
    return found


def _moved(mine: Sequence[tuple[Key, ...]], theirs: Sequence[tuple[Key, ...]]) -> list[bool]:
    """Rows in whose place the other answer has another one."""
    return [one != other for one, other in zip(mine, theirs, strict=True)]
