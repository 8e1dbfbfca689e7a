"""The routes of the service."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from db_execution.errors import BadTree
from db_execution.frames import Answers
from db_execution.protocol import BadRequest, batch_from_json, query_from_json, to_bytes
from db_execution.service.core import Service
from db_execution.service.fair import Full
from db_execution.service.jobs import Job
from db_execution.service.openapi import DOCUMENT
from db_execution.service.pool import Draining
from db_execution.shapes import Shape

HEARTBEAT_S = 5.0
"""So often an empty line says that a batch is still waited for."""

QUEUE_S = 60.0
"""So long a single query waits for its turn before it is told to come again."""


def service_of(request: Request) -> Service:
    """The service that ``request`` came to."""
    service: Service = request.app.state.service
    return service


async def execute(request: Request) -> Response:
    """POST /execute: one query, one answer."""
    service, body = service_of(request), await _json(request)
    query = query_from_json(body)
    job = await service.submit(query, (query.sql,), _shape(body))
    try:
        found = await _answered(job, request, QUEUE_S + query.timeout_ms / 1000)
    finally:
        job.close()
    for answer in found:
        service.metrics.count_answers(answer.outcomes)
        return Response(answer.lines, media_type="application/json")
    raise BadTree(job.broken) if job.broken else Draining


async def batch(request: Request) -> Response:
    """POST /execute/batch: many queries of one database, answered in order, a line each."""
    service = service_of(request)
    asked = batch_from_json(await _json(request), most=service.settings.batch_queries)
    job = await service.submit(asked, asked.queries, "line")
    return StreamingResponse(_lines(service, job), media_type="application/x-ndjson")


async def trees(request: Request) -> Response:
    """GET /trees: each tree, or the one that ``?tree=`` names: its databases and their digests."""
    service = service_of(request)
    one = request.query_params.get("tree")
    names = service.trees.names if one is None else [one]
    return JSONResponse({"trees": {name: await _databases(service, name) for name in names}})


async def live(request: Request) -> Response:
    """GET /healthz/live: the process is there."""
    return JSONResponse({"ok": True})


async def ready(request: Request) -> Response:
    """GET /healthz/ready: it takes queries."""
    pool = service_of(request).pool
    fine = not pool.draining and bool(pool.pids())
    return JSONResponse({"ok": fine, "workers": pool.pids()}, status_code=200 if fine else 503)


async def metrics(request: Request) -> Response:
    """GET /metrics: the counters, as Prometheus text."""
    service = service_of(request)
    counters = service.cache.counters() if service.cache else {}
    return PlainTextResponse(
        service.metrics.text(service.gauges(), counters), media_type="text/plain; version=0.0.4"
    )


async def openapi(request: Request) -> Response:
    """GET /openapi.json: this interface, described."""
    return JSONResponse(DOCUMENT)


ROUTES = [
    Route("/execute", execute, methods=["POST"]),
    Route("/execute/batch", batch, methods=["POST"]),
    Route("/trees", trees),
    Route("/healthz/live", live),
    Route("/healthz/ready", ready),
    Route("/metrics", metrics),
    Route("/openapi.json", openapi),
]


async def _json(request: Request) -> Any:
    try:
        return json.loads(await _body(request, service_of(request).settings.body_bytes))
    except (ValueError, RecursionError):
        raise BadRequest("body: expected a JSON object") from None


async def _body(request: Request, most: int) -> bytes:
    """The body, of which no more is ever held than is allowed."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            raise HTTPException(413, f"the body is larger than {most} bytes")
    return bytes(body)


def _shape(body: dict[str, Any]) -> Shape:
    match body.get("rows_as", "objects"):
        case "objects":
            return "objects"
        case "arrays":
            return "arrays"
    raise BadRequest("rows_as: expected one of objects, arrays")


async def _answered(job: Job, request: Request, patience: float) -> list[Answers]:
    """The answer to a job of one query, none if its client hangs up; Full after ``patience``."""
    answer, gone = asyncio.ensure_future(job.take()), asyncio.ensure_future(_hung_up(request))
    try:
        done, _ = await asyncio.wait(
            {answer, gone}, timeout=patience, return_when="FIRST_COMPLETED"
        )
        if not done:
            raise Full
        return answer.result() if answer in done else []
    finally:
        answer.cancel()
        gone.cancel()


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _lines(service: Service, job: Job) -> AsyncIterator[bytes]:
    try:
        first = True
        while (found := await _taken(job)) is None or found:
            if found and not first:
                await job.gather()
                found += job.taken()
            yield b"".join([some.lines + b"\n" for some in found]) if found else b"\n"
            first = False
            for some in found or ():
                service.metrics.count_answers(some.outcomes)
            service.pool.resume(job)
        if job.broken:
            yield to_bytes({"broken": job.broken}) + b"\n"
    finally:
        job.close()


async def _taken(job: Job) -> list[Answers] | None:
    """What there is of answers; None when there was nothing for a while."""
    try:
        async with asyncio.timeout(HEARTBEAT_S):
            return await job.take()
    except TimeoutError:
        return None


async def _databases(service: Service, tree: str) -> list[dict[str, Any]]:
    return [await _database(service, tree, *name) for name in service.trees.databases(tree)]


async def _database(service: Service, tree: str, dataset: str, db_id: str) -> dict[str, Any]:
    named: dict[str, Any] = {"dataset": dataset, "db_id": db_id}
    try:
        database = service.trees.find(tree, dataset, db_id)
        return named | {"bytes": database.stamp[0], "sha256": await service.sha256(database)}
    except Exception as error:
        return named | {"error": str(error) if isinstance(error, BadTree) else "it cannot be read"}
