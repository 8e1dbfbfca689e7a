"""A few values of the columns that golds compare with constants, asked of the database itself."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from db_execution.cells import Cell
from db_execution.client import Client
from db_execution.identifiers import quoted
from db_execution.protocol import Batch
from mutants.operators.model_errors.content import asked_of
from mutants.values import NO_VALUES, Value, Values
from sqltext.facts import Facts
from sqltext.lexer import fold

_LONGEST = 200  # characters of a text that may stand in a query

# The most frequent values, the lesser first where two are as frequent; then the least and greatest
# number. NULL and BLOB are no values to compare with.
_FREQUENT = """
SELECT c FROM (
  SELECT {column} AS c FROM {table} WHERE typeof({column}) IN ('integer', 'real', 'text')
  GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 8)
"""
_EXTREME = """
SELECT min({column}), max({column}) FROM {table} WHERE typeof({column}) IN ('integer', 'real')
"""
_NEAREST = """
SELECT max({column}) FILTER (WHERE {column} < {number}),
  min({column}) FILTER (WHERE {column} > {number})
FROM {table} WHERE typeof({column}) IN ('integer', 'real')
"""


def stored_values(client: Client, terms: Batch, golds: Iterable[Facts]) -> Values:
    """What the grammar may know of the database: values of every column that a constant meets.

    A query that fails or is stopped gives no values; the terms' budget of steps holds for each.
    """
    asked = sorted({one for gold in golds for one in asked_of(gold.scopes)}, key=repr)
    if not asked:
        return NO_VALUES
    queries = [(fold(t), fold(c), sql) for t, c, number in asked for sql in _queries(t, c, number)]
    distinct = list(dict.fromkeys(queries))
    batch = replace(terms, want="rows", max_rows=100, queries=tuple(sql for _, _, sql in distinct))
    found: dict[tuple[str, str], dict[Value, None]] = {}
    for (table, column, _), answer in zip(distinct, client.batch(batch), strict=True):
        values = found.setdefault((table, column), {})
        for row in answer.rows or ():
            values.update(dict.fromkeys(_values(row)))
    return Values({key: tuple(values) for key, values in found.items() if values})


def _queries(table: str, column: str, number: str | None) -> Iterator[str]:
    names = {"table": quoted(table), "column": quoted(column), "number": number}
    yield _FREQUENT.format(**names)
    if number is not None:
        yield _NEAREST.format(**names)
        yield _EXTREME.format(**names)


def _values(cells: Iterable[Cell]) -> Iterator[Value]:
    for cell in cells:
        if isinstance(cell, int | float):
            yield "number", repr(cell)
        elif isinstance(cell, str) and len(cell) <= _LONGEST:
            yield "string", cell
