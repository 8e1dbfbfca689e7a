"""An executor of one's own: the service as a child process on a free port of this machine."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Self

from db_execution.errors import Unreachable
from db_execution.protocol import TOKEN_VARIABLE

START_S = 60.0
STOP_S = 10.0
OPTIONS = {"cache": "--cache", "cache_mib": "--cache-mib"}
ROOT = Path(__file__).resolve().parent.parent


class Embedded:
    """Start the service on enter, stop it on exit; it ends with this process, however that ends.

    ``trees`` are specs such as ``original=DIR``; ``log`` is where its standard error goes. With a
    ``token`` it answers only who has it. More goes by its name: limits of the service, such as
    ``waiting=10``, and ``cache``, a folder for kept answers, with ``cache_mib``.
    """

    def __init__(
        self,
        trees: Sequence[str],
        *,
        workers: int = 1,
        port: int = 0,
        log: Path | None = None,
        token: str | None = None,
        **more: int | Path | None,
    ) -> None:
        self._command = [sys.executable, "-m", "db_execution", "--end-with-parent"]
        self._command += [word for spec in trees for word in ("--tree", spec)]
        self._command += ["--workers", str(workers), "--port", str(port)]
        for name, value in more.items():
            if name in OPTIONS:
                self._command += [OPTIONS[name], str(value)] if value is not None else []
            else:
                self._command += ["--limit", f"{name}={value}"]
        self._log = log
        self._token = token
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    def __enter__(self) -> Self:
        """Start it and wait until it is ready; Unreachable, with its last words, if it does not."""
        with self._opened_log() as log:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=_environment(self._token),
            )
        line = _first_line(self._process.stdout)
        if not line:
            self.stop()
            raise Unreachable(f"the embedded executor did not start{self._last_words()}")
        self.url = json.loads(line)["url"]
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The service's process; only while it runs."""
        if self._process is None:
            raise Unreachable("the embedded executor is not running")
        return self._process.pid

    def stop(self) -> None:
        """Let it finish what it runs, but not for long. Stopping twice is stopping once."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def _opened_log(self) -> IO[bytes]:
        if self._log is None:
            return open(os.devnull, "wb")
        self._log.parent.mkdir(parents=True, exist_ok=True)
        return self._log.open("ab")

    def _last_words(self) -> str:
        if self._log is None or not self._log.exists():
            return ""
        lines = self._log.read_text(errors="replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""


def _first_line(stream: IO[bytes] | None) -> bytes:
    """The line that announces the address; empty if it does not come."""
    assert stream is not None
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=lambda: lines.put(stream.readline()), daemon=True).start()
    try:
        return lines.get(timeout=START_S)
    except queue.Empty:
        return b""


def _environment(token: str | None) -> dict[str, str]:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, TOKEN_VARIABLE: token or ""}
