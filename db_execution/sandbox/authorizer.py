"""What a statement may touch: an allow-list that SQLite asks while it compiles."""

from collections.abc import Callable, Iterable

import apsw

from db_execution.protocol import Mode
from db_execution.sandbox.profile import Profile

Authorizer = Callable[[int, str | None, str | None, str | None, str | None], int]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTIONS = _words("""
    -> ->> abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling changes char coalesce concat
    concat_ws cos cosh count cume_dist current_date current_time current_timestamp date datetime
    degrees dense_rank exp first_value floor format glob group_concat hex if ifnull iif instr json
    json_array json_array_insert json_array_length json_error_position json_extract
    json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote
    json_remove json_replace json_set json_type json_valid jsonb jsonb_array jsonb_array_insert
    jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch
    jsonb_remove jsonb_replace jsonb_set julianday lag last_insert_rowid last_value lead length like
    likelihood likely ln log log10 log2 lower ltrim max median min mod nth_value ntile nullif
    octet_length percent_rank percentile percentile_cont percentile_disc pi pow power printf quote
    radians random randomblob rank replace round row_number rtrim sign sin sinh sqlite_version sqrt
    strftime string_agg substr substring subtype sum tan tanh time timediff total total_changes trim
    trunc typeof unhex unicode unistr unistr_quote unixepoch unlikely upper zeroblob
    """)
"""Functions of SQLite that read nothing but their arguments. A newer engine's are not in it."""

PRAGMAS = _words(
    "table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list"
)
"""The PRAGMAs that describe a schema: they take a table's or an index's name and change nothing."""

TABLES = _words("""
    sqlite_master sqlite_schema sqlite_temp_master sqlite_temp_schema sqlite_sequence sqlite_stat1
    sqlite_stat4 json_each json_tree jsonb_each jsonb_tree
    """) | {f"pragma_{name}" for name in PRAGMAS}
"""What may be read beside the database's own tables."""

MODULES = _words(
    "dbstat fts3tokenize fts4aux fts5vocab sqlite_dbpage sqlite_stmt bytecode tables_used"
)
"""Virtual tables that need no CREATE: they show pages, statements and tokenizers."""

_NEEDS_NO_NAME = frozenset((apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE))
_WRITES = frozenset(
    getattr(apsw, f"SQLITE_{name}")
    for name in _words("""
    INSERT UPDATE DELETE ALTER_TABLE ANALYZE REINDEX
    CREATE_INDEX CREATE_TABLE CREATE_TRIGGER CREATE_VIEW
    CREATE_TEMP_INDEX CREATE_TEMP_TABLE CREATE_TEMP_TRIGGER CREATE_TEMP_VIEW
    DROP_INDEX DROP_TABLE DROP_TRIGGER DROP_VIEW
    DROP_TEMP_INDEX DROP_TEMP_TABLE DROP_TEMP_TRIGGER DROP_TEMP_VIEW
    """)
)


_ALTERING = _words(
    """
    sqlite_rename_column sqlite_rename_table sqlite_rename_test sqlite_rename_quotefix
    sqlite_drop_column
    """
)
"""What ALTER TABLE calls within. The engine lets no statement call them by name."""


class Gatekeeper:
    """The authorizer of one connection; ``denied`` says what it last turned away, in words."""

    def __init__(self, mode: Mode, profile: Profile, tables: Iterable[str]) -> None:
        self.denied: str | None = None
        self._tables = TABLES.union(tables)
        self._functions = FUNCTIONS - profile.denied_functions
        self._actions = _NEEDS_NO_NAME
        if mode != "read_only":
            self._functions |= _ALTERING
            self._actions |= _WRITES

    def authorizer(self) -> Authorizer:
        """What the engine calls: ``judge``, but quick about what is allowed nearly always.

        It is asked several times a statement, so every name in it is a local one.
        """
        select, read, function = apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_FUNCTION
        tables, functions, judge, ok = self._tables, self._functions, self.judge, apsw.SQLITE_OK

        def authorize(
            action: int, name: str | None, detail: str | None, schema: str | None, _: str | None
        ) -> int:
            if action == read:
                if name in tables:
                    return ok
            elif action == select or (action == function and detail in functions):
                return ok
            return judge(action, name, detail, schema)

        return authorize

    def judge(self, action: int, name: str | None, detail: str | None, schema: str | None) -> int:
        """SQLITE_OK or SQLITE_DENY for one action of a statement being compiled."""
        if action == apsw.SQLITE_READ:
            allowed = name in self._tables or self._may_read(name, schema)
        elif action == apsw.SQLITE_FUNCTION:
            allowed = detail in self._functions or (detail or "").lower() in self._functions
        elif action == apsw.SQLITE_PRAGMA:
            allowed = name in PRAGMAS or (name or "").lower() in PRAGMAS
        else:
            allowed = action in self._actions
        return apsw.SQLITE_OK if allowed else self._deny(action, name, detail)

    def _may_read(self, name: str | None, schema: str | None) -> bool:
        # A CTE or subquery of which no column is used is reported by its own name, in no schema;
        # so is a virtual table, which is why its name alone must be enough to turn it away.
        word = (name or "").lower()
        if word in MODULES or word.startswith(("sqlite_", "pragma_")):
            return word in TABLES
        return schema is None

    def _deny(self, action: int, name: str | None, detail: str | None) -> int:
        word = apsw.mapping_authorizer_function[action]
        subject = detail if action == apsw.SQLITE_FUNCTION else name
        self.denied = f"{str(word).removeprefix('SQLITE_')} {subject or ''}".strip()
        return apsw.SQLITE_DENY
