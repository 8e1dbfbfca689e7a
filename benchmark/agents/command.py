"""A command as an agent, in any language: a question goes in, SQL comes out.

On its standard input it finds one JSON object: ``task_id``, ``question``, ``knowledge``,
``db_id``, ``schema``, ``dialect``, ``round``. All but the schema stand in the environment as well,
as ``BENCHMARK_TASK_ID`` and so on. It ends with 0; what it wrote is read by the rule of
`benchmark.agents.extract`.
"""

import json
import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from benchmark.agents.base import AgentError, Question, Reply, failed
from benchmark.agents.extract import Unclosed, sql_in
from pairset.files import file_digest
from pairset.ids import canonical_json

MOST_BYTES = 1_000_000
"""How much of what a command says is read."""

MOST_BYTES_HASHED = 64_000_000
MOST_IN_A_VARIABLE = 100_000
DRAIN_S = 5.0
DIALECT = "sqlite"


class CommandAgent:
    """Runs ``words`` once a question in ``folder``, at the head of a process group of its own.

    The group ends with the command, or when its time is over.
    """

    reads_schema = True

    def __init__(
        self, words: Sequence[str], *, time_limit: float = 120.0, folder: Path = Path()
    ) -> None:
        if not words:
            raise AgentError("the command is empty")
        self._words, self._time_limit, self._folder = list(words), time_limit, folder
        self._live: set[subprocess.Popen[bytes]] = set()
        self._lock, self._closed = threading.Lock(), False
        self.name = Path(self._words[0]).name
        parts = [[word, _file(folder, word)] for word in self._words]
        self._digest = sha256(canonical_json(parts)).hexdigest()

    def identity(self, round_number: int = 0) -> Mapping[str, Any]:
        """Its words, and the bytes of the files among them. They may hold secrets: as a digest."""
        return {"kind": "command", "program": self.name, "digest": self._digest}

    def ask(self, question: Question) -> Reply:
        """What the command says of one question."""
        with TemporaryFile() as asked:
            asked.write(json.dumps(_document(question)).encode())
            asked.seek(0)
            process = self._started(question, asked)
        said, complained = _Drain(process.stdout), _Drain(process.stderr)
        try:
            process.wait(self._time_limit)
            in_time = True
        except subprocess.TimeoutExpired:
            in_time = False
        finally:
            self._ended(process)
        if self._closed:
            raise AgentError("the run was ended")
        said.join(DRAIN_S)
        complained.join(DRAIN_S)
        if not in_time:
            return failed("time_limit", f"no answer within {self._time_limit:g} s")
        return _reply(process.returncode, said, complained)

    def close(self) -> None:
        """End every command that runs, with all that it started."""
        with self._lock:
            self._closed = True
            live = list(self._live)
        for process in live:
            _kill(process)

    def _started(self, question: Question, asked: IO[bytes]) -> "subprocess.Popen[bytes]":
        pipe = subprocess.PIPE
        with self._lock:
            if self._closed:
                raise AgentError("the run was ended")
            try:
                process = subprocess.Popen(
                    self._words,
                    stdin=asked,
                    stdout=pipe,
                    stderr=pipe,
                    env=_environment(question),
                    cwd=self._folder,
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                why = error.strerror if isinstance(error, OSError) else "a word holds a NUL"
                raise AgentError(f"cannot run the command {self._words[0]!r}: {why}") from None
            self._live.add(process)
        return process

    def _ended(self, process: "subprocess.Popen[bytes]") -> None:
        """The command's children end with it: they hold its pipes, and answer nobody."""
        _kill(process)
        process.wait()
        with self._lock:
            self._live.discard(process)


def words_of(command: str) -> list[str]:
    """The words of a command line; no shell reads it."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise AgentError(f"cannot read the command {command!r}: {error}") from None


class _Drain(threading.Thread):
    """Reads a pipe to its end, so that nobody waits for it, and keeps the beginning."""

    def __init__(self, pipe: IO[bytes] | None) -> None:
        super().__init__(daemon=True)
        assert pipe is not None
        self._pipe, self.data, self.size = pipe, b"", 0
        self.start()

    def run(self) -> None:
        with suppress(ValueError), self._pipe:
            while piece := self._pipe.read1(65_536):  # type: ignore[attr-defined]
                self.size += len(piece)
                self.data += piece[: MOST_BYTES - len(self.data)]


def _reply(status: int, said: _Drain, complained: _Drain) -> Reply:
    text = said.data.decode(errors="replace")
    if status != 0:
        how = f"signal {-status}" if status < 0 else f"status {status}"
        lines = complained.data.decode(errors="replace").strip().splitlines()
        words = f": {lines[-1]}" if lines else ""
        return failed("exit_status", f"the command ended with {how}{words}", answer=text)
    if said.size > MOST_BYTES:
        return failed("too_long", f"it said {said.size} bytes; at most {MOST_BYTES} are read")
    try:
        text = said.data.decode()
        return Reply(sql=sql_in(text), answer=text)
    except UnicodeDecodeError as error:
        return failed("not_text", f"byte {error.start} of its answer is not UTF-8", answer=text)
    except Unclosed as error:
        return failed("cut", str(error), answer=text)


def _document(question: Question) -> dict[str, Any]:
    return {**asdict(question), "dialect": DIALECT}


def _environment(question: Question) -> dict[str, str]:
    """The environment, and what is asked but for the schema, where the system can carry it."""
    told = {name: str(value) for name, value in _document(question).items() if name != "schema"}
    fitting = {
        name: text.encode(errors="replace").decode().replace("\0", "")
        for name, text in told.items()
        if len(text.encode(errors="replace")) < MOST_IN_A_VARIABLE
    }
    return {**os.environ, **{f"BENCHMARK_{name.upper()}": text for name, text in fitting.items()}}


def _kill(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _file(folder: Path, word: str) -> str:
    """What tells the file that a word names from another: a script is the agent as well."""
    try:
        path = folder / word
        if not path.is_file():
            return ""
        size = path.stat().st_size
        return file_digest(path) if size < MOST_BYTES_HASHED else f"{size} bytes"
    except (OSError, ValueError):
        return ""
