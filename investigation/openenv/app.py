"""The server's application: OpenEnv's routes around our environment, behind our door."""

from functools import partial

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server import ConcurrencyConfig, create_app

from investigation.environment import Journal
from investigation.openenv.adapter import NAME, EnvironmentFailed, SqlEnvironment
from investigation.openenv.door import Door
from investigation.openenv.models import SqlAction, SqlObservation, SqlState
from investigation.tasks import BadReset, World

SESSIONS = 64
IDLE_S = 6 * 3600.0
"""After so long without a message a session is let go of: a half-open socket must not hold it.

It is not short, since the server lets go of sessions whose agent merely thinks, too.
"""


def make_app(
    *,
    world: World | None = None,
    journal: Journal | None = None,
    siblings: bool = False,
    token: str | None = None,
    local: bool = True,
) -> FastAPI:
    """The application. Each WebSocket is a session of its own, at most ``SESSIONS`` at once."""
    made = create_app(
        partial(SqlEnvironment, world=world, journal=journal, siblings=siblings),
        SqlAction,
        SqlObservation,
        env_name=NAME,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=SESSIONS, session_timeout=IDLE_S),
        state_cls=SqlState,
    )
    assert isinstance(made, FastAPI)
    made.add_exception_handler(BadReset, partial(_said, status=422))
    made.add_exception_handler(EnvironmentFailed, partial(_said, status=500))
    made.add_middleware(Door, token=token, local=local)
    return made


async def _said(request: Request, error: Exception, *, status: int) -> JSONResponse:
    return JSONResponse({"detail": str(error)}, status)
