"""Evaluate runs: every query asked once over all of them, then a verdict and readings a task."""

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from benchmark.asking import ORIGINAL, Asker, Key, Tables
from benchmark.cases import Case, Name, grouped
from benchmark.folding import folded
from benchmark.judge import HEAD, Judge
from benchmark.outcome import Evaluation, Outcome
from benchmark.pairs import Pair
from benchmark.readings import READINGS
from benchmark.run import Attempt, Run
from benchmark.sides import Side, agent_side, asked_sql, gold_key, gold_sides
from benchmark.steps import Steps, all_done
from benchmark.tasks import Task, Tasks
from db_execution.protocol import Answer

GROUP = 800
"""So many attempts on one database are judged together: their rows are held at once."""

QUEUED = 3
"""Questions for each worker of the executor: one that it is at, and more that wait."""

Outcomes = dict[Name, Outcome]
NOT_EXECUTED = Side(error="not executed")
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
        gc.freeze()
        gc.unfreeze()  # and back: now all of it is old, and not looked through at once
        if was_on:
            gc.enable()


class _Evaluator:
    def __init__(self, tasks: Tasks, asker: Asker | None, settings: Settings) -> None:
        self._tasks, self._asker, self._settings = tasks, asker, settings
        self._judge = Judge(settings.readings, details=settings.details)
        self._write = str if settings.details else folded
        self._golds: dict[tuple[str, str], tuple[Side, ...]] = {}

    def evaluated(self, runs: Sequence[Run]) -> list[Evaluation]:
        """While one database is asked, another's answers are judged."""
        own = self._tasks.tasks
        threads = QUEUED * self._asker.threads if self._asker is not None else 1
        most = min(GROUP, len(own) * len(runs) // threads)
        groups = grouped(own, max(1, most // max(1, len(runs))))
        judged = all_done(
            [self._group([own[at] for at in group], runs) for group in groups], threads=threads
        )
        found: list[list[Outcome]] = [[] for _ in own]
        for group, outcomes in zip(groups, judged, strict=True):
            for place, at in enumerate(group):
                found[at] = outcomes[place * len(runs) : (place + 1) * len(runs)]
        return [
            Evaluation(run, self._tasks, tuple([outcomes[at] for outcomes in found]))
            for at, run in enumerate(runs)
        ]

    def _group(self, tasks: Sequence[Task], runs: Sequence[Run]) -> Steps[list[Outcome]]:
        """The outcomes of some tasks of one database, for each task those of all runs."""
        everything = [self._case(task, run) for task in tasks for run in runs]
        names = [case.name for case in everything]
        cases = dict(zip(names, everything, strict=True))
        outcomes = yield from self._judged(cases)
        for tree in self._settings.trees:
            outcomes |= yield from self._held_on(tree, outcomes, cases)
        return [
            _of(outcomes[name], case.attempt) for name, case in zip(names, everything, strict=True)
        ]

    def _case(self, task: Task, run: Run) -> Case:
        attempt = run.attempts.get(task.task_id)
        sql = None if attempt is None else asked_sql(attempt)
        return Case(task, attempt, None if sql is None else self._write(sql))

    def _judged(self, named: Mapping[Name, Case]) -> Steps[Outcomes]:
        cases = list(named.values())
        yield from self._ask(cases, ORIGINAL)
        sides = [self._side(case, ORIGINAL) for case in cases]
        alike: dict[Name, list[int]] = defaultdict(list)
        for at, (case, side) in enumerate(zip(cases, sides, strict=True)):
            alike[self._judge.answer_name(case, side)].append(at)
        firsts = [own[0] for own in alike.values()]
        pairs = yield from self._with_rows(
            [self._pairs(cases[at], sides[at], ORIGINAL) for at in firsts]
        )
        heads = yield from self._heads(pair for found in pairs for pair in found)
        judged = {
            at: self._judge.outcome(cases[at], own, heads)
            for at, own in zip(firsts, pairs, strict=True)
        }
        for first, *others in alike.values():
            judged |= {at: judged[first].shared(cases[at].attempt, sides[at]) for at in others}
        return {name: judged[at] for at, name in enumerate(named)}

    def _ask(self, cases: Iterable[Case], tree: str) -> Steps[None]:
        asker = self._asker
        if asker is None:
            return
        keys: dict[Key | None, None] = {}
        before = None
        for task, _, sql in cases:
            if task is not before:
                keys[gold_key(task, tree, self._write)] = None
                before = task
            if sql is not None and self._settings.executed:
                keys[Key(tree, task.db_id, sql)] = None
        yield lambda: asker.answers(key for key in keys if key is not None)

    @property
    def _answers(self) -> Mapping[Key, Answer]:
        return self._asker.known if self._asker is not None else NO_ANSWERS

    def _side(self, case: Case, tree: str) -> Side:
        """The attempt's answer, or why there is none."""
        task, attempt, sql = case
        if attempt is None:
            return NOT_EXECUTED
        answers = self._answers if self._settings.executed and self._asker else None
        key = None if sql is None else Key(tree, task.db_id, sql)
        return agent_side(attempt, key, answers)

    def _pairs(self, case: Case, actual: Side, tree: str) -> list[Pair]:
        """The attempt's answer beside each gold that is right; sides may be errors."""
        task, place = case.task, (tree, case.task.task_id)
        if place not in self._golds:
            self._golds[place] = gold_sides(task, self._answers, tree, self._write)
        golds = self._golds[place] if case.attempt is not None else self._golds[place][:1]
        return [self._judge.pair(actual, gold) for gold in golds]

    def _with_rows(self, pairs: list[list[Pair]]) -> Steps[list[list[Pair]]]:
        """The pairs, with rows where digests leave something open."""
        judge, asker = self._judge, self._asker
        needing = {id(pair): pair for found in pairs for pair in found if judge.needs_rows(pair)}
        if asker is None or not needing:
            return pairs
        sides = (side for pair in needing.values() for side in (pair.actual, pair.gold))
        keys = [side.key for side in sides if side.key is not None]
        tables: Tables = yield lambda: asker.rows(keys)
        return [
            [pair.with_tables(tables) if id(pair) in needing else pair for pair in found]
            for found in pairs
        ]

    def _heads(self, pairs: Iterable[Pair]) -> Steps[Tables]:
        """The first rows of answers whose rows nothing else needs."""
        asker = self._asker
        if asker is None or not self._settings.details:
            return {}
        both = (
            side
            for pair in pairs
            for side, table in ((pair.actual, pair.actual_table), (pair.gold, pair.gold_table))
            if side.ok and table is None
        )
        keys = [side.key for side in both if side.key is not None]
        heads: Tables = yield lambda: asker.rows(keys, HEAD)
        return heads

    def _held_on(
        self, tree: str, outcomes: Outcomes, cases: Mapping[Name, Case]
    ) -> Steps[Outcomes]:
        """What is right, once it has been looked at on another tree."""
        again = {name: one for name, one in outcomes.items() if _is_right(one)}
        own = [cases[name] for name in again]
        yield from self._ask(own, tree)
        pairs = yield from self._with_rows(
            [self._pairs(case, self._side(case, tree), tree) for case in own]
        )
        return {
            name: self._judge.held(tree, one, found)
            for (name, one), found in zip(again.items(), pairs, strict=True)
        }


def _of(outcome: Outcome, attempt: Attempt | None) -> Outcome:
    """The outcome of the same query, for the attempt of another run."""
    if attempt is None or attempt == outcome.attempt:
        return outcome
    return outcome.of(attempt)


def _is_right(outcome: Outcome) -> bool:
    """Whether the verdict or a reading is one that has to hold on every tree."""
    suite = (outcome.readings.get(name) for name, one in READINGS.items() if one.every_tree)
    return outcome.matched or any(value == 1 for value in suite)
