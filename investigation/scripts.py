"""The tables of an instance as a script that rebuilds them: DDL, then INSERTs in their order."""

from collections.abc import Iterable

from investigation.instance import Cell, Table


def script(tables: Iterable[Table]) -> str:
    """SQL text that makes ``tables`` with the same rows, in the same order of insertion.

    >>> print(script([Table("t", "CREATE TABLE t(a, b)", ("a", "b"), ((1, "it's"), (2.5, None)))]))
    CREATE TABLE t(a, b);
    INSERT INTO t VALUES (1, 'it''s'),
    (2.5, NULL);
    <BLANKLINE>
    """
    return "".join(f"{table.ddl};\n{_inserts(table)}" for table in tables)


def _inserts(table: Table) -> str:
    if not table.rows:
        return ""
    rows = ",\n".join(f"({', '.join(map(_literal, row))})" for row in table.rows)
    return f"INSERT INTO {table.name} VALUES {rows};\n"


def _literal(cell: Cell) -> str:
    if cell is None:
        return "NULL"
    if isinstance(cell, str):
        return "'" + cell.replace("'", "''") + "'"
    return repr(cell)
