"""Evaluate runs: every query asked once over all of them, then a verdict and readings a task."""

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

from benchmark.asking import ORIGINAL, Asker, Key
from benchmark.compare_answers import (
    Comparison,
    better,
    by_digest,
    by_rows,
    is_ordered,
    other_count,
)
from benchmark.csvtext import Table
from benchmark.folding import folded
from benchmark.outcome import Evaluation, Outcome
from benchmark.pairs import Pair
from benchmark.readings import READINGS, Reading
from benchmark.run import Attempt, Run
from benchmark.sides import Side, agent_key, agent_side, gold_key, gold_sides
from benchmark.tasks import Task, Tasks
from db_execution.protocol import Answer

SLICE = 400
"""Cases whose rows are held at once."""

HEAD = 3
"""Rows of an answer that a report shows."""

Case = tuple[Task, Attempt | None]
Outcomes = dict[tuple[object, ...], Outcome]
NO_ANSWERS: Mapping[Key, Answer] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What to evaluate. ``executed``: the agent's SQL is run, else its results are taken as given.

    ``trees`` are further databases on which a match must hold. Without ``details`` nothing is
    fetched that only explains a verdict, and queries that differ in case and blanks are one.
    """

    executed: bool = True
    trees: tuple[str, ...] = ()
    readings: tuple[str, ...] = tuple(READINGS)
    details: bool = True


def evaluate(
    tasks: Tasks, runs: Sequence[Run], asker: Asker | None, settings: Settings = Settings()
) -> list[Evaluation]:
    """An evaluation a run; golds and queries that several runs share are asked once."""
    with _many_objects():
        return _Evaluator(tasks, asker, settings).evaluated(runs)


@contextmanager
def _many_objects() -> Iterator[None]:
    """Without the collector of cycles: what is made here has none, and stays until the end."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Evaluator:
    def __init__(self, tasks: Tasks, asker: Asker | None, settings: Settings) -> None:
        self._tasks, self._asker, self._settings = tasks, asker, settings
        self._readings = [READINGS[name] for name in settings.readings]
        self._write = str if settings.details else folded
        self._golds: dict[tuple[str, str], tuple[Side, ...]] = {}

    def evaluated(self, runs: Sequence[Run]) -> list[Evaluation]:
        own = self._tasks.tasks
        everything = [(task, run.attempts.get(task.task_id)) for run in runs for task in own]
        names = [self._case(task, attempt) for task, attempt in everything]
        cases = dict(zip(names, everything, strict=True))
        outcomes = self._by_database(cases)
        for tree in self._settings.trees:
            outcomes |= self._held_on(tree, outcomes)
        found = [
            _of(outcomes[name], attempt)
            for name, (_, attempt) in zip(names, everything, strict=True)
        ]
        return [
            Evaluation(run, self._tasks, tuple(found[at * len(own) : (at + 1) * len(own)]))
            for at, run in enumerate(runs)
        ]

    def _case(self, task: Task, attempt: Attempt | None) -> tuple[object, ...]:
        """What two attempts share that are one to a verdict: systems often write the same query."""
        if attempt is None:
            return (task.task_id,)
        sql = attempt.sql and self._write(attempt.sql)
        return (task.task_id, sql, attempt.result, attempt.failure)

    def _by_database(self, cases: Mapping[tuple[object, ...], Case]) -> Outcomes:
        """The outcome of every case: while one database is asked, another's answers are judged."""
        groups: dict[str, list[tuple[object, ...]]] = defaultdict(list)
        in_order = sorted(cases, key=lambda name: str(name[0]))  # one gold's cases side by side
        for name in in_order:
            groups[cases[name][0].db_id].append(name)
        largest_first = sorted(groups.values(), key=len, reverse=True)
        threads = self._asker.threads + 1 if self._asker is not None else 1  # one judges meanwhile
        with ThreadPoolExecutor(threads) as pool:
            found = pool.map(lambda own: self._outcomes([cases[one] for one in own]), largest_first)
            for task, _ in cases.values():
                is_ordered(task.gold_sql)  # remembered: there is time while an executor starts
            judged = [
                dict(zip(own, some, strict=True))
                for own, some in zip(largest_first, found, strict=True)
            ]
        together = {name: one for some in judged for name, one in some.items()}
        return {name: together[name] for name in cases}

    def _outcomes(self, cases: Sequence[Case]) -> list[Outcome]:
        self._ask(cases, ORIGINAL)
        slices = (cases[at : at + SLICE] for at in range(0, len(cases), SLICE))
        return [outcome for some in slices for outcome in self._judged(some)]

    def _judged(self, cases: Sequence[Case]) -> list[Outcome]:
        """The outcomes of some cases, whose rows are let go of afterwards."""
        pairs = [self._pairs(task, attempt, ORIGINAL) for task, attempt in cases]
        fetched = self._fetch([pair for found in pairs for pair in found])
        self._fetch_heads([pair for found in pairs for pair in found])
        outcomes = [
            self._outcome(task, attempt, found)
            for (task, attempt), found in zip(cases, pairs, strict=True)
        ]
        if self._asker is not None:
            self._asker.forget(fetched)
        return outcomes

    def _ask(self, cases: Iterable[Case], tree: str) -> None:
        if self._asker is None:
            return
        keys: dict[Key | None, None] = {}
        for task, attempt in cases:
            keys[gold_key(task, tree, self._write)] = None
            if self._settings.executed:
                keys[agent_key(task, attempt, tree, self._write)] = None
        self._asker.answers(key for key in keys if key is not None)

    @property
    def _answers(self) -> Mapping[Key, Answer]:
        return self._asker.known if self._asker is not None else NO_ANSWERS

    def _pairs(self, task: Task, attempt: Attempt | None, tree: str) -> list[Pair]:
        """The attempt's answer beside each gold that is right; sides may be errors."""
        place = tree, task.task_id
        if place not in self._golds:
            self._golds[place] = gold_sides(task, self._answers, tree, self._write)
        golds, in_order = self._golds[place], is_ordered(task.gold_sql)
        if attempt is None:
            return [Pair(Side(error="not executed"), golds[0], in_order)]
        answers = self._answers if self._settings.executed and self._asker else None
        actual = agent_side(attempt, agent_key(task, attempt, tree, self._write), answers)
        return [self._pair(actual, gold, in_order) for gold in golds]

    def _pair(self, actual: Side, gold: Side, in_order: bool) -> Pair:
        if not (actual.ok and gold.ok):
            return Pair(actual, gold, in_order)
        settled = by_digest(actual, gold, in_order=in_order)
        if settled is None and not self._settings.details:
            settled = other_count(actual, gold)
        return Pair(actual, gold, in_order, settled=settled)

    def _fetch(self, pairs: Iterable[Pair]) -> list[Key]:
        """Get the rows of the pairs that digests do not settle; the queries that they are of."""
        if self._asker is None:
            return []
        wanted = (pair for pair in pairs if pair.actual.ok and pair.gold.ok)
        needing = (pair for pair in wanted if self._needs_rows(pair))
        sides = (side for pair in needing for side in (pair.actual, pair.gold))
        keys = [side.key for side in sides if side.key is not None]
        self._asker.fetch(keys)
        return keys

    def _needs_rows(self, pair: Pair) -> bool:
        if pair.settled is None:
            return True
        same = pair.is_same_list
        left = (one for one in self._readings if one.by_name or not same)
        return any(one.needs_rows(pair) for one in left)

    def _fetch_heads(self, pairs: Iterable[Pair]) -> None:
        """Get the first rows of answers whose rows nothing else needs."""
        if self._asker is not None and self._settings.details:
            sides = (side for pair in pairs for side in (pair.actual, pair.gold) if side.ok)
            keys = [side.key for side in sides if side.key is not None]
            self._asker.fetch((key for key in keys if self._asker.table(key) is None), HEAD)

    def _head(self, side: Side) -> Table | None:
        whole = self._table(side) if side.ok else None
        if whole is not None:
            return replace(whole, rows=whole.rows[:HEAD])
        return self._asker.table(side.key, HEAD) if self._asker and side.key else None

    def _table(self, side: Side) -> Table | None:
        if side.table is not None or self._asker is None or side.key is None:
            return side.table
        return self._asker.table(side.key)

    def _filled(self, pair: Pair) -> Pair:
        actual, gold = self._table(pair.actual), self._table(pair.gold)
        return pair if actual is None and gold is None else pair.with_tables(actual, gold)

    def _compared(self, pair: Pair) -> Comparison | None:
        if not (pair.actual.ok and pair.gold.ok):
            return None
        tables = (pair.actual_table, pair.gold_table)
        return pair.settled or by_rows(pair.actual, pair.gold, tables, in_order=pair.in_order)

    def _outcome(self, task: Task, attempt: Attempt | None, pairs: list[Pair]) -> Outcome:
        best, comparison = self._best([self._filled(pair) for pair in pairs])
        readings = self._read_all(best, attempt)
        outcome = Outcome(
            task=task, attempt=attempt, pair=best, comparison=comparison, readings=readings
        )
        if not self._settings.details:
            return outcome.without_rows()
        heads = (self._head(best.actual), self._head(best.gold))
        return replace(outcome.without_rows(), heads=heads)

    def _best(self, pairs: Sequence[Pair]) -> tuple[Pair, Comparison | None]:
        """The pair that counts: a gold that failed only where there is no other."""
        best, comparison = pairs[0], self._compared(pairs[0])
        for pair in pairs[1:]:
            found = self._compared(pair)
            if found is not None and (comparison is None or better(comparison, found) is found):
                best, comparison = pair, found
        return best, comparison

    def _read_all(self, pair: Pair, attempt: Attempt | None) -> dict[str, float | None]:
        same = pair.actual.ok and pair.gold.ok and pair.is_same_list
        return {
            one.name: 1.0 if same and not one.by_name else self._read(one, pair, attempt)
            for one in self._readings
        }

    def _read(self, reading: Reading, pair: Pair, attempt: Attempt | None) -> float | None:
        if not pair.gold.ok:
            return None
        if attempt is None or not pair.actual.ok:
            return None if pair.actual.no_database else 0.0
        return reading.read(pair)

    def _held_on(self, tree: str, outcomes: Outcomes) -> Outcomes:
        """What is right, once it has been looked at on another tree."""
        again = {name: one for name, one in outcomes.items() if _is_right(one)}
        self._ask([(one.task, one.attempt) for one in again.values()], tree)
        pairs = {name: self._pairs(one.task, one.attempt, tree) for name, one in again.items()}
        self._fetch([pair for found in pairs.values() for pair in found])
        return {name: self._held(tree, one, pairs[name]) for name, one in again.items()}

    def _held(self, tree: str, outcome: Outcome, pairs: Sequence[Pair]) -> Outcome:
        pair, comparison = self._best([self._filled(one) for one in pairs])
        everywhere = (one for one in self._readings if one.every_tree)
        read = {one.name: self._read(one, pair, outcome.attempt) for one in everywhere}
        return outcome.on_tree(tree, pair, comparison, read)


def _of(outcome: Outcome, attempt: Attempt | None) -> Outcome:
    """The outcome of the same query, for the attempt of another run."""
    if outcome.attempt is attempt or attempt is None:
        return outcome
    return outcome.of(attempt)


def _is_right(outcome: Outcome) -> bool:
    """Whether the verdict or a reading is one that has to hold on every tree."""
    suite = (outcome.readings.get(name) for name, one in READINGS.items() if one.every_tree)
    return outcome.matched or any(value == 1 for value in suite)
