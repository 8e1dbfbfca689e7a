"""Random statements from a grammar: most compile, many run, some are meant to do harm."""

from collections.abc import Callable, Iterator
from random import Random

TABLES = (
    "t",
    "t",
    "t JOIN u ON t.id = t_id",
    "sqlite_master",
    "pragma_table_info('t')",
    "json_each('[1]')",
)
COLUMNS = ("1", "rowid", "'a'", "NULL", "2.5")
STRANGE = ("absent", "dbstat", "x", "sqlite_stmt", "pragma_database_list", '"', "t.*", "?")
LITERALS = (
    "0",
    "1",
    "-1",
    "1.5",
    "9e999",
    "NULL",
    "'a'",
    "''",
    "x'ff'",
    "9223372036854775807",
    '"z"',
)
FUNCTIONS = ("abs", "max", "length", "hex", "printf", "date", "quote", "typeof", "upper", "round")
WILD = ("count", "sum", "random", "load_extension", "absent", "group_concat", "json", "zeroblob")
OPERATORS = ("+", "-", "*", "/", "||", "=", "<", "AND", "OR", "IS", "LIKE", "%", "<>")
PRAGMAS = ("table_info(t)", "writable_schema = 1", "journal_mode", "index_list('t')", "absent")


class Grammar:
    """Statements that follow from ``seed``, never deeper than a few levels."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def statements(self, count: int) -> Iterator[str]:
        """So many of them."""
        for _ in range(count):
            yield self._marred(self._statement())

    def _statement(self) -> str:
        writes = (self._insert, self._update, self._delete, self._create, self._other)
        kinds: tuple[Callable[[], str], ...] = (self._query,) * 12 + writes
        return self._random.choice(kinds)()

    def _query(self, depth: int = 3) -> str:
        parts = ["SELECT ", self._random.choice(("", "DISTINCT ")), self._list(depth)]
        if self._random.random() < 0.8:
            parts += [" FROM ", self._source(depth)]
        for word, chance in ((" WHERE ", 0.5), (" GROUP BY ", 0.2), (" ORDER BY ", 0.3)):
            if self._random.random() < chance:
                parts += [word, self._expression(depth - 1)]
        if self._random.random() < 0.3:
            parts += [" LIMIT ", str(self._random.randint(0, 50))]
        query = "".join(parts)
        return self._wrapped(query, depth) if depth > 1 and self._random.random() < 0.2 else query

    def _wrapped(self, query: str, depth: int) -> str:
        other = self._query(depth - 1)
        return self._random.choice(
            (
                f"WITH x AS ({other}) {query}",
                f"{query} UNION {other}",
                f"WITH RECURSIVE x(id) AS (VALUES (1) UNION ALL SELECT id + 1 FROM x) {query}",
                f"EXPLAIN QUERY PLAN {query}",
            )
        )

    def _source(self, depth: int) -> str:
        if depth > 0 and self._random.random() < 0.2:
            return f"({self._query(depth - 1)}) AS x"
        if self._random.random() < 0.05:
            return f"t, {self._random.choice(STRANGE)}"
        return self._random.choice(TABLES)

    def _list(self, depth: int) -> str:
        if self._random.random() < 0.2:
            return "*"
        return ", ".join(self._expression(depth - 1) for _ in range(self._random.randint(1, 3)))

    def _expression(self, depth: int) -> str:
        if depth <= 0 or self._random.random() < 0.4:
            strange = self._random.random() < 0.02
            return self._random.choice(STRANGE if strange else COLUMNS + LITERALS)
        match self._random.randint(0, 3):
            case 0:
                names = WILD if self._random.random() < 0.1 else FUNCTIONS
                return f"{self._random.choice(names)}({self._expression(depth - 1)})"
            case 1:
                return f"EXISTS ({self._query(depth - 1)})"
            case _:
                sides = [self._expression(depth - 1) for _ in range(2)]
                return self._random.choice(OPERATORS).join(f" {side} " for side in sides)

    def _insert(self) -> str:
        return f"INSERT INTO u {self._query(1)}"

    def _update(self) -> str:
        return f"UPDATE t SET v = {self._expression(2)} WHERE {self._expression(1)} RETURNING *"

    def _delete(self) -> str:
        return f"WITH x AS ({self._query(1)}) DELETE FROM t WHERE {self._expression(1)}"

    def _create(self) -> str:
        kind = self._random.choice(("TABLE", "VIEW", "TEMP TABLE"))
        return f"CREATE {kind} made{self._random.randint(0, 9)} AS {self._query(1)}"

    def _other(self) -> str:
        fixed = ("VACUUM", "ANALYZE", "BEGIN", "ATTACH 'made.sqlite' AS made", "DROP TABLE t")
        return self._random.choice((*fixed, f"PRAGMA {self._random.choice(PRAGMAS)}"))

    def _marred(self, sql: str) -> str:
        """Now and then a character is lost, doubled or strange."""
        if self._random.random() > 0.1:
            return sql
        at = self._random.randrange(len(sql))
        return (
            sql[:at]
            + self._random.choice(("", sql[at] * 2, ";", "'", "\0", "é", "/*"))
            + sql[at + 1 :]
        )
