"""What an answer is worth beside its golds: the verdict and every reading, once all is there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchmark.asking import Key
from benchmark.cases import Case, Name
from benchmark.compare_answers import better, by_digest, by_rows, other_count
from benchmark.csvtext import Table
from benchmark.outcome import Outcome
from benchmark.pairs import Pair
from benchmark.readings import READINGS, Reading
from benchmark.run import Attempt
from benchmark.sides import Side

HEAD = 3
"""Rows of an answer that a report shows."""

NO_TABLES: Mapping[Key, Table | None] = {}


class Judge:
    """Judges by these readings, and with ``details`` says why. It asks nobody."""

    def __init__(self, readings: Sequence[str], *, details: bool) -> None:
        self._readings = [READINGS[name] for name in readings]
        self._by_name = any(one.by_name for one in self._readings)
        self._details = details

    def answer_name(self, case: Case, actual: Side) -> Name:
        """What cases share whose answers are one: whatever their queries are, so is the verdict.

        Digests take 1 and 1.0 for one number. What shows how a number is written does not, so there
        an answer with a REAL is shared with nobody.
        """
        answer = actual.digests
        if answer is None or answer.list_digest is None:
            return case.name
        if answer.close_digest is not None and (self._by_name or self._details):
            return case.name
        return (case.task.task_id, answer.list_digest, answer.columns, answer.flags)

    def pair(self, actual: Side, gold: Side) -> Pair:
        """An answer beside a gold, with the verdict where it needs no rows."""
        if not (actual.ok and gold.ok):
            return Pair(actual, gold)
        verdict = by_digest(actual, gold)
        if verdict is None and not self._details:
            verdict = other_count(actual, gold)
        return Pair(actual, gold, actual.table, gold.table, verdict)

    def needs_rows(self, pair: Pair) -> bool:
        """Whether digests leave the verdict or a reading open."""
        if not (pair.actual.ok and pair.gold.ok):
            return False
        if pair.verdict is None:
            return True
        same = pair.is_same_list
        left = (one for one in self._readings if one.by_name or not same)
        return any(one.needs_rows(pair) for one in left)

    def outcome(
        self, case: Case, pairs: Sequence[Pair], heads: Mapping[Key, Table | None] = NO_TABLES
    ) -> Outcome:
        """What comes of an attempt, beside each gold that is right."""
        best = _best(pairs)
        return Outcome(
            task=case.task,
            attempt=case.attempt,
            pair=best.without_rows(),
            comparison=best.verdict,
            readings=self._read_all(best, case.attempt),
            heads=self._heads(best, heads) if self._details else (None, None),
        )

    def held(self, tree: str, outcome: Outcome, pairs: Sequence[Pair]) -> Outcome:
        """The outcome, once it has been looked at on another tree."""
        pair = _best(pairs)
        everywhere = (one for one in self._readings if one.every_tree)
        read = {one.name: _read(one, pair, outcome.attempt) for one in everywhere}
        return outcome.on_tree(tree, pair, read)

    def _heads(
        self, pair: Pair, heads: Mapping[Key, Table | None]
    ) -> tuple[Table | None, Table | None]:
        return (
            _head(pair.actual, pair.actual_table, heads),
            _head(pair.gold, pair.gold_table, heads),
        )

    def _read_all(self, pair: Pair, attempt: Attempt | None) -> dict[str, float | None]:
        same = pair.actual.ok and pair.gold.ok and pair.is_same_list
        return {
            one.name: 1.0 if same and not one.by_name else _read(one, pair, attempt)
            for one in self._readings
        }


def _read(reading: Reading, pair: Pair, attempt: Attempt | None) -> float | None:
    if not pair.gold.ok:
        return None
    if attempt is None or not pair.actual.ok:
        return None if pair.actual.no_database else 0.0
    return reading.read(pair)


def _head(side: Side, whole: Table | None, heads: Mapping[Key, Table | None]) -> Table | None:
    """The first rows of a side, cut from all of them or fetched by themselves."""
    whole = whole if side.table is None else side.table
    if whole is not None:
        return replace(whole, rows=whole.rows[:HEAD])
    return heads.get(side.key) if side.key is not None else None


def _best(pairs: Sequence[Pair]) -> Pair:
    """The pair that counts: a gold that failed only where there is no other."""
    best, *others = map(_compared, pairs)
    for pair in others:
        one, other = best.verdict, pair.verdict
        if other is not None and (one is None or better(one, other) is other):
            best = pair
    return best


def _compared(pair: Pair) -> Pair:
    """The pair with its verdict, if there can be one."""
    if pair.verdict is not None or not (pair.actual.ok and pair.gold.ok):
        return pair
    verdict = by_rows(pair.actual, pair.gold, (pair.actual_table, pair.gold_table))
    return pair._replace(verdict=verdict)
