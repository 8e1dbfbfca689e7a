"""One task being worked on: its database, what is left of the budget, and how it ends."""

from dataclasses import dataclass
from typing import Literal

from db_execution.protocol import Answer
from db_execution.sandbox import EPISODE, Ask, Memory
from investigation.actions import Action
from investigation.grading import Mismatch, mismatch
from investigation.instance import Instance

ACTIONS = 12
"""How many actions an episode has. The last one counts like any other."""

CLOCK = "2000-01-01T00:00:00"
"""What ``date('now')`` says, so that an episode can be played again; no question asks for it."""

Failure = Literal["syntax", "refused", "limit"]
Reason = Literal["correct", "finish", "budget", "crash"] | Failure | Mismatch
"""How an episode ended; for the operator's eyes alone."""

TOO_LARGE = frozenset(("sql_bytes", "nesting", "expansion", "too_complex"))
"""Error classes of SQL that is too large, however the engine or the guard answers it."""


@dataclass(frozen=True, slots=True)
class Step:
    """What became of one action: the answer to its SQL, and how the episode ended if it did."""

    answer: Answer | None
    ended: Reason | None

    @property
    def reward(self) -> float:
        """1 for the whole right table, else 0."""
        return float(self.ended == "correct")


class Episode:
    """An agent at work on an instance, under a name of its own. Close it after use."""

    def __init__(self, instance: Instance, ident: str) -> None:
        self.instance = instance
        self.ident = ident
        self.taken = 0
        self.ended: Reason | None = None
        self._memory = Memory(instance.tables, EPISODE)

    def step(self, action: Action) -> Step:
        """Do one action of an episode that has not ended. If this raises, it has."""
        self.taken += 1
        try:
            answer, self.ended = self._done(action)
        except BaseException:
            self.ended = "crash"
            raise
        return Step(answer, self.ended)

    def _done(self, action: Action) -> tuple[Answer | None, Reason | None]:
        if action.op == "finish":
            return None, "finish"
        if action.op == "submit":
            answer = ask_for_grading(self._memory, self.instance, action.sql)
            return answer, grade(self.instance, answer)
        answer = self._memory.run(action.sql, Ask(clock=CLOCK))
        return answer, "budget" if self.taken >= ACTIONS else None

    def close(self) -> None:
        """Let go of the database."""
        self._memory.close()


def ask_for_grading(memory: Memory, instance: Instance, sql: str) -> Answer:
    """The answer to ``sql``, with at most one row more than is right."""
    return memory.run(sql, Ask(clock=CLOCK, rows=len(instance.expected) + 1))


def grade(instance: Instance, answer: Answer) -> Reason:
    """``correct``, or the first thing that is wrong with a submitted query's answer."""
    wrong = failure(answer)
    if wrong is not None:
        return wrong
    got = answer.rows or ()
    return mismatch(instance.expected, got, columns=answer.column_count) or "correct"


def is_right(instance: Instance, sql: str) -> bool:
    """Whether ``sql`` answers ``instance``, on a database of its own."""
    with Memory(instance.tables, EPISODE) as memory:
        return grade(instance, ask_for_grading(memory, instance, sql)) == "correct"


def failure(answer: Answer) -> Failure | None:
    """Why a query gave no rows, or None if it gave some."""
    if answer.status == "ok":
        return None
    if answer.status in ("timeout", "too_large") or answer.error_class in TOO_LARGE:
        return "limit"
    return "refused" if answer.status == "refused" else "syntax"
