"""Who may see the page, and who may say something in it.

Without a token the page is for this machine alone, and a request must be addressed to it: that of a
web page whose own name was made to point here is not. With a token a person enters it once. What
changes something must come from this page's own forms.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_VARIABLE = "PAIRSET_REVIEW_TOKEN"
"""The environment variable that the token is taken from."""

SESSION = "pairset_session"
OPEN_TO_ALL = ("/enter", "/static/")

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Secrets:
    """What a browser must know to be let in, and a form to be believed; new at every start."""

    def __init__(self, token: str | None) -> None:
        self._token = token
        self._key = secrets.token_bytes(32)
        self.form = self._derived("form")
        self._session = self._derived("session")

    @property
    def needs_token(self) -> bool:
        """Whether a token is asked for."""
        return self._token is not None

    def is_token(self, given: str) -> bool:
        """Whether that is the token; takes as long for a near miss as for any other."""
        return self._token is not None and _same(given, self._token)

    def session(self) -> str:
        """What the browser of a person who knows the token keeps."""
        return self._session

    def is_session(self, given: str) -> bool:
        """Whether a browser was let in before."""
        return _same(given, self._session)

    def is_form(self, given: str) -> bool:
        """Whether a form is one of ours."""
        return _same(given, self.form)

    def _derived(self, purpose: str) -> str:
        return hmac.new(self._key, purpose.encode(), hashlib.sha256).hexdigest()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


class Guard:
    """Turns strangers away before anything of their request is read; marks every answer."""

    def __init__(self, app: ASGIApp, known: Secrets, hosts: Iterable[str] | None) -> None:
        """``hosts`` are the names a request may be addressed to; None where any will do."""
        self._app = app
        self._known = known
        self._hosts = None if hosts is None else frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let in, or turn away."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await (self._refusal(scope) or self._app)(scope, receive, marked)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if self._hosts is not None and host_name(headers.get("host", "")) not in self._hosts:
            return PlainTextResponse("this page is for its own machine", 403)
        if scope["method"] not in ("GET", "HEAD") and not is_from_here(headers):
            return PlainTextResponse("this was sent by another page", 403)
        if not self._known.needs_token or self._is_known(scope["path"], headers):
            return None
        if scope["method"] != "GET":
            return PlainTextResponse("a token is needed: enter it at /enter", 401)
        query = scope["query_string"].decode("latin-1")
        wanted = scope["path"] + (f"?{query}" if query else "")
        return RedirectResponse(f"/enter?to={quote(wanted, safe='')}", 303)

    def _is_known(self, path: str, headers: Headers) -> bool:
        if path.startswith(OPEN_TO_ALL):
            return True
        if self._known.is_token(headers.get("authorization", "").removeprefix("Bearer ")):
            return True
        return self._known.is_session(cookie_parser(headers.get("cookie", "")).get(SESSION, ""))


def host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def is_from_here(headers: Headers) -> bool:
    """Whether what was sent says that a page of ours sent it; a program may say nothing."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")
