"""What stands before the server: who may come in, and which frames are passed on."""

import hmac
import json

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from db_execution.listening import LOOPBACK

OPEN_TO_ALL = frozenset(("/health",))
UNREADABLE = json.dumps({"type": "a frame that is no JSON object"})
"""What the server is given for a frame it would end the session over: it answers with an error."""


class Door:
    """Turns away who has not the token; without one, who did not address this machine itself.

    ``local`` says that the server is for its own machine. A web page whose name was made to point
    here is turned away by that.
    """

    def __init__(self, app: ASGIApp, *, token: str | None, local: bool) -> None:
        self._app = app
        self._token = token
        self._local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or scope["path"] in OPEN_TO_ALL:
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(Headers(scope=scope))
        if refusal is None:
            incoming = readable(receive) if scope["type"] == "websocket" else receive
            await self._app(scope, incoming, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
        else:
            await JSONResponse({"detail": refusal[1]}, refusal[0])(scope, receive, send)

    def _refusal(self, headers: Headers) -> tuple[int, str] | None:
        if self._token is not None:
            given = headers.get("authorization", "").removeprefix("Bearer ").encode()
            is_theirs = hmac.compare_digest(given, self._token.encode())
            return None if is_theirs else (401, "a token is needed")
        host = headers.get("host", "")
        name = host.rpartition(":")[0] if not host.endswith("]") else host
        if self._local and (name or host).strip("[]") not in LOOPBACK:
            return 403, "this server is for its own machine"
        return None


def readable(receive: Receive) -> Receive:
    """``receive``, with frames that the server cannot answer replaced by one that it can."""

    async def received() -> Message:
        message = await receive()
        if message["type"] == "websocket.receive" and not _is_object(message.get("text")):
            return {"type": "websocket.receive", "text": UNREADABLE}
        return message

    return received


def _is_object(text: str | None) -> bool:
    """Whether it is a JSON object whose texts can be sent back: half a surrogate pair cannot."""
    try:
        document = json.loads(text or "")
        return isinstance(document, dict) and (
            "\\u" not in (text or "") or bool(json.dumps(document, ensure_ascii=False).encode())
        )
    except (ValueError, RecursionError):
        return False
