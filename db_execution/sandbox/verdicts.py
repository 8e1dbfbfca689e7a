"""What a failure means: the status and class that each of the engine's errors is answered with."""

from dataclasses import dataclass

import apsw

from db_execution.messages import class_of
from db_execution.protocol import Status


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a statement that gave no answer ended, with one line for people."""

    status: Status
    error_class: str
    error: str


class PolicyError(Exception):
    """The statement is not one that this sandbox runs."""

    def __init__(self, error_class: str, message: str) -> None:
        super().__init__(message)
        self.verdict = Verdict("refused", error_class, message)


class LimitError(Exception):
    """The answer is larger than this sandbox gives."""

    def __init__(self, error_class: str, message: str) -> None:
        super().__init__(message)
        self.verdict = Verdict("too_large", error_class, message)


class UndecodableError(Exception):
    """There is text in it that is not UTF-8, where its bytes cannot be had."""

    verdict = Verdict(
        "error", "undecodable", "text that is not UTF-8, where its bytes cannot be had"
    )


_BY_EXCEPTION: dict[type[Exception], tuple[Status, str]] = {
    apsw.TooBigError: ("too_large", "value_bytes"),
    apsw.NoMemError: ("too_large", "memory"),
    MemoryError: ("too_large", "memory"),
    apsw.FullError: ("too_large", "copy_bytes"),
    apsw.AuthError: ("refused", "not_authorized"),
    apsw.ReadOnlyError: ("refused", "not_authorized"),
    apsw.BindingsError: ("refused", "parameters"),
    apsw.ConstraintError: ("error", "constraint"),
    apsw.MismatchError: ("error", "wrong_arguments"),
    apsw.CorruptError: ("error", "corrupt_database"),
    apsw.NotADBError: ("error", "corrupt_database"),
}


def verdict(error: Exception, *, denied: str | None, spent: str | None) -> Verdict:
    """What ``error`` means, given what was ``denied`` and which budget was ``spent``."""
    if isinstance(error, (PolicyError, LimitError, UndecodableError)):
        return error.verdict
    if denied is not None:
        return Verdict("refused", "not_authorized", f"not allowed here: {denied}")
    if isinstance(error, apsw.InterruptError) and spent is not None:
        return Verdict("timeout", spent, _STOPPED[spent])
    return _of_the_engine(error)


_STOPPED = {
    "vm_steps": "stopped: it took more VM steps than it was given",
    "wall_time": "stopped: it took longer than it was given",
}


def _of_the_engine(error: Exception) -> Verdict:
    for kind, (status, error_class) in _BY_EXCEPTION.items():
        if isinstance(error, kind):
            return Verdict(status, error_class, _one_line(error))
    return Verdict("error", class_of(str(error)), _one_line(error))


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:500] or type(error).__name__
