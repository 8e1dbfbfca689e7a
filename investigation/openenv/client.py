"""The typed client: one WebSocket, one session of the server."""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from investigation.openenv.models import SqlAction, SqlObservation, SqlState


class SqlInvestigation(EnvClient):  # type: ignore[misc]
    """Talks to a server of this environment; asynchronous, or not by way of ``sync()``.

    A server with a token wants it as ``headers={"Authorization": "Bearer ..."}``.
    """

    def _step_payload(self, action: SqlAction) -> dict[str, Any]:
        return {"op": action.op} | ({} if action.sql is None else {"sql": action.sql})

    def _parse_result(self, payload: dict[str, Any]) -> StepResult:
        done, reward = payload["done"], payload["reward"]
        observation = SqlObservation(**payload["observation"], done=done, reward=reward)
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> SqlState:
        return SqlState(**payload)
