"""A predictions file as an agent: what it says of a task is the answer, round after round."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmark.agents.base import Question, Reply
from benchmark.errors import BenchmarkError
from benchmark.predictions import read_predictions
from benchmark.run import Run
from benchmark.tasks import Tasks
from pairset.files import file_digest

ROUND = "{round}"


class PredictedAgent:
    """The file at ``path``, in which ``{round}`` stands for the round's number, from 0.

    All files are read at once, so what is wrong in one is said before anything is asked.
    """

    reads_schema = False

    def __init__(self, path: Path, tasks: Tasks, rounds: int = 1) -> None:
        self.name = path.name.replace(ROUND, "").removesuffix(path.suffix).rstrip("_-.") or "file"
        names = [str(path).replace(ROUND, str(at)) for at in range(rounds)]
        self._runs: dict[str, Run] = {}
        for name in names:
            if name not in self._runs:
                self._runs[name] = read_predictions(Path(name), tasks)
        self._names = names
        self._digests = {name: _digest(Path(name)) for name in self._runs}

    def identity(self, round_number: int = 0) -> Mapping[str, Any]:
        """The bytes of the round's file."""
        return {"kind": "predictions", "file_sha256": self._digests[self._names[round_number]]}

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said about the files."""
        return tuple(note for run in self._runs.values() for note in run.notes)

    def ask(self, question: Question) -> Reply | None:
        """The SQL of the file, as it is; None for a task that it does not name."""
        found = self._runs[self._names[question.round]].attempts.get(question.task_id)
        if found is None:
            return None
        sql = found.sql if found.has_sql else None
        return Reply(sql=sql, answer=sql or "")

    def close(self) -> None:
        """There is nothing to let go of."""


def _digest(path: Path) -> str:
    try:
        return file_digest(path)
    except OSError as error:
        raise BenchmarkError(f"cannot read {path}: {error.strerror}") from None
