"""Tables with declared keys, databases that conform to them, and random queries over them."""

import random
from collections.abc import Sequence

import apsw

from sqltext.schema import Schema, TableSchema

KEYED = Schema(
    [
        TableSchema("p", ("id", "name", "g", "w"), ("INTEGER", "TEXT", "INTEGER", "TEXT"), (True, True, False, False), (frozenset({"id"}), frozenset({"name"}))),
        TableSchema("c", ("pid", "n", "v", "z"), ("INTEGER", "INTEGER", "TEXT", "TEXT"), (True, True, False, False), (frozenset({"pid", "n"}),)),
        TableSchema("e", ("code", "pid", "s"), ("TEXT", "INTEGER", "TEXT"), (True, False, False), (frozenset({"code"}),)),
        TableSchema("l", ("a", "b"), ("INTEGER", "TEXT")),
    ]
)  # fmt: skip
# The keys as SQLite would hold them; without them; and with other ways to read the rows.
DDL = (
    """CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, g INTEGER, w TEXT);
    CREATE TABLE c (pid INTEGER NOT NULL, n INTEGER NOT NULL, v TEXT, z TEXT, PRIMARY KEY (pid, n));
    CREATE TABLE e (code TEXT NOT NULL PRIMARY KEY, pid INTEGER, s TEXT);
    CREATE TABLE l (a INTEGER, b TEXT)""",
    """CREATE TABLE p (id INTEGER, name TEXT, g INTEGER, w TEXT);
    CREATE TABLE c (pid INTEGER, n INTEGER, v TEXT, z TEXT);
    CREATE TABLE e (code TEXT, pid INTEGER, s TEXT);
    CREATE TABLE l (a INTEGER, b TEXT)""",
    """CREATE TABLE p (id INTEGER, name TEXT, g INTEGER, w TEXT);
    CREATE INDEX pg ON p (g); CREATE INDEX pw ON p (w DESC);
    CREATE TABLE c (pid INTEGER, n INTEGER, v TEXT, z TEXT);
    CREATE INDEX cv ON c (v); CREATE INDEX cn ON c (n DESC, pid);
    CREATE TABLE e (code TEXT, pid INTEGER, s TEXT);
    CREATE INDEX ep ON e (pid); CREATE INDEX es ON e (s);
    CREATE TABLE l (a INTEGER, b TEXT); CREATE INDEX la ON l (a DESC)""",
)
Rows = dict[str, list[tuple[object, ...]]]
COLUMNS = {
    "p": ["id", "name", "g", "w"],
    "c": ["pid", "n", "v", "z"],
    "e": ["code", "pid", "s"],
    "l": ["a", "b"],
}
KEY_COLUMNS = {"p": ["id", "name"], "c": ["pid", "n"], "e": ["code"], "l": ["a"]}


def _number(chance: random.Random) -> int | None:
    return chance.choice([None, 1, 2, 3])


def _text(chance: random.Random) -> str | None:
    return chance.choice([None, "1", "2", "01", "a", "b"])


def conforming(chance: random.Random) -> Rows:
    """A few rows per table, with many equal values and texts that look like numbers."""
    ids = chance.sample(range(1, 9), chance.randint(0, 5))
    names = chance.sample(["1", "2", "01", "a", "b", "c", "3"], len(ids))
    pairs = chance.sample([(i, n) for i in range(1, 5) for n in range(1, 4)], chance.randint(0, 6))
    codes = chance.sample(["1", "01", "2", "a", "b"], chance.randint(0, 4))
    return {
        "p": [
            (i, name, _number(chance), _text(chance)) for i, name in zip(ids, names, strict=True)
        ],
        "c": [(*pair, _text(chance), _text(chance)) for pair in pairs],
        "e": [(code, _number(chance), _text(chance)) for code in codes],
        "l": [(_number(chance), _text(chance)) for _ in range(chance.randint(0, 5))],
    }


def built(rows: Rows, ddl: str, chance: random.Random) -> apsw.Connection:
    """A database with ``rows`` put in in some order."""
    connection = apsw.Connection(":memory:")
    connection.execute(ddl)
    for table, values in rows.items():
        for row in chance.sample(values, len(values)):
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    return connection


class Author:
    """Writes random queries over the tables; many are settled by keys, and many just not."""

    def __init__(self, chance: random.Random, outer: Sequence[str] = ()) -> None:
        self.chance = chance
        self.outer = outer
        self.sources: list[tuple[str, str]] = []
        self.where: list[str] = []

    def query(self) -> str:
        """SELECT with whatever chance adds."""
        source = self._from()
        self._conditions()
        keys = (
            [self._column() for _ in range(self.chance.choice((1, 1, 2)))]
            if self._maybe(0.35)
            else []
        )
        items = [
            self._item(keys) for _ in range(1 if self.outer else self.chance.choice((1, 2, 2, 3)))
        ]
        sql = f"SELECT {'DISTINCT ' if self._maybe(0.25) else ''}{', '.join(items)} FROM {source}"
        sql += f" WHERE {' AND '.join(self.where)}" if self.where else ""
        sql += f" GROUP BY {', '.join(keys)}" if keys else ""
        compound = self._maybe(0.08)
        if compound:
            sql += self.chance.choice([" UNION ", " UNION ALL ", " EXCEPT "])
            sql += f"SELECT {', '.join(self.chance.choice('ab') for _ in items)} FROM l"
        return sql + self._tail(items, keys, compound)

    def _maybe(self, odds: float) -> bool:
        return self.chance.random() < odds

    def _from(self) -> str:
        text = ""
        for number in range(self.chance.choice((1, 1, 2, 2, 3))):
            table, alias = self.chance.choice("pppccel"), ("xyz" if self.outer else "qrs")[number]
            text += self._joined(table, alias) if number else f"{table} {alias}"
            self.sources.append((table, alias))
        return text

    def _joined(self, table: str, alias: str) -> str:
        if sorted([table, *(name for name, _ in self.sources)]) == ["c", "e"]:
            return self.chance.choice(
                [f" JOIN {table} {alias} USING (pid)", f" NATURAL JOIN {table} {alias}"]
            )
        condition = self._tie(table, alias)
        operator = self.chance.choice([",", " JOIN", " JOIN", " JOIN", " LEFT JOIN", " RIGHT JOIN"])
        if operator != ",":
            return f"{operator} {table} {alias} ON {condition}"
        if self._maybe(0.7):
            self.where.append(condition)
        return f", {table} {alias}"

    def _tie(self, table: str, alias: str) -> str:
        other, name = self.chance.choice(self.sources)
        if {table, other} == {"p", "c"} and self._maybe(0.7):
            parent, child = (alias, name) if table == "p" else (name, alias)
            return f"{child}.pid = {parent}.id"
        return f"{name}.{self.chance.choice(COLUMNS[other])} = {alias}.{self.chance.choice(COLUMNS[table])}"

    def _column(self) -> str:
        table, alias = self.chance.choice(self.sources)
        return (
            f"{alias}.{self.chance.choice((KEY_COLUMNS if self._maybe(0.6) else COLUMNS)[table])}"
        )

    def _conditions(self) -> None:
        for _ in range(self.chance.choice((0, 0, 1, 1, 2))):
            column = self._column()
            choices = [f"{column} = {value}" for value in ("1", "2", "'1'", "'a'")]
            choices += [f"{column} IS NULL", f"{column} > 1", f"({column} = 1 OR {column} = 2)"]
            if self.outer:
                choices += [f"{column} = {self.chance.choice(self.outer)}"] * 3
            else:
                inner = Author(self.chance, [self._column()]).query()
                choices += [f"{column} IN ({inner})", f"EXISTS ({inner})"]
            self.where.append(self.chance.choice(choices))

    def _aggregate(self) -> str:
        return self.chance.choice(
            ["count(*)", f"max({self._column()})", f"count(DISTINCT {self._column()})", "sum(2)"]
        )

    def _item(self, keys: list[str]) -> str:
        if keys:
            return self.chance.choice(
                [self._aggregate(), self._aggregate(), *keys, *keys, self._column()]
            )
        column = self._column()
        if self._maybe(0.05):
            return self._aggregate()
        return self.chance.choice([column, column, column, f"{column} + 1", f"upper({column})"])

    def _tail(self, items: list[str], keys: list[str], compound: bool) -> str:
        text = ""
        if self._maybe(0.5 if self.outer else 0.75):
            terms = [
                self._term(items, keys, compound) for _ in range(self.chance.choice((1, 1, 2, 3)))
            ]
            text = f" ORDER BY {', '.join(terms)}"
        if self._maybe(0.5 if self.outer else 0.35):
            text += self.chance.choice([" LIMIT 1", " LIMIT 2", " LIMIT 1 OFFSET 1"])
        return text

    def _term(self, items: list[str], keys: list[str], compound: bool) -> str:
        position = str(self.chance.randint(1, len(items)))
        others = [*keys, self._aggregate()] if keys else [self._column(), self._column()]
        term = position if compound or self._maybe(0.3) else self.chance.choice([*items, *others])
        return term + self.chance.choice(["", "", "", " DESC", " DESC", " COLLATE NOCASE"])
