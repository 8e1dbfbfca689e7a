"""Ask executors over HTTP. What a query does is an answer; only failing to ask is an error."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

import httpx

from db_execution.chunks import chunks
from db_execution.endpoints import Endpoint, candidates
from db_execution.errors import (
    BadTree,
    ExecutorError,
    Forbidden,
    NoSuchDatabase,
    Overloaded,
    Refused,
    Unreachable,
)
from db_execution.patience import Patience
from db_execution.plain import plain_answer, plain_request
from db_execution.protocol import (
    TERMS,
    Answer,
    Batch,
    Query,
    Terms,
    answer_from_json,
    terms_to_json,
)

SILENCE_S = 30.0
"""A batch is never silent for so long: the service sends an empty line every few seconds."""

QUEUE_S = 90.0
LISTING_S = 600.0
JSON = {"Content-Type": "application/json"}


class Client:
    """Asks the executors in ``endpoints``, and for ``retry_for`` seconds again what may go well.

    Cheap to make; make one in each process. Close it, or use it in a ``with``.
    """

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        *,
        token: str | None = None,
        retry_for: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._endpoints = tuple(endpoints)
        self._batch_urls = {one.url: httpx.URL(f"{one.url}/execute/batch") for one in endpoints}
        self._retry_for = retry_for
        self._plain: set[str] = set()
        headers = {b"Authorization": f"Bearer {token}".encode()} if token else {}
        timeout = httpx.Timeout(SILENCE_S, connect=5.0, pool=None)
        # No proxies from the environment: what is asked goes where the endpoints say.
        self._http = httpx.Client(
            headers=headers, timeout=timeout, transport=transport, trust_env=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def urls(self) -> tuple[str, ...]:
        """Where it asks."""
        return tuple(endpoint.url for endpoint in self._endpoints)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def execute(self, query: Query) -> Answer:
        """The answer to one query. Unreachable, Overloaded or Refused if it cannot be asked."""
        return next(self._asked(query, (query.sql,)))

    def batch(self, batch: Batch) -> Iterator[Answer]:
        """The answers to the batch's queries, in order and one each, as they come.

        A connection that breaks, a service that restarts and one that is too busy are waited for:
        only what has not been answered is asked again. Raises as ``execute`` does.
        """
        for chunk in chunks(batch.queries):
            yield from self._asked(batch, chunk)

    def databases(self, tree: str) -> dict[tuple[str, str], str]:
        """The sha256 of each database of ``tree`` by (dataset, db_id).

        The dataset is ``*`` where the tree is flat. Databases that cannot be read are not among
        them; ``unreadable`` has those.
        """
        return {name: entry["sha256"] for name, entry in self._listed(tree) if "sha256" in entry}

    def unreadable(self, tree: str) -> dict[tuple[str, str], str]:
        """Why each database of ``tree`` that is there but cannot be read cannot be read."""
        return {name: entry["error"] for name, entry in self._listed(tree) if "error" in entry}

    def _listed(self, tree: str) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
        for endpoint in self._endpoints:
            if endpoint.tree == tree:
                for entry in self._listing(endpoint):
                    yield (entry["dataset"], entry["db_id"]), entry

    def _listing(self, endpoint: Endpoint) -> list[dict[str, Any]]:
        url, asked = f"{endpoint.url}/trees", {"tree": endpoint.tree}
        for _ in (patience := Patience([endpoint], self._retry_for)):
            try:
                response = self._http.get(url, params=asked, timeout=LISTING_S)
                _check(response)
                listed: list[dict[str, Any]] = response.json()["trees"][endpoint.tree]
                return listed
            except (httpx.TransportError, Unreachable, Overloaded) as error:
                patience.failed(error)
        raise patience.gave_up()

    def _asked(self, terms: Terms, queries: tuple[str, ...]) -> Iterator[Answer]:
        able = candidates(self._endpoints, terms.tree, terms.dataset_name, terms.db_id)
        missing: set[str] = set()
        answered = 0
        for endpoint in (patience := Patience(able, self._retry_for)):
            before = answered
            try:
                for answer in self._answers(endpoint, terms, queries[answered:]):
                    answered += 1
                    yield answer
            except (httpx.TransportError, Unreachable, Overloaded) as error:
                patience.failed(error)
            except NoSuchDatabase:
                missing.add(endpoint.url)
                if len(missing) == len({one.url for one in able}):
                    raise
            if answered == len(queries):
                return
            if answered > before:
                patience.renew()
        raise patience.gave_up()

    def _answers(
        self, endpoint: Endpoint, terms: Terms, queries: Sequence[str]
    ) -> Iterator[Answer]:
        """As many answers as come before the service or the connection ends."""
        if endpoint.url not in self._plain:
            try:
                if isinstance(terms, Batch):
                    yield from self._streamed(endpoint, terms, queries)
                else:
                    yield self._single(endpoint, terms, queries[0])
                return
            except _OnlyPlain:
                self._plain.add(endpoint.url)
        yield from (self._plainly(endpoint, terms, sql) for sql in queries)

    def _streamed(
        self, endpoint: Endpoint, terms: Terms, queries: Sequence[str]
    ) -> Iterator[Answer]:
        body = _json(terms_to_json(terms) | {"queries": queries})
        url = self._batch_urls[endpoint.url]
        with self._http.stream("POST", url, content=body, headers=JSON) as response:
            if response.status_code != httpx.codes.OK:
                response.read()
                _check(response, has_more=True)
            for line in _lines(response.iter_bytes()):
                document = _document(line)
                if "broken" in document:
                    raise BadTree(document["broken"])
                yield answer_from_json(document)

    def _single(self, endpoint: Endpoint, terms: Terms, sql: str) -> Answer:
        body = terms_to_json(terms) | {"sql": sql, "rows_as": "arrays"}
        response = self._post(endpoint, body, terms)
        _check(response)
        document = response.json()
        if "status" not in document:
            raise _OnlyPlain
        return answer_from_json(document)

    def _plainly(self, endpoint: Endpoint, terms: Terms, sql: str) -> Answer:
        query = Query(**{name: getattr(terms, name) for name in TERMS}, sql=sql)
        response = self._post(endpoint, plain_request(query), terms)
        if response.status_code == httpx.codes.INTERNAL_SERVER_ERROR:
            # How such a server answers a BLOB; asking again would not help.
            return plain_answer(query, {"ok": False, "error": "the server failed on this query"})
        _check(response)
        return plain_answer(query, response.json())

    def _post(self, endpoint: Endpoint, body: dict[str, Any], terms: Terms) -> httpx.Response:
        patience = httpx.Timeout(SILENCE_S, read=terms.timeout_ms / 1000 + QUEUE_S, pool=None)
        url = f"{endpoint.url}/execute"
        return self._http.post(url, content=_json(body), headers=JSON, timeout=patience)


def _json(body: dict[str, Any]) -> bytes:
    """The body as ASCII, so that text which is not quite text arrives, to be refused there."""
    return json.dumps(body).encode()


_decode = json.JSONDecoder().raw_decode


def _document(line: str) -> dict[str, Any]:
    """The JSON object in ``line``, from its first character to its last."""
    document, end = _decode(line)
    if end != len(line) or not isinstance(document, dict):
        raise httpx.RemoteProtocolError(f"a line of the batch is no JSON object: {line[:80]!r}")
    return document


class _OnlyPlain(Exception):
    """The server knows only the earlier contract."""


def _check(response: httpx.Response, *, has_more: bool = False) -> None:
    """Raise what a response that is no answer means.

    ``has_more``: it came from a route that an earlier service does not have.
    """
    if response.is_success:
        return
    said = _said(response)
    error, code = (
        str(said.get("error") or said.get("detail") or response.reason_phrase),
        response.status_code,
    )
    if code == 404 and "error_class" not in said and has_more:
        raise _OnlyPlain
    if code == 429:
        raise Overloaded(error, retry_after=_retry_after(response))
    if code >= 500:
        raise Unreachable(f"{response.url} answered {code}: {error}")
    raise _REFUSALS.get(code, Refused)(error)


_REFUSALS: dict[int, type[ExecutorError]] = {
    401: Forbidden,
    403: Forbidden,
    404: NoSuchDatabase,
    409: BadTree,
}


def _said(response: httpx.Response) -> dict[str, Any]:
    try:
        document = response.json()
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _retry_after(response: httpx.Response) -> float:
    try:
        return float(response.headers.get("Retry-After", "1"))
    except ValueError:
        return 1.0


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """The lines of a stream that are complete and not empty; half a line is no line."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from (line.decode() for line in lines if line)
