"""A small stand-in for an OpenAI-compatible endpoint, on a loopback port: it says what it is told to."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from db_execution import listening

KEY = "key-for-tests"


def completion(text: object, finish: str = "stop", **more: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": 100, "completion_tokens": 20}
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return {"choices": [choice], "usage": usage, **more}


def events(*pieces: str, finish: str | None = "stop", done: bool = True) -> list[str]:
    """Server-sent events, with the usage in an event of its own, as the real ones have it."""
    told: list[dict[str, Any]] = [{"choices": [{"delta": {"content": one}}]} for one in pieces]
    if finish:
        told.append({"choices": [{"delta": {}, "finish_reason": finish}]})
        told.append({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}})
    lines = [": awake", *(f"data: {json.dumps(one)}" for one in told)]
    return [*lines, "data: [DONE]"] if done else lines


@dataclass
class Say:
    """One response."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    lines: Sequence[str] | None = None
    pause: float = 0.0
    breaks: bool = False


class Double:
    """Says ``script`` one after the other, then the last again; keeps what it was asked."""

    def __init__(self, script: Sequence[Say]) -> None:
        self.script, self.asked, self.keys = list(script), list[dict[str, Any]](), list[str]()
        self.app = Starlette(routes=[Route("/v1/chat/completions", self._chat, methods=["POST"])])
        self.url = ""

    async def _chat(self, request: Request) -> Response:
        self.asked.append(await request.json())
        self.keys.append(request.headers.get("Authorization", ""))
        say = self.script[min(len(self.asked), len(self.script)) - 1]
        await asyncio.sleep(say.delay)
        if say.lines is not None:
            return StreamingResponse(_stream(say), media_type="text/event-stream")
        if isinstance(say.body, bytes):
            return Response(say.body, say.status, say.headers)
        return JSONResponse(say.body, say.status, say.headers)


async def _stream(say: Say) -> AsyncIterator[bytes]:
    for line in say.lines or ():
        await asyncio.sleep(say.pause)
        yield f"{line}\n\n".encode()
    if say.breaks:
        raise ConnectionResetError  # the connection goes away in the middle


@contextmanager
def serving(*script: Say) -> Iterator[Double]:
    double = Double(script)
    with listening.bound("127.0.0.1", 0) as listener:
        config = uvicorn.Config(double.app, log_level="critical", lifespan="off", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        double.url = f"{listening.url_of('127.0.0.1', listener)}/v1"
        thread.start()
        try:
            yield double
        finally:
            server.should_exit = server.force_exit = True
            thread.join(10)
