"""Why the executor could not be asked. A query that fails is an answer, not one of these.

* ExecutorError
  x Unreachable      nothing answered at that address          (worth a retry)
  x Overloaded       it answered: not now                      (worth a retry)
  x Refused          it answered: never                        (a bug in the caller)
    x Forbidden      the token is missing or wrong
    x NoSuchDatabase no tree, dataset or database of that name
  x BadAddress       a server must not, or cannot, be bound there
  x BadTree          a tree or one of its databases cannot be served
"""


class ExecutorError(Exception):
    """The executor could not be asked."""


class Unreachable(ExecutorError):
    """Nothing answered at any of the addresses for as long as the caller was willing to wait."""


class Overloaded(ExecutorError):
    """The service has more waiting than it takes on; ``retry_after`` is its hint in seconds."""

    def __init__(self, message: str, *, retry_after: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Refused(ExecutorError):
    """The service will not answer this request, now or later."""


class Forbidden(Refused):
    """The token is missing or is not the service's."""


class NoSuchDatabase(Refused):
    """No tree, dataset or database of that name is served."""


class BadAddress(ExecutorError):
    """A server must not, or cannot, be bound there."""


class BadTree(ExecutorError):
    """A tree, or a database in it, is not fit to be served."""
