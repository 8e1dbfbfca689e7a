"""Which columns may stand for each other: families of types."""

from functools import lru_cache

from sqltext.schema import TableSchema

NUMBER, TEXT, TIME, OTHER = "number", "text", "time", "other"

# The first part that a declared type contains decides. The names people give to types come before
# SQLite's rules of affinity (https://sqlite.org/datatype3.html, 3.1), whose order the rest keeps.
_PARTS = (
    ("DATE", TIME),
    ("TIME", TIME),
    ("YEAR", TIME),
    ("STRING", TEXT),
    ("ENUM", TEXT),
    ("JSON", TEXT),
    ("UUID", TEXT),
    ("INT", NUMBER),
    ("CHAR", TEXT),
    ("CLOB", TEXT),
    ("TEXT", TEXT),
    ("BLOB", OTHER),
)


@lru_cache(maxsize=4096)
def family_of_type(declared: str) -> str:
    """The family of a declared type; what says nothing has numeric affinity, as in SQLite.

    >>> [family_of_type(t) for t in ("bigint", "VARCHAR(20)", "datetime", "bool", "decimal", "")]
    ['number', 'text', 'time', 'number', 'number', 'other']
    """
    upper = declared.upper()
    if not upper:
        return OTHER
    return next((family for part, family in _PARTS if part in upper), NUMBER)


def family_in(table: TableSchema, name: str) -> str:
    """The family of a column, by its folded name; empty where no types are known."""
    return family_of_type(table.types[table.folded[name]]) if table.types else ""
