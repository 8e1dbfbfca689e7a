"""The environment: an agent explores a database with SQL, and submits the query that answers.

An agent reads observations and the state, and its own results in them. None of these holds the
seed, the oracle or the right answer; how an episode ended goes to the operator's journal.
"""

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from db_execution.sandbox import EPISODE, limit_heap_if_unlimited
from investigation.actions import Action
from investigation.episode import ACTIONS, Episode, Failure, Step, failure, is_right
from investigation.showing import schema, shown
from investigation.siblings import sibling
from investigation.tasks import BadReset, Wish, World

Journal = Callable[[dict[str, Any]], None]
"""Takes what happened, for the operator: a fact a key, and what kind of event under ``event``."""

ErrorKind = Failure | Literal["over"]

OVER = "the episode is over; reset begins another"
NO_EPISODE = "there is no episode yet; reset begins one"
CLOSED = "the session is closed"
ID_CHARACTERS = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What an agent sees after a reset or a step.

    ``instruction`` and ``db_schema`` come with a reset. ``rows`` are JSON values, of the agent's
    own query; ``truncated`` says that not all of them are shown. A submission shows nothing but its
    reward: how far it ran depends on how many rows are right.
    """

    instruction: str = ""
    db_schema: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[list[Any], ...] = ()
    truncated: bool = False
    error: str | None = None
    error_kind: ErrorKind | None = None
    actions_left: int = 0
    done: bool = False
    reward: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Where an episode stands."""

    episode_id: str | None = None
    family: str | None = None
    step_count: int = 0
    actions_left: int = 0
    done: bool = True


_TURN = threading.Lock()
"""Held while an instance is drawn or a statement runs: one at a time in a process.

The engine's memory is bounded for the whole process, so a statement that takes all of it must find
no other in it; and a second of wall time is a second of its own, however many sessions there are.
"""


class Environment:
    """One agent's sessions, one episode after the other. Close it after use.

    ``journal`` is told each reset with its seed, each action, and why an episode ended. With
    ``siblings`` it is also told whether the submitted SQL is right on another instance that asks
    the same question.
    """

    def __init__(
        self, world: World | None = None, *, journal: Journal | None = None, siblings: bool = False
    ) -> None:
        self._world = world or ten_families()
        self._tell: Journal = journal or (lambda facts: None)
        self._siblings = siblings
        self._episode: Episode | None = None
        self._nothing = NO_EPISODE
        self._guard = threading.RLock()
        limit_heap_if_unlimited(EPISODE.heap_bytes)

    @property
    def families(self) -> tuple[str, ...]:
        """The names of the families there are."""
        return self._world.families

    def reset(self, wish: Wish | None = None, *, episode_id: str | None = None) -> Observation:
        """Begin an episode; its first observation has the task. BadReset leaves all as it was."""
        task = (wish or Wish()).task(self._world)
        ident = _id(episode_id)
        with self._guard:
            if self._nothing is CLOSED:
                raise BadReset("the session is closed; begin another one")
            with _TURN:
                episode = Episode(self._world.draw(task.family, task.seed), ident)
            self._let_go()
            self._episode = episode
            self._tell({"event": "reset", **_known(episode)})
            instance = episode.instance
            return Observation(
                instruction=instance.instruction,
                db_schema=schema(instance.tables),
                actions_left=ACTIONS,
            )

    def step(self, action: Action) -> Observation:
        """Do one action. Once an episode has ended nothing is done or graded any more."""
        with self._guard:
            episode = self._episode
            if episode is None or episode.ended is not None:
                why = OVER if episode else self._nothing
                return Observation(error=why, error_kind="over", done=True)
            with _TURN:
                step = episode.step(action)  # whatever it raises, the episode has ended
            self._report(episode, action, step)
            return _observed(action, step, ACTIONS - episode.taken)

    @property
    def state(self) -> State:
        """Where the episode stands. Waits for nothing: a step under way may be in it or not."""
        episode = self._episode
        if episode is None:
            return State()
        taken, over = episode.taken, episode.ended is not None
        return State(
            episode_id=episode.ident,
            family=episode.instance.family,
            step_count=taken,
            actions_left=0 if over else ACTIONS - taken,
            done=over,
        )

    def close(self) -> None:
        """Let go of the database. A step after it finds no episode."""
        with self._guard:
            self._nothing = CLOSED
            self._let_go()

    def _let_go(self) -> None:
        episode, self._episode = self._episode, None
        if episode is not None:
            episode.close()
            if episode.ended is None:
                self._tell({"event": "left", "episode": episode.ident, "step": episode.taken})

    def _report(self, episode: Episode, action: Action, step: Step) -> None:
        facts: dict[str, Any] = {
            "episode": episode.ident,
            "step": episode.taken,
            "op": action.op,
        }
        if step.answer is not None:
            facts |= {
                "sql": action.sql,
                "failure": failure(step.answer),
                "error": step.answer.error,
            }
        self._tell({"event": "action", **facts})
        if step.ended is None:
            return
        end = _known(episode) | {
            "actions": episode.taken,
            "reward": step.reward,
            "reason": step.ended,
        }
        if self._siblings and action.op == "submit":
            end["right_on_sibling"] = self._right_on_sibling(episode, action.sql)
        self._tell({"event": "end", **end})

    def _right_on_sibling(self, episode: Episode, sql: str) -> bool | None:
        with _TURN:
            other = sibling(episode.instance, self._world)
            return None if other is None else is_right(other.instance, other.translated(sql))


def ten_families() -> World:
    """The project's own families."""
    from investigation.families import FAMILIES, draw

    return World(tuple(FAMILIES), draw)


def _known(episode: Episode) -> dict[str, Any]:
    instance = episode.instance
    return {"episode": episode.ident, "family": instance.family, "seed": instance.seed}


def _id(given: object) -> str:
    if given is None:
        return uuid.uuid4().hex
    if not isinstance(given, str) or not 0 < len(given) <= ID_CHARACTERS:
        raise BadReset(f"an episode_id is a text of 1 to {ID_CHARACTERS} characters")
    return given


def _observed(action: Action, step: Step, left: int) -> Observation:
    done = step.ended is not None
    seen = Observation(actions_left=0 if done else left, done=done, reward=step.reward)
    answer = step.answer
    if action.op != "query" or answer is None:
        return seen
    rows, cut = shown(answer.rows or ())
    return replace(
        seen,
        columns=answer.columns,
        rows=tuple(rows),
        truncated=cut or answer.truncated,
        error=answer.error,
        error_kind=failure(answer),
    )
