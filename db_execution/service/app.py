"""The service as an ASGI application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from db_execution.errors import BadTree, NoSuchDatabase
from db_execution.protocol import BadRequest
from db_execution.service.access import Access, Bounded, Counted
from db_execution.service.core import Service
from db_execution.service.cradle import Cradle
from db_execution.service.fair import Full
from db_execution.service.pool import Draining
from db_execution.service.routes import ROUTES
from db_execution.service.settings import Settings

RETRY_AFTER_S = "1"


def make_app(settings: Settings, cradle: Cradle | None = None) -> Starlette:
    """The application; its workers start, out of ``cradle``, and end with its lifespan."""
    service = Service(settings, cradle)
    routes = frozenset(route.path for route in ROUTES)
    app = Starlette(
        routes=ROUTES,
        lifespan=_lifespan,
        middleware=[
            Middleware(Counted, metrics=service.metrics, routes=routes),
            Middleware(Bounded, metrics=service.metrics, most=settings.in_flight),
            Middleware(Access, token=settings.token),
        ],
        exception_handlers={
            BadRequest: _bad_request,
            NoSuchDatabase: _no_such_database,
            BadTree: _bad_tree,
            Full: _come_again,
            Draining: _going_away,
            HTTPException: _http,
            Exception: _our_bug,
        },
    )
    app.state.service = service
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    pool = app.state.service.pool
    await pool.start()
    try:
        yield
    finally:
        await pool.stop()


def _said(
    status: int, error: str, error_class: str, headers: dict[str, str] | None = None
) -> Response:
    """An error as clients of the earlier service read it: as ``detail``, and as an answer."""
    body = {"ok": False, "error_class": error_class, "error": error, "detail": error}
    return JSONResponse(body, status, headers)


async def _bad_request(_: Request, error: Exception) -> Response:
    return _said(422, str(error), "bad_request")


async def _no_such_database(_: Request, error: Exception) -> Response:
    return _said(404, str(error), "no_such_database")


async def _bad_tree(_: Request, error: Exception) -> Response:
    return _said(409, str(error), "bad_tree")


async def _come_again(request: Request, error: Exception) -> Response:
    request.app.state.service.metrics.count_limit("waiting")
    return _said(429, "too much is waiting already", "overloaded", {"Retry-After": RETRY_AFTER_S})


async def _going_away(_: Request, error: Exception) -> Response:
    return _said(503, "the service is stopping", "stopping", {"Retry-After": RETRY_AFTER_S})


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 413:
        request.app.state.service.metrics.count_limit("body_bytes")
    return _said(error.status_code, error.detail, "http", dict(error.headers or {}))


async def _our_bug(_: Request, error: Exception) -> Response:
    return _said(500, "the service failed; its log says where", "bug")
