"""What names resolve against: the tables of one database, as plain data."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from sqltext.lexer import fold

ROWID = frozenset({"rowid", "oid", "_rowid_"})


@dataclass(frozen=True)
class TableSchema:
    """A table: its columns in order, their declared types, and its declared keys.

    ``keys`` are the primary key and every UNIQUE over NOT NULL columns, as sets of folded names.
    ``foreign_keys`` are (own columns, other table, other columns), in the order declared.
    ``collations`` stand by their columns, empty for BINARY; none at all means all are BINARY.
    """

    name: str
    columns: tuple[str, ...]
    types: tuple[str, ...] = ()
    not_null: tuple[bool, ...] = ()
    keys: tuple[frozenset[str], ...] = ()
    foreign_keys: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...] = ()
    collations: tuple[str, ...] = ()

    @cached_property
    def folded(self) -> dict[str, int]:
        """Folded column names with their positions."""
        return {fold(name): at for at, name in enumerate(self.columns)}


class Schema:
    """The tables of a database by folded name. An empty schema knows nothing, and says so."""

    def __init__(self, tables: Iterable[TableSchema] = ()) -> None:
        self.tables = {fold(table.name): table for table in tables}
        self._columns = frozenset(name for table in self.tables.values() for name in table.folded)

    def __bool__(self) -> bool:
        return bool(self.tables)

    def table(self, name: str) -> TableSchema | None:
        """The table of that name, however it is spelled."""
        return self.tables.get(fold(name))

    def has_column(self, folded: str) -> bool:
        """Whether any table has a column of that folded name."""
        return folded in self._columns


NO_SCHEMA = Schema()
