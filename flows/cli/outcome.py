"""How a command ends: 0, 1 where the work found something wrong, 2 where it could not be done."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

WRONG = 1
REFUSED = 2
INTERRUPTED = 130
BROKEN_PIPE = 141

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)


@contextmanager
def one_line() -> Iterator[None]:
    """End in one clear line for what a person can mend; a bug keeps its traceback."""
    try:
        yield
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(BROKEN_PIPE) from None
    except Exception as error:
        if not is_expected(error):
            raise
        refuse(str(error))
        raise typer.Exit(REFUSED) from None


def refuse(message: str) -> None:
    """Say why not, on one line of standard error."""
    print(f"pairset: {' '.join(message.split())}", file=sys.stderr)


def is_expected(error: Exception) -> bool:
    """Whether the message says all: the classes are imported only once something is raised."""
    from benchmark.errors import BenchmarkError
    from db_execution.errors import ExecutorError
    from flows.errors import FlowError
    from investigation.errors import InvestigationError
    from pairset.config import ConfigError
    from pairset.corpus import CorpusError
    from pairset.publish.errors import PublishError
    from pairset.reread import Misread
    from pairset.store import StoreError
    from provenance.errors import ProvenanceError
    from review.errors import ReviewError

    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    known = (
        *(BenchmarkError, ConfigError, CorpusError, ExecutorError, FlowError),
        *(InvestigationError, Misread, ProvenanceError, PublishError, ReviewError, StoreError),
    )
    return isinstance(error, known)
