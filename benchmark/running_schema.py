"""The schema that an agent is shown: the DDL of a database, as the engine keeps it."""

import re
import threading
from collections.abc import Sequence

from benchmark.asking import ORIGINAL, Terms
from benchmark.errors import BenchmarkError
from db_execution.errors import NoSuchDatabase
from db_execution.protocol import Executor, Query

_DDL = """
SELECT name, sql FROM sqlite_schema
WHERE type IN ('table', 'view') AND sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'
ORDER BY rowid
"""
_BLANKS = re.compile(r"[ \t]+$", re.MULTILINE)


class Schemas:
    """The schemas of a benchmark's databases, each read once; threads may ask at once."""

    def __init__(self, executor: Executor, terms: Terms) -> None:
        self._executor, self._terms, self._lock = executor, terms, threading.Lock()
        self._known: dict[str, list[tuple[str, str]]] = {}

    def ddl(self, db_id: str, only: Sequence[str] = ()) -> str:
        """The statements that make the tables and views; of those in ``only``, where it has any.

        A database that is not there has none: its queries will say so.
        """
        with self._lock:
            if db_id not in self._known:
                self._known[db_id] = self._read(db_id)
        wanted = {_last(name) for name in only}
        kept = [sql for name, sql in self._known[db_id] if not wanted or name.casefold() in wanted]
        return "\n\n".join(f"{_BLANKS.sub('', sql.strip())};" for sql in kept)

    def _read(self, db_id: str) -> list[tuple[str, str]]:
        asked = Query(
            dataset_name=self._terms.dataset, db_id=db_id, tree=ORIGINAL, sql=_DDL, max_rows=50_000
        )
        try:
            answer = self._executor.execute(asked)
        except NoSuchDatabase:
            return []
        if answer.status != "ok" or answer.rows is None:
            said = answer.error or answer.status
            raise BenchmarkError(f"cannot read the schema of {db_id}: {said}")
        return [(str(name), str(sql)) for name, sql in answer.rows]


def _last(name: str) -> str:
    """The table's own name, where a schema or a database stands before it."""
    return name.rpartition(".")[2].strip('"`[] ').casefold()
