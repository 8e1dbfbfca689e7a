"""Which tables a query reads, and which of the expected ones another query reads too."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from sqltext.clauses import TableSource
from sqltext.errors import NotAQuery
from sqltext.parse import parse
from sqltext.scope import resolve


@lru_cache(maxsize=50_000)
def tables_of(sql: str) -> tuple[str, ...] | None:
    """The tables that ``sql`` reads, in order of name; None where it is no query of SQLite's.

    A CTE is no table, nor is a function; one that is called like the table it reads hides nothing.

    >>> tables_of("WITH t AS (SELECT * FROM main.t) SELECT * FROM t JOIN u")
    ('t', 'u')
    """
    try:
        scopes = resolve(parse(sql))
    except NotAQuery:
        return None
    nodes = (node for node in scopes.parsed.nodes if isinstance(node, TableSource))
    names = (scopes.by_node[node].table_name for node in nodes if node.arguments is None)
    return tuple(sorted({name for name in names if name}))


def matched_tables(actual: Iterable[str], expected: Sequence[str]) -> list[str]:
    """Those of ``expected`` that are among ``actual``, as written and in their order.

    A table is another if their names are equal, or the last parts of them: ``s.orders`` is
    ``orders``. Case, quotes and blanks for underscores make no difference.

    >>> matched_tables(["analytics.public.orders"], ["orders", "users"])
    ['orders']
    """
    there = {name for one in actual for name in _names(one)}
    return [one for one in expected if any(name in there for name in _names(one))]


def _names(table: str) -> list[str]:
    parts = [part.strip().strip('"`[]').replace(" ", "_").lower() for part in table.split(".")]
    return [".".join(parts), parts[-1]] if parts[-1] else []
