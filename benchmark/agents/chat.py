"""The words of the chat completions wire: what is sent, and what comes back, whole or in pieces."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmark.agents.base import Reason

DONE = "[DONE]"


class Broken(Exception):
    """What came is not all that was sent: asking again may go well."""


class Unfit(Exception):
    """What came is whole, and is no answer; ``reason`` says of which kind."""

    def __init__(self, reason: Reason, said: str, tokens: tuple[int, int] | None = None) -> None:
        super().__init__(said)
        self.reason, self.tokens = reason, tokens


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model said, and how many tokens went in and out where the endpoint counts them."""

    text: str
    tokens: tuple[int, int] | None


def whole(body: bytes) -> Completion:
    """The completion in a body; Broken where it is no JSON, Unfit where it is no completion."""
    document = _document(body)
    choice = _choice(document)
    message = choice.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return _finished(content, choice.get("finish_reason"), _tokens(document))


def streamed(lines: Iterable[str]) -> Completion:
    """The completion in server-sent events; Broken where they end before the answer does."""
    pieces: list[str] = []
    finish, tokens, ended = None, None, False
    for data in _events(lines):
        if data == DONE:
            ended = True
            break
        document = _document(data.encode())
        tokens = _tokens(document) or tokens
        if document.get("choices"):
            choice = _choice(document)
            delta = choice.get("delta")
            pieces.append(_piece(delta.get("content") if isinstance(delta, dict) else None))
            finish = choice.get("finish_reason") or finish
    if not ended and finish is None:
        raise Broken("the stream was cut before the answer's end")
    return _finished("".join(pieces) or None, finish, tokens)


def _events(lines: Iterable[str]) -> Iterator[str]:
    """The data of each event; comments, which keep a connection awake, are passed over."""
    for line in lines:
        name, _, value = line.partition(":")
        if name == "data" and value.strip():
            yield value.strip()


def _document(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise Broken("the answer is not JSON") from None
    if not isinstance(found, dict):
        raise Unfit("malformed", "the answer is no JSON object")
    if error := found.get("error"):
        raise Broken(f"the endpoint says: {said_in(found) or error}")
    return found


def said_in(document: object) -> str:
    """What an endpoint's error document says in words; empty where it says nothing."""
    error = document.get("error") if isinstance(document, dict) else None
    said = error.get("message") if isinstance(error, dict) else error
    return said if isinstance(said, str) else ""


def _choice(document: dict[str, Any]) -> dict[str, Any]:
    choices = document.get("choices")
    if not (isinstance(choices, list) and choices and isinstance(choices[0], dict)):
        raise Unfit("malformed", "the answer has no choices", _tokens(document))
    return choices[0]


def _piece(content: object) -> str:
    if content is None:
        return ""
    if not isinstance(content, str):
        raise Unfit("malformed", "a piece of the answer is no text")
    return content


def _finished(content: object, finish: object, tokens: tuple[int, int] | None) -> Completion:
    if finish == "content_filter":
        raise Unfit("refused", "the endpoint's filter held the answer back", tokens)
    if not isinstance(content, str):
        raise Unfit("malformed", "the answer has no content", tokens)
    if finish == "length":
        raise Unfit("cut", "the answer is longer than max_tokens allows", tokens)
    return Completion(content, tokens)


def _tokens(document: dict[str, Any]) -> tuple[int, int] | None:
    usage = document.get("usage")
    if not isinstance(usage, dict):
        return None
    counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
    first, second = (n if isinstance(n, int) and n >= 0 else None for n in counts)
    return None if first is None or second is None else (first, second)
