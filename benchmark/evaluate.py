"""Evaluate runs: every query asked once over all of them, then a verdict and readings a task."""

from collections.abc import Iterable, Mapping, Sequence
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
from benchmark.outcome import Evaluation, Outcome, judged
from benchmark.pairs import Pair
from benchmark.readings import READINGS, Reading
from benchmark.run import Attempt, Run
from benchmark.sides import Side, agent_key, agent_side, gold_key, gold_sides
from benchmark.tasks import Task, Tasks
from db_execution.protocol import Answer

HEAD = 3
"""Rows of an answer that a report shows."""

NO_ANSWERS: Mapping[Key, Answer] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What to evaluate. ``executed``: the agent's SQL is run, else its results are taken as given.

    ``trees`` are further databases on which a match must hold. Without ``details`` nothing is
    fetched that only explains a verdict.
    """

    executed: bool = True
    trees: tuple[str, ...] = ()
    readings: tuple[str, ...] = tuple(READINGS)
    details: bool = True


def evaluate(
    tasks: Tasks, runs: Sequence[Run], asker: Asker | None, settings: Settings = Settings()
) -> list[Evaluation]:
    """An evaluation a run; golds and queries that several runs share are asked once."""
    return _Evaluator(tasks, asker, settings).evaluated(runs)


class _Evaluator:
    def __init__(self, tasks: Tasks, asker: Asker | None, settings: Settings) -> None:
        self._tasks, self._asker, self._settings = tasks, asker, settings
        self._readings = [READINGS[name] for name in settings.readings]

    def evaluated(self, runs: Sequence[Run]) -> list[Evaluation]:
        everything = [(run, task) for run in runs for task in self._tasks.tasks]
        self._ask(everything, ORIGINAL)
        pairs = [self._pairs(task, _attempt(run, task), ORIGINAL) for run, task in everything]
        self._fetch([pair for found in pairs for pair in found])
        self._fetch_heads([pair for found in pairs for pair in found])
        outcomes = [
            self._outcome(task, _attempt(run, task), found)
            for (run, task), found in zip(everything, pairs, strict=True)
        ]
        for tree in self._settings.trees:
            outcomes = self._held_on(tree, everything, outcomes)
        size = len(self._tasks.tasks)
        return [
            Evaluation(run, self._tasks, tuple(outcomes[at * size : (at + 1) * size]))
            for at, run in enumerate(runs)
        ]

    def _ask(self, attempts: Iterable[tuple[Run, Task]], tree: str) -> None:
        if self._asker is None:
            return
        keys: dict[Key | None, None] = {}
        for run, task in attempts:
            keys[gold_key(task, tree)] = None
            if self._settings.executed:
                keys[agent_key(task, _attempt(run, task), tree)] = None
        self._asker.answers(key for key in keys if key is not None)

    @property
    def _answers(self) -> Mapping[Key, Answer]:
        return self._asker.answers(()) if self._asker is not None else NO_ANSWERS

    def _pairs(self, task: Task, attempt: Attempt | None, tree: str) -> list[Pair]:
        """The attempt's answer beside each gold that is right; sides may be errors."""
        golds = gold_sides(task, self._answers, tree)
        in_order = is_ordered(task.gold_sql)
        if attempt is None:
            return [Pair(Side(error="not executed"), golds[0], in_order)]
        answers = self._answers if self._settings.executed and self._asker else None
        actual = agent_side(task, attempt, answers, tree)
        return [Pair(actual, gold, in_order) for gold in golds]

    def _fetch(self, pairs: Iterable[Pair]) -> None:
        """Get the rows of the pairs that digests do not settle."""
        if self._asker is not None:
            wanted = (pair for pair in pairs if pair.actual.ok and pair.gold.ok)
            needing = (pair for pair in wanted if self._needs_rows(pair))
            sides = (side for pair in needing for side in (pair.actual, pair.gold))
            self._asker.fetch(side.key for side in sides if side.key is not None)

    def _fetch_heads(self, pairs: Iterable[Pair]) -> None:
        """Get the first rows of answers whose rows nothing else needs."""
        if self._asker is not None and self._settings.details:
            sides = (side for pair in pairs for side in (pair.actual, pair.gold) if side.ok)
            keys = [side.key for side in sides if side.key is not None]
            self._asker.fetch((key for key in keys if self._asker.table(key) is None), HEAD)

    def _head(self, side: Side) -> Table | None:
        if not side.ok or not self._settings.details:
            return None
        whole = self._table(side)
        if whole is not None:
            return replace(whole, rows=whole.rows[:HEAD])
        return self._asker.table(side.key, HEAD) if self._asker and side.key else None

    def _needs_rows(self, pair: Pair) -> bool:
        return self._quickly(pair) is None or any(one.needs_rows(pair) for one in self._readings)

    def _quickly(self, pair: Pair) -> Comparison | None:
        """The verdict without rows, if that can be had, and with all that is wanted of it."""
        found = by_digest(pair.actual, pair.gold, in_order=pair.in_order)
        if found is None and not self._settings.details:
            return other_count(pair.actual, pair.gold)
        return found

    def _filled(self, pair: Pair) -> Pair:
        return replace(
            pair, actual_table=self._table(pair.actual), gold_table=self._table(pair.gold)
        )

    def _table(self, side: Side) -> Table | None:
        if side.table is not None or self._asker is None or side.key is None:
            return side.table
        return self._asker.table(side.key)

    def _compared(self, pair: Pair) -> Comparison | None:
        if not (pair.actual.ok and pair.gold.ok):
            return None
        tables = (pair.actual_table, pair.gold_table)
        return self._quickly(pair) or by_rows(
            pair.actual, pair.gold, tables, in_order=pair.in_order
        )

    def _outcome(self, task: Task, attempt: Attempt | None, pairs: list[Pair]) -> Outcome:
        filled = [self._filled(pair) for pair in pairs]
        best, comparison = self._best(filled)
        readings = {one.name: self._read(one, best, attempt) for one in self._readings}
        heads = (self._head(best.actual), self._head(best.gold))
        light = replace(best, actual_table=None, gold_table=None)
        return replace(judged(task, attempt, light, comparison, readings), heads=heads)

    def _best(self, pairs: Sequence[Pair]) -> tuple[Pair, Comparison | None]:
        """The pair that counts: golds that failed only where there is no other."""
        best, comparison = pairs[0], self._compared(pairs[0])
        for pair in pairs[1:]:
            found = self._compared(pair)
            if found is not None and (comparison is None or better(comparison, found) is found):
                best, comparison = pair, found
        return best, comparison

    def _read(self, reading: Reading, pair: Pair, attempt: Attempt | None) -> float | None:
        if not pair.gold.ok:
            return None
        if attempt is None or not pair.actual.ok:
            return None if pair.actual.no_database else 0.0
        return reading.read(pair)

    def _held_on(
        self, tree: str, everything: Sequence[tuple[Run, Task]], outcomes: Sequence[Outcome]
    ) -> list[Outcome]:
        """The outcomes once what is right has been looked at on another tree."""
        again = [at for at, outcome in enumerate(outcomes) if _is_right(outcome)]
        self._ask([everything[at] for at in again], tree)
        pairs = {}
        for at in again:
            run, task = everything[at]
            pairs[at] = self._pairs(task, _attempt(run, task), tree)
        self._fetch([pair for found in pairs.values() for pair in found])
        held = list(outcomes)
        for at, found in pairs.items():
            held[at] = self._held(tree, outcomes[at], found)
        return held

    def _held(self, tree: str, outcome: Outcome, pairs: Sequence[Pair]) -> Outcome:
        pair, comparison = self._best([self._filled(one) for one in pairs])
        everywhere = (one for one in self._readings if one.every_tree)
        read = {one.name: self._read(one, pair, outcome.attempt) for one in everywhere}
        return outcome.on_tree(tree, pair, comparison, read)


def _attempt(run: Run, task: Task) -> Attempt | None:
    return run.attempts.get(task.task_id)


def _is_right(outcome: Outcome) -> bool:
    """Whether the verdict or a reading is one that has to hold on every tree."""
    suite = (outcome.readings.get(name) for name, one in READINGS.items() if one.every_tree)
    return outcome.facts.matched or any(value == 1 for value in suite)
