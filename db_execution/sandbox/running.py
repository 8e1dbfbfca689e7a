"""Run one statement on one opened database, and say what became of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from time import monotonic, perf_counter
from typing import Any

import apsw

from db_execution.cells import Row, size_of
from db_execution.digest import FEW_ROWS, Digester, digests_of_few, list_digest
from db_execution.protocol import NOT_UTF8, WALL_TIME, Answer, Want, statement_type
from db_execution.sandbox import guard, undecodable
from db_execution.sandbox.authorizer import Gatekeeper
from db_execution.sandbox.budget import Budget
from db_execution.sandbox.fixed import CLOCK, Dice
from db_execution.sandbox.profile import Profile
from db_execution.sandbox.verdicts import (
    LimitError,
    PolicyError,
    UndecodableError,
    Verdict,
    verdict,
)

SQLITE_VERSION = apsw.sqlite_lib_version()

FILES, MEMORY = 1, 2
"""Where temporary tables lie, by the numbers of PRAGMA temp_store; see ``_found_in_memory``."""

Found = dict[str, Any]
"""The fields of an answer that running the statement decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What is wanted of one statement; a bound that is None is the profile's.

    ``careful`` digests row by row: for a statement that has used up the memory once before.
    """

    want: Want = "rows"
    wall_ms: int | None = None
    rows: int | None = None
    vm_steps: int | None = None
    clock: str | None = None
    seed: int | None = None
    careful: bool = False


PLAIN = Ask()


class Sandbox:
    """One database, opened for statements that nobody vouches for. Close it after use."""

    def __init__(
        self, connection: apsw.Connection, gatekeeper: Gatekeeper, profile: Profile, *, sha256: str
    ) -> None:
        self.profile = profile
        self.sha256 = sha256
        self._connection = connection
        self._gatekeeper = gatekeeper
        self._budget = Budget()
        self._tick = 0
        self._temporaries = MEMORY
        self._deadline = 0.0
        self._dice = Dice(value_bytes=profile.value_bytes)
        self.on_second_pass: Callable[[], None] = lambda: None
        """Called when an answer is so long that it is read again; its time then begins anew."""
        self._ask, self._prepare_only = PLAIN, False
        self._statement: str | None = None
        self._readonly = True
        self._columns: tuple[str, ...] = ()
        self._sql = ""
        self._arm()

    def _arm(self) -> None:
        for name, throw, arguments in (
            ("random", self._dice.integer, 0),
            ("randomblob", self._dice.blob, 1),
        ):
            self._connection.create_scalar_function(
                name, throw, arguments, flags=apsw.SQLITE_INNOCUOUS
            )
        self._close_the_door()

    def _close_the_door(self) -> None:
        self._connection.exec_trace = self._admit
        self._connection.authorizer = self._gatekeeper.authorizer()

    def keep_temporaries_in(self, place: int) -> None:
        """FILES, which cannot be made, or MEMORY: for whoever opened the database."""
        self._temporaries = place
        self._connection.exec_trace = self._connection.authorizer = None
        try:
            self._connection.pragma("temp_store", place)
        finally:
            self._close_the_door()

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close(True)

    @property
    def by_chance(self) -> bool:
        """Whether the last answer had to do with a clock or dice that its asker had not fixed."""
        ask = self._ask
        return (ask.clock is None and CLOCK.was_read) or (
            ask.seed is None and self._dice.were_thrown
        )

    def run(self, sql: str, ask: Ask = PLAIN) -> Answer:
        """What becomes of ``sql``. Whatever a statement does is an answer, never an exception."""
        began = perf_counter()
        found = self._outcome(sql, ask)
        return Answer(
            **found,
            statement_type=statement_type(sql),
            elapsed_ms=round((perf_counter() - began) * 1000, 3),
            sqlite_version=SQLITE_VERSION,
            database_sha256=self.sha256,
        )

    def _outcome(self, sql: str, ask: Ask) -> Found:
        try:
            self._begin(sql, ask)
            guard.check(sql, self.profile)
            try:
                return self._found(sql, ask)
            except apsw.CantOpenError:
                if self._temporaries == MEMORY:
                    raise
                return self._found_in_memory(sql, ask)
        except Exception as error:
            return self._failed(error)

    def _begin(self, sql: str, ask: Ask) -> None:
        self._sql, self._statement, self._columns = sql, None, ()
        self._ask, self._prepare_only = ask, ask.want == "prepare"
        self._gatekeeper.denied = None
        self._dice.seed(ask.seed)
        CLOCK.stop(ask.clock)
        wall_ms = ask.wall_ms or self.profile.wall_ms
        self._deadline = monotonic() + wall_ms / 1000
        self._start_budget(ask)

    def _start_budget(self, ask: Ask) -> None:
        """So many steps anew, and the wall time that is left."""
        steps = ask.vm_steps or self.profile.vm_steps
        tick = min(self.profile.tick, steps)
        if tick != self._tick:
            self._connection.set_progress_handler(self._budget, tick)
            self._tick = tick
        self._budget.start(steps=steps, tick=tick, until=self._deadline)

    def _admit(self, cursor: apsw.Cursor, statement: str, _bindings: object) -> bool:
        """Called by the engine between compiling a statement and its first step."""
        if not cursor.has_vdbe:
            return True
        rest = self._sql[len(statement) :]
        if self._statement is not None or (rest and not guard.is_blank(rest)):
            raise PolicyError("not_one_statement", "one statement at a time")
        if cursor.is_explain == 1:
            raise PolicyError(
                "explain", "EXPLAIN shows the engine's program; ask EXPLAIN QUERY PLAN"
            )
        self._statement, self._readonly = statement, cursor.is_readonly
        self._columns = _names(cursor)
        return not self._prepare_only

    def _found(self, sql: str, ask: Ask) -> Found:
        cursor = self._connection.cursor()
        try:
            cursor.execute(sql, can_cache=False)
            if self._statement is None:
                raise PolicyError("no_statement", "there is no statement in it")
            return self._gathered(cursor, ask)
        except apsw.ExecTraceAbort:
            return self._described()
        except UnicodeDecodeError:
            return self._found_raw(ask)
        finally:
            cursor.close(True)

    def _found_in_memory(self, sql: str, ask: Ask) -> Found:
        """The answer of a statement whose temporary tables are larger than a cache.

        A table that may grow into a file is a block of memory until then, one that may not is a
        piece for each row: so all are begun as the first kind, and few begin again as the second.
        """
        self.keep_temporaries_in(MEMORY)
        try:
            self._sql, self._statement, self._columns = sql, None, ()
            self._start_budget(ask)
            self._dice.again()
            return self._found(sql, ask)
        finally:
            self.keep_temporaries_in(FILES)

    def _found_raw(self, ask: Ask) -> Found:
        """The answer of a statement with TEXT that is not UTF-8, which apsw does not hand out."""
        if not self._readonly:
            raise UndecodableError  # it would be done twice
        columns, again = self._columns, undecodable.rewritten(self._statement, len(self._columns))
        self._sql, self._statement = again, None
        self._start_budget(ask)
        self._dice.again()
        cursor = self._connection.cursor()
        try:
            cursor.execute(again, can_cache=False)
            self._columns = columns
            return self._gathered(undecodable.restored(cursor), ask) | {"flags": (NOT_UTF8,)}
        except apsw.SQLError:
            raise UndecodableError from None  # a PRAGMA, say, which is no subquery
        finally:
            cursor.close(True)

    def _gathered(self, rows: Iterator[Row], ask: Ask) -> Found:
        if ask.want == "digest":
            found = self._digested(rows, ask)
        else:
            found = self._fetched(rows, ask.rows or self.profile.rows)
        found.update(self._described())
        return found

    def _described(self) -> Found:
        return {"status": "ok", "columns": self._columns, "column_count": len(self._columns)}

    def _digested(self, rows: Iterator[Row], ask: Ask) -> Found:
        first = list(islice(rows, 0 if ask.careful else FEW_ROWS))
        if len(first) < FEW_ROWS and not ask.careful:
            self._charge(len(first))
            return digests_of_few(first)._asdict() if self._columns else {}
        digester = Digester(careful=ask.careful)
        digester.feed(chain(first, rows), after=self._charge)
        if not self._columns:
            return {}
        found: Found = digester.result()._asdict()
        if digester.forgot and self._readonly:
            found["list_digest"] = self._second_pass(digester.count, ask)
        return found

    def _charge(self, rows: int) -> None:
        """Count some rows of the answer as the steps that they are worth."""
        if self._budget.charge(rows, len(self._columns)):
            raise apsw.InterruptError("interrupted")

    def _second_pass(self, count: int, ask: Ask) -> str | None:
        """The list digest begins with the row count, so a long answer is read again to make it."""
        self.on_second_pass()
        self._deadline = monotonic() + (ask.wall_ms or self.profile.wall_ms) / 1000
        statement, self._statement = self._statement or "", None
        self._start_budget(ask)
        self._dice.again()
        cursor = self._connection.cursor()
        try:
            raw = undecodable.is_rewritten(statement)
            cursor.execute(statement, can_cache=False)
            return list_digest(undecodable.restored(cursor) if raw else cursor, count)
        finally:
            cursor.close(True)

    def _fetched(self, rows: Iterator[Row], most: int) -> Found:
        room, kept = self.profile.result_bytes, list[Row]()
        for row in islice(rows, most):
            room -= sum(map(size_of, row))
            if room < 0:
                break
            kept.append(row)
        if room < 0 and not self.profile.cut_at_result_bytes:
            raise LimitError("result_bytes", f"more than {self.profile.result_bytes} bytes of rows")
        truncated = room < 0 or (len(kept) == most and next(rows, None) is not None)
        if not self._columns:
            return {}
        return {"rows": tuple(kept), "row_count": len(kept), "truncated": truncated}

    def _failed(self, error: Exception) -> Found:
        spent = self._budget.spent
        ended: Verdict = verdict(error, denied=self._gatekeeper.denied, spent=spent)
        return {
            "status": ended.status,
            "error_class": ended.error_class,
            "error": ended.error,
            "columns": self._columns,
            "column_count": len(self._columns),
            "flags": (WALL_TIME,) if ended.error_class == "wall_time" else (),
        }


def _names(cursor: apsw.Cursor) -> tuple[str, ...]:
    try:
        return tuple([name for name, _ in cursor.get_description()])
    except UnicodeDecodeError:
        raise UndecodableError from None
