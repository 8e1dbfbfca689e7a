"""Who may ask: a token where there is one, and only this machine where there is none."""

import hmac
from time import perf_counter

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from db_execution.listening import LOOPBACK
from db_execution.service.logs import log
from db_execution.service.metrics import Metrics

OPEN_TO_ALL = frozenset(("/healthz/live",))


class Access:
    """Turns away a request without the token before anything of it is read.

    Without a token the service is for this machine alone, so a request must also have been
    addressed to it: that of a web page whose own name was made to point here is not.
    """

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        guarded = scope["type"] == "http" and scope["path"] not in OPEN_TO_ALL
        refusal = self._refusal(Headers(scope=scope)) if guarded else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, headers: Headers) -> JSONResponse | None:
        if self._token is None:
            host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
            ours = host.strip("[]") in LOOPBACK
            return None if ours else JSONResponse(_said("this service is for its own machine"), 403)
        given = headers.get("authorization", "").removeprefix("Bearer ").encode()
        if hmac.compare_digest(given, self._token.encode()):
            return None
        return JSONResponse(_said("a token is needed"), 401, {"WWW-Authenticate": "Bearer"})


class Bounded:
    """Takes on no more requests at once than it may; health is asked about all the same."""

    def __init__(self, app: ASGIApp, metrics: Metrics, most: int) -> None:
        self._app = app
        self._metrics = metrics
        self._most = most
        self._in_flight = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in OPEN_TO_ALL:
            await self._app(scope, receive, send)
        elif self._in_flight >= self._most:
            self._metrics.count_limit("in_flight")
            refusal = JSONResponse(_said("too much is asked at once"), 429, {"Retry-After": "1"})
            await refusal(scope, receive, send)
        else:
            self._in_flight += 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._in_flight -= 1


class Counted:
    """Counts and logs every request: its route, its status and its time; nothing of its content."""

    def __init__(self, app: ASGIApp, metrics: Metrics, routes: frozenset[str]) -> None:
        self._app = app
        self._metrics = metrics
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            self._note(scope["path"], status, perf_counter() - began)

    def _note(self, path: str, status: int, seconds: float) -> None:
        route = path if path in self._routes else "other"
        self._metrics.count_request(route, status)
        log.info(
            "request", extra={"route": route, "status": status, "ms": round(seconds * 1000, 1)}
        )


def _said(error: str) -> dict[str, object]:
    return {"ok": False, "error": error, "detail": error}
