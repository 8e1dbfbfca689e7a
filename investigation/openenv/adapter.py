"""The environment under OpenEnv's names. Everything that counts is in ``investigation``."""

import contextlib
from dataclasses import asdict, fields
from typing import Any

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from investigation.actions import Action
from investigation.environment import Environment as Core
from investigation.environment import Journal
from investigation.openenv.models import SqlAction, SqlObservation, SqlState
from investigation.openenv.rubric import WholeTable
from investigation.splits import SPLITS
from investigation.tasks import BadReset, Wish, World
from pairset import __version__

NAME = "sql_investigation"
ABOUT = (
    "Answer a question about a small database with SQL: explore it in up to 12 actions, then "
    "submit one query. The reward is 1 for the whole right table, else 0."
)
NO_ACTION = "that is no action of this environment; nothing was done"
NAMES = frozenset(field.name for field in fields(Wish))


class EnvironmentFailed(RuntimeError):
    """Something is wrong with the environment itself; the operator's journal says what."""


class SqlEnvironment(Environment):  # type: ignore[misc]
    """One session of the server, or of a trainer's own process. Also the provider of its tasks."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self, *, world: World | None = None, journal: Journal | None = None, siblings: bool = False
    ) -> None:
        super().__init__(rubric=WholeTable())
        self._tell: Journal = journal or (lambda facts: None)
        self._core = Core(world, journal=journal, siblings=siblings)

    def reset(
        self, seed: Any = None, episode_id: Any = None, **named: Any
    ) -> SqlObservation:  # the server hands over whatever it was sent
        """Begin an episode; BadReset names what is wrong with what was asked for."""
        unknown = sorted(set(named) - NAMES)
        if unknown:
            known = ", ".join(sorted(NAMES))
            raise BadReset(f"reset takes episode_id, {known}; not {ascii(unknown)[:80]}")
        try:
            seen = self._core.reset(Wish(seed=seed, **named), episode_id=episode_id)
        except BadReset:
            raise
        except Exception as error:
            raise self._failed("no task could be drawn", error) from None
        self._reset_rubric()
        return SqlObservation(**asdict(seen))

    def step(
        self, action: SqlAction, timeout_s: float | None = None, **named: Any
    ) -> SqlObservation:
        """Do one action. Its time is bounded by the limits of an episode, not by ``timeout_s``.

        What breaks inside is raised as EnvironmentFailed: a reward of 0 would be a wrong label.
        """
        if not isinstance(action, SqlAction):  # a tool call of MCP, say
            state = self._core.state
            return SqlObservation(
                error=NO_ACTION, done=state.done, reward=0.0, actions_left=state.actions_left
            )
        try:
            seen = self._core.step(Action(action.op, action.sql or ""))
        except Exception as error:
            raise self._failed("the environment failed and the episode is over", error) from None
        observation = SqlObservation(**asdict(seen))
        if observation.error_kind != "over":
            observation.reward = self._apply_rubric(action, observation)
        return observation

    def _failed(self, what: str, error: Exception) -> EnvironmentFailed:
        with contextlib.suppress(Exception):  # it may be the journal that broke
            self._tell({"event": "crash", "what": what, "error": repr(error)})
        return EnvironmentFailed(f"{what}; the operator's journal says why")

    @property
    def state(self) -> SqlState:
        """Where the episode stands."""
        return SqlState(**asdict(self._core.state))

    def close(self) -> None:
        """Let go of the database."""
        self._core.close()

    def get_metadata(self) -> EnvironmentMetadata:
        """What the environment is."""
        return EnvironmentMetadata(name=NAME, description=ABOUT, version=__version__)

    def list_splits(self) -> list[dict[str, str]]:
        """A split is a range of seeds; each has all families."""
        return [{"name": name, "type": name} for name in SPLITS]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """A task for each family; its instances are drawn afresh, or from the seed of a reset."""
        if split not in SPLITS:
            raise IndexError(f"no split {split!r}")
        families = enumerate(self._core.families)
        return [{"id": name, "index": index, "split": split} for index, name in families]

    def num_tasks(self, split: str) -> int:
        """How many there are."""
        return len(self.list_tasks(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """The task at a place; IndexError where there is none."""
        if index < 0:
            raise IndexError(index)
        return self.list_tasks(split)[index]

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """The tasks from one place up to another."""
        return self.list_tasks(split)[start:stop]
