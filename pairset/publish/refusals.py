"""What the Hub refuses or leaves unanswered, in one line that says what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from huggingface_hub import errors, get_token

from pairset.publish.errors import PublishError

PASSING = (408, 429, 500, 502, 503, 504)
"""Answers that another try may turn into a better one."""

AGAIN = "run again: it goes on where it stopped, and what is there is not sent again"
_FULL = re.compile(
    r"quota|storage.{0,40}(limit|full|exceed)|(limit|full|exceed).{0,40}storage", re.I
)


def told(error: BaseException, repo: str) -> PublishError:
    """``error`` as one line about ``repo``; its text holds no token and no signed address."""
    found = cause(error)
    if isinstance(found, errors.HfHubHTTPError):
        return PublishError(_answered(found.response.status_code, said(found), repo))
    if isinstance(found, errors.LocalTokenNotFoundError):
        return PublishError(
            "no token: set HF_TOKEN to one that may write, or save one with: hf auth login"
        )
    if isinstance(found, errors.HFValidationError):
        return PublishError(f"{repo!r} is no name of a dataset on the Hub; use 'owner/name'")
    if _FULL.search(str(found)):
        return PublishError(_full(repo, plain(str(found))))
    why = ": ".join(filter(None, (type(found).__name__, plain(str(found)))))
    return PublishError(f"the connection to the Hub broke ({why}); {AGAIN}")


def cause(error: BaseException) -> BaseException:
    """The answer or the broken connection that a library's error was raised from."""
    return next((one for one in _chain(error) if is_of_http(one)), error)


def is_of_http(error: BaseException) -> bool:
    """Whether this is an answer of the Hub that says no, or a connection that broke."""
    return any(kind.__name__ == "HTTPError" for kind in type(error).__mro__)


def is_expected(error: BaseException) -> bool:
    """Whether this is of the network, the Hub or the disk, and no bug."""
    return is_of_http(cause(error)) or isinstance(error, OSError | errors.HFValidationError)


def is_passing(error: BaseException) -> bool:
    """Whether another try may help: the Hub is busy, or the connection broke."""
    found = cause(error)
    if isinstance(found, errors.HfHubHTTPError):
        return found.response.status_code in PASSING
    return is_of_http(found)


def asked_to_wait(error: BaseException) -> float | None:
    """Seconds that the Hub asks to wait for, or None where it does not say."""
    found = cause(error)
    if not isinstance(found, errors.HfHubHTTPError):
        return None
    text = found.response.headers.get("Retry-After", "")
    return float(text) if text.isdecimal() else None


def said(error: errors.HfHubHTTPError) -> str:
    """What the Hub itself says, if it says anything."""
    return plain(error.server_message or error.response.headers.get("X-Error-Message") or "")


def plain(text: str) -> str:
    """A text from elsewhere as part of a line: short, printable, without tokens or addresses."""
    if token := get_token():
        text = text.replace(token, "...")
    text = re.sub(r"https?://\S+|hf_\w+|Bearer \S+", "...", text)
    return "".join(c if c.isprintable() else " " for c in text).strip()[:200]


def _chain(error: BaseException) -> Iterator[BaseException]:
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__


def _answered(status: int, message: str, repo: str) -> str:
    if status == 507 or _FULL.search(message):
        return _full(repo, message)
    if status in PASSING:
        busy = "asks to wait" if status == 429 else "does not answer properly"
        return f"the Hub {busy} (HTTP {status}), and did so after several tries; {AGAIN}"
    texts = {
        401: "the Hub does not know this token (HTTP 401): check HF_TOKEN, or what hf auth login "
        "saved",
        403: f"this token may not write to {repo} (HTTP 403): use one with write access to it",
        404: f"there is no dataset {repo} on the Hub that this token may see (HTTP 404): create it "
        "there, or let this command do so (publication.create = true)",
        412: f"someone else pushed to {repo} meanwhile (HTTP 412): nothing of theirs was "
        "overwritten, and nothing is published as complete; look at it, then run again",
    }
    if status in texts:
        return texts[status]
    return f"the Hub refuses for {repo}: HTTP {status}{f', {message}' if message else ''}"


def _full(repo: str, message: str) -> str:
    why = f" ({message})" if message else ""
    return (
        f"the storage of {repo.split('/')[0]} on the Hub is full{why}: free some or get more, "
        "then run again; nothing is published as complete"
    )
