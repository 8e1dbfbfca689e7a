"""A database of Spider's tables.json as CREATE TABLE statements."""

from collections import defaultdict
from typing import Any

from db_execution.identifiers import quoted

# The format knows five kinds. Dates are kept as text there, and a boolean as 0 and 1, T and F.
TYPES = {"text": "TEXT", "number": "NUMERIC", "time": "TEXT", "boolean": "NUMERIC"}
DEFAULT_TYPE = "TEXT"


def ddl(entry: dict[str, Any]) -> str:
    """The statements that make the tables of ``entry``, in its order; names as they are spelt.

    >>> print(ddl({"table_names_original": ["t"], "column_types": ["text", "number"],
    ...     "column_names_original": [[-1, "*"], [0, "id"]], "primary_keys": [1],
    ...     "foreign_keys": []}))
    CREATE TABLE "t" (
      "id" NUMERIC,
      PRIMARY KEY ("id")
    );
    """
    columns = [(int(table), str(name)) for table, name in entry["column_names_original"]]
    lines: dict[int, list[str]] = defaultdict(list)
    for (table, name), kind in zip(columns, entry["column_types"], strict=True):
        lines[table].append(f"{quoted(name)} {TYPES.get(kind, DEFAULT_TYPE)}")
    tables = [str(name) for name in entry["table_names_original"]]
    for table, names in _primary_keys(entry["primary_keys"], columns).items():
        lines[table].append(f"PRIMARY KEY ({', '.join(map(quoted, names))})")
    for child, parent in entry["foreign_keys"]:
        (table, name), (other, key) = columns[child], columns[parent]
        target = f"{quoted(tables[other])}({quoted(key)})"
        lines[table].append(f"FOREIGN KEY ({quoted(name)}) REFERENCES {target}")
    return "\n".join(
        f"CREATE TABLE {quoted(name)} (\n  " + ",\n  ".join(lines[table]) + "\n);"
        for table, name in enumerate(tables)
        if not name.lower().startswith("sqlite_")  # SQLite keeps these itself
    )


def _primary_keys(
    keys: list[int | list[int]], columns: list[tuple[int, str]]
) -> dict[int, list[str]]:
    """The key columns of each table; a key of several columns is a list, or stands one by one."""
    found: dict[int, list[str]] = defaultdict(list)
    for key in keys:
        for column in key if isinstance(key, list) else [key]:
            table, name = columns[column]
            found[table].append(name)
    return found
