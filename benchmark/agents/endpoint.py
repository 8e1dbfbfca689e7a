"""A model behind an OpenAI-compatible endpoint as an agent.

* what does not arrive whole is asked for again: a refused connection, silence, 429, 5xx, a body
  that is not JSON, a stream that is cut
* what arrives whole is the reply, also where it is no answer
* a key or an address that is wrong ends the run, as it would for every task
"""

import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from hashlib import sha256
from typing import Any

import httpx

from benchmark.agents.base import AgentError, Question, Reply, Usage, failed
from benchmark.agents.chat import Broken, Completion, Unfit, said_in, streamed, whole
from benchmark.agents.extract import Unclosed, sql_in
from benchmark.agents.prompt import INSTRUCTIONS, messages
from pairset.ids import canonical_json

LONGEST_WAIT_S = 120.0
"""An endpoint that wants to be left alone for longer is not waited for."""

MOST_IN_A_ROW = 10
"""Tasks that an endpoint may leave unanswered one after the other, before the run is stopped."""

MOST_BYTES = 10_000_000
WORTH_A_RETRY = frozenset((408, 409, 425, 429))
USELESS = frozenset((401, 403, 404))
MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointTerms:
    """What is asked for, and on what terms. Prices are those of a million tokens.

    ``key_variable`` names the environment variable that holds the key; empty is no key at all.
    ``time_limit`` is that of one try, ``retries`` how often it is asked again, ``pause`` the
    seconds before the first time, doubled for each further one.
    """

    url: str
    model: str
    key_variable: str = "OPENAI_API_KEY"
    instructions: str = INSTRUCTIONS
    temperature: float | None = 0.0
    max_tokens: int = 2_048
    seed: int | None = None
    stream: bool = False
    time_limit: float = 120.0
    retries: int = 4
    pause: float = 1.0
    price_prompt: float | None = None
    price_completion: float | None = None


class _Again(Exception):
    """This try failed; another may go well, after ``wait`` seconds if the endpoint said so."""

    def __init__(self, said: str, wait: float | None = None, *, reached: bool = True) -> None:
        super().__init__(said)
        self.wait, self.reached = wait, reached


class EndpointAgent:
    """Asks one model. The key is read from the environment and stands nowhere else."""

    reads_schema = True

    def __init__(self, terms: EndpointTerms, transport: httpx.BaseTransport | None = None) -> None:
        address = _address(terms.url)
        self._terms, self._closing = terms, threading.Event()
        self._lock, self._in_a_row = threading.Lock(), 0
        self._key = os.environ.get(terms.key_variable, "") if terms.key_variable else ""
        self.name = terms.model
        self._url = f"{str(address).rstrip('/')}/chat/completions"
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {_usable(self._key, terms.key_variable)}"
        self._http = httpx.Client(
            headers=headers,
            timeout=httpx.Timeout(terms.time_limit, connect=min(10.0, terms.time_limit)),
            limits=httpx.Limits(max_connections=64),
            transport=transport,
            trust_env=address.host not in ("127.0.0.1", "localhost", "::1"),
        )

    def identity(self, round_number: int = 0) -> Mapping[str, Any]:
        """The address, the model, and all that shapes an answer."""
        one = self._terms
        told = sha256(canonical_json([one.instructions])).hexdigest()
        shape = {"temperature": one.temperature, "max_tokens": one.max_tokens, "seed": one.seed}
        where = {"kind": "endpoint", "url": one.url, "model": one.model}
        return {**where, **shape, "instructions": told}

    def ask(self, question: Question) -> Reply:
        """What the model says of one question, asked again where it is worth it."""
        body = json.dumps(self._body(question)).encode()
        pause = self._terms.pause
        for tries in range(1, self._terms.retries + 2):
            try:
                return self._reply(self._completion(body), tries)
            except Unfit as unfit:
                return failed(
                    unfit.reason, self._safe(unfit), tries=tries, usage=self._usage(unfit.tokens)
                )
            except _Again as again:
                last = again
            if self._closing.is_set():
                raise AgentError("the run was ended")
            wait = pause if last.wait is None else last.wait
            if tries > self._terms.retries or wait > LONGEST_WAIT_S:
                break
            if self._closing.wait(wait):
                raise AgentError("the run was ended")
            pause = min(2 * pause, LONGEST_WAIT_S)
        return self._given_up(last, tries)

    def _given_up(self, last: _Again, tries: int) -> Reply:
        """The reply of a task that stays unanswered, unless it is not the task's fault."""
        if not last.reached:
            raise AgentError(f"cannot reach {self._terms.url}: {self._safe(last)}")
        with self._lock:
            self._in_a_row += 1
        if self._in_a_row >= MOST_IN_A_ROW:
            raise AgentError(
                f"{self._terms.url} left {MOST_IN_A_ROW} tasks in a row unanswered: "
                f"{self._safe(last)}; go on later, with --again for those that failed"
            )
        return failed("unanswered", f"{self._safe(last)} (asked {tries} times)", tries=tries)

    def close(self) -> None:
        """Stop waiting, and let go of the connections."""
        self._closing.set()
        self._http.close()

    def _body(self, question: Question) -> dict[str, Any]:
        one = self._terms
        body: dict[str, Any] = {
            "model": one.model,
            "messages": messages(question, one.instructions),
            "max_tokens": one.max_tokens,
        }
        if one.temperature is not None:
            body["temperature"] = one.temperature
        if one.seed is not None:
            body["seed"] = one.seed + question.round
        if one.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return body

    def _completion(self, body: bytes) -> Completion:
        """One try."""
        deadline = time.monotonic() + self._terms.time_limit
        with self._failing(), self._http.stream("POST", self._url, content=body) as response:
            if not response.is_success:
                self._refusal(response, deadline)
            if self._terms.stream and _is_stream(response):
                return streamed(_lines(_pieces(response, deadline)))
            return whole(b"".join(_pieces(response, deadline)))

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Say of whatever goes wrong on the way that it may go well another time."""
        try:
            yield
        except Broken as error:
            raise _Again(str(error)) from None
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise _Again(str(error) or type(error).__name__, reached=False) from None
        except httpx.TimeoutException:
            raise _Again(f"no answer within {self._terms.time_limit:g} s") from None
        except httpx.HTTPError as error:
            raise _Again(f"the connection broke: {error or type(error).__name__}") from None
        except RuntimeError as error:  # what a client that was closed says
            if not self._closing.is_set():
                raise
            raise _Again(str(error)) from None

    def _refusal(self, response: httpx.Response, deadline: float) -> None:
        """Raise what a response that is no success means."""
        said = _words(b"".join(_pieces(response, deadline)))
        code = response.status_code
        told = f"it answered {code}{said and ': '}{said}"
        if code in WORTH_A_RETRY or code >= 500:
            raise _Again(told, _retry_after(response))
        if code in USELESS or response.has_redirect_location:
            raise AgentError(f"{self._terms.url}: {self._safe(told)}{self._about_the_key(code)}")
        raise Unfit("refused", told)

    def _about_the_key(self, code: int) -> str:
        name = self._terms.key_variable
        if code not in (401, 403) or not name:
            return ""
        return f"; the key is that of {name}" if self._key else f"; {name} is not set"

    def _reply(self, completion: Completion, tries: int) -> Reply:
        self._in_a_row = 0
        text, usage = self._safe(completion.text), self._usage(completion.tokens)
        try:
            text.encode()
            return Reply(sql=sql_in(text), answer=text, usage=usage, tries=tries)
        except UnicodeEncodeError:
            said = "the answer holds half a character"
            return failed("not_text", said, usage=usage, tries=tries)
        except Unclosed as error:
            return failed("cut", str(error), answer=text, usage=usage, tries=tries)

    def _usage(self, tokens: tuple[int, int] | None) -> Usage | None:
        if tokens is None:
            return None
        prices = (self._terms.price_prompt, self._terms.price_completion)
        cost = None
        if prices[0] is not None and prices[1] is not None:
            cost = round((tokens[0] * prices[0] + tokens[1] * prices[1]) / MILLION, 9)
        return Usage(prompt_tokens=tokens[0], completion_tokens=tokens[1], cost=cost)

    def _safe(self, said: object) -> str:
        """A text that may be kept: an endpoint may repeat the key that it was sent."""
        text = str(said)
        return text.replace(self._key, "***") if self._key else text


def _address(url: str) -> httpx.URL:
    """The address; no key may stand in it, as it is kept."""
    try:
        address = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise AgentError(f"the endpoint {url!r} is no address: {error}") from None
    if address.scheme not in ("http", "https") or not address.host:
        raise AgentError(f"the endpoint {url!r} is no http address")
    if address.userinfo or address.query:
        raise AgentError("the endpoint's address holds a name or a query: keys go in the variable")
    return address


def _usable(key: str, variable: str) -> str:
    if not key.isascii() or not key.isprintable():
        raise AgentError(f"the key in {variable} holds a sign that no header can carry")
    return key


def _is_stream(response: httpx.Response) -> bool:
    """Whether it came in events: an endpoint may not know how, and answer whole."""
    return "json" not in response.headers.get("Content-Type", "")


def _pieces(response: httpx.Response, deadline: float) -> Iterator[bytes]:
    """The body as it comes, as long as there is time: one that trickles is as bad as silence."""
    size = 0
    for piece in response.iter_bytes():
        size += len(piece)
        if size > MOST_BYTES:
            raise Unfit("too_long", f"the answer is longer than {MOST_BYTES} bytes")
        yield piece
        if time.monotonic() > deadline:
            raise httpx.ReadTimeout("too slow")


def _lines(pieces: Iterator[bytes]) -> Iterator[str]:
    """The lines that are complete; half a line is no line."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from (line.decode(errors="replace").rstrip("\r") for line in lines)


def _words(body: bytes) -> str:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    line = " ".join(said_in(document).split())[:300]
    return "".join(sign if sign.isprintable() else "?" for sign in line)


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds or a date; None where it says neither."""
    told = response.headers.get("Retry-After", "")
    try:
        return max(0.0, float(told))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
