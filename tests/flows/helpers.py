"""How the tests of the flows call a build, and look at what it left."""

import hashlib
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from flows.engine import Engine, at_work
from flows.progress import Teller
from flows.request import Request
from tests.flows.toy import PARTS
from tests.shared_data import ROOT
from tests.waiting import until


def working(data: Path, workers: int = 1) -> AbstractContextManager[Engine]:
    """The engine of a toy build."""
    return at_work(Request(data=str(data), workers=workers), PARTS, Teller())


def python(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run Python in the project's folder, to its end."""
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    return subprocess.run([sys.executable, *words], cwd=ROOT, text=True, **(piped | more))


def pairset(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command line over the toy build, in a process of its own."""
    return python("-m", "tests.flows.toy", *words, **more)


def started(*words: str) -> subprocess.Popen[str]:
    """The same, not waited for, and at the head of its own process group."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.flows.toy", *words],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def contents(folder: Path) -> dict[str, str]:
    """Every file below ``folder`` with the digest of its bytes."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def wait_for(folder: Path, pattern: str, count: int) -> None:
    """Wait until so many files are there."""
    until(lambda: len(list(folder.glob(pattern))) >= count)
